// The columns of an exported table: those of its view in the history, with amounts as integer types that DuckDB and pandas can read.
import { assert } from '../../../../schemas/errors.ts'
import type { HistoryClient } from '../../../history/client.ts'

interface ViewColumn {
  readonly name: string
  readonly type: string
  readonly comment: string
}

/** The column as it is in the file. */
interface ExportedColumn {
  readonly name: string
  readonly type: string
  readonly is_nullable: boolean
  readonly comment: string
}

export interface ExportedTable {
  readonly table: string
  readonly comment: string
  /** Sort key of the rows. */
  readonly order: readonly string[]
  /** Column that assigns a row to a day. */
  readonly time: string
  /** Column of the slot or block. */
  readonly number: string
  readonly columns: readonly ExportedColumn[]
  /** The SELECT list; the query must name the table `t`. */
  readonly select: string
}

/** Parquet readers do not support the history's 256-bit amounts: in the file they have these types, and are null if they do not fit. */
const AMOUNTS: Readonly<Record<string, { readonly type: string; readonly fitted: (name: string) => string }>> = {
  Int256: { type: 'Int64', fitted: (name) => `accurateCastOrNull(${name}, 'Int64')` },
  UInt256: { type: 'Decimal(38, 0)', fitted: (name) => `if(${name} <= toUInt256('${'9'.repeat(38)}'), toDecimal128(${name}, 0), NULL)` },
}
const BEYOND = 'exact_units'
const BEYOND_COMMENT =
  'JSON object: the amounts that have more digits than their column holds (which is null then), as text by the name of the column; null where all fit.'
const PLACE = ['tx_index', 'outer_ix', 'log_index', 'inner_ix']
const IDS = ['finding_id', 'outcome_id', 'event_id']
const TIMES = ['tick_at', 'at']

const plainType = (type: string): string => type.replace(/^LowCardinality\((.*)\)$/, '$1').replace(/^Nullable\((.*)\)$/, '$1')
const isAmount = ({ type }: ViewColumn): boolean => plainType(type) in AMOUNTS

const fitted = ({ name, type }: ViewColumn): string => AMOUNTS[plainType(type)]?.fitted(`t.${name}`) ?? `t.${name}`
/** A view may return a number for a column that it declares as Bool. */
const selected = (column: ViewColumn): string =>
  plainType(column.type) === 'Bool' ? `CAST(t.${column.name}, '${column.type}')` : fitted(column)
/** The amounts that do not fit their column, as JSON. */
const beyond = (amounts: readonly ViewColumn[]): string => {
  const isBeyond = (column: ViewColumn): string => `(t.${column.name} IS NOT NULL AND ${fitted(column)} IS NULL)`
  const values = amounts.map((column) => `'${column.name}', if(${isBeyond(column)}, toString(assumeNotNull(t.${column.name})), '')`)
  return `if(${amounts.map(isBeyond).join(' OR ')}, toJSONString(mapFilter((name, value) -> value != '', map(${values.join(', ')}))), NULL)`
}

const columnOf = (column: ViewColumn): ExportedColumn => ({
  name: column.name,
  type: AMOUNTS[plainType(column.type)]?.type ?? plainType(column.type),
  is_nullable: isAmount(column) || /Nullable/.test(column.type),
  comment: column.comment,
})

/** @throws EngineError; (a bug) for a view without a position, a time or an id */
export const exportedTable = async (client: HistoryClient, table: string, number: string): Promise<ExportedTable> => {
  const { database } = client
  const columns = await client.rows<ViewColumn>(
    'SELECT name, type, comment FROM system.columns WHERE database = {database:String} AND table = {table:String} ORDER BY position',
    { database, table },
  )
  const [view] = await client.rows<{ comment: string }>(
    'SELECT comment FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { database, table },
  )
  const amounts = columns.filter(isAmount)
  const nameIn = (names: readonly string[]): string | undefined => names.find((name) => columns.some((column) => column.name === name))
  const [id, time] = [nameIn(IDS), nameIn(TIMES)]
  assert(view !== undefined && id !== undefined && time !== undefined, `${table} needs a position, a time and an id`)
  const more = { name: BEYOND, type: 'String', is_nullable: true, comment: BEYOND_COMMENT }
  const select = columns.map((column) => `${selected(column)} AS ${column.name}`)
  return {
    ...{ table, time, number },
    comment: view.comment,
    order: [number, ...PLACE.filter((name) => nameIn([name]) !== undefined), id],
    columns: [...columns.map(columnOf), ...(amounts.length > 0 ? [more] : [])],
    select: [...select, ...(amounts.length > 0 ? [`${beyond(amounts)} AS ${BEYOND}`] : [])].join(', '),
  }
}

/** The schema file of the table. */
export const schemaOf = ({ table, comment, order, time, columns }: ExportedTable): object => ({
  ...{ table, comment, order },
  day_by: time,
  columns,
})
