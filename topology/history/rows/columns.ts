// Columns as data: name, kind and source of the value. A history table is a list of them.
import { type Amount, clipped } from '../../../schemas/amount.ts'
import { type ColumnKind, wireName } from '../../../schemas/history-rows.ts'
import type { Key, Signature } from '../../../schemas/keys.ts'
import type { RowWriter } from './row-writer.ts'

export interface Column<Row> {
  readonly name: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
  write(out: RowWriter, row: Row): void
}

/** A storage table: its columns in wire order. */
export interface HistoryTable<Row> {
  /** Without the database. */
  readonly name: string
  readonly columns: readonly Column<Row>[]
}

/** The column list of an insert. */
export const wireColumns = <Row>({ columns }: HistoryTable<Row>): readonly string[] => columns.map(({ name, kind }) => wireName(name, kind))

interface Builder<Value> {
  of<Row>(name: string, get: (row: Row) => Value): Column<Row>
  orNull<Row>(name: string, get: (row: Row) => Value | null): Column<Row>
}

const builder = <Value>(kind: ColumnKind, put: (out: RowWriter, value: Value) => void): Builder<Value> => ({
  of: (name, get) => ({ name, kind, isNullable: false, write: (out, row) => put(out, get(row)) }),
  orNull: (name, get) => ({
    name,
    kind,
    isNullable: true,
    write: (out, row) => {
      const value = get(row)
      out.byte(value === null ? 1 : 0)
      if (value !== null) put(out, value)
    },
  }),
})

const SECOND_MS = 1_000

export const key = builder<Key>('key', (out, value) => out.latin1(value))
/** A key with few distinct values, such as a quote's mint. */
export const commonKey = builder<Key>('commonKey', (out, value) => out.latin1(value))
export const signature = builder<Signature>('signature', (out, value) => out.latin1(value))
export const address = builder<Key>('address', (out, value) => out.latin1(value))
/** An address with few distinct values, such as a pair token's. */
export const commonAddress = builder<Key>('commonAddress', (out, value) => out.latin1(value))
export const txHash = builder<Signature>('txHash', (out, value) => out.latin1(value))
export const text = builder<string>('text', (out, value) => out.text(value))
/** Text with few distinct values. */
export const lowCardinality = builder<string>('lowCardinality', (out, value) => out.text(value))
/** Raw bytes in a text column. */
export const bytes = builder<Uint8Array>('text', (out, value) => out.raw(value))
export const texts = builder<readonly string[]>('texts', (out, values) => {
  out.count(values.length)
  for (const value of values) out.text(value)
})
export const bool = builder<boolean>('bool', (out, value) => out.byte(value ? 1 : 0))
export const uint32 = builder<number>('uint32', (out, value) => out.uint32(value))
export const number = builder<number>('number', (out, value) => out.int64(value))
export const units = builder<Amount>('units', (out, value) => out.int64(value))
/** An exact amount of the EVM, 0 to 2^256 - 1. */
export const wei = builder<Amount>('wei', (out, value) => out.uint256(BigInt(value)))
/** Exact amounts, keyed by column name. */
const exact = builder<ReadonlyMap<string, bigint>>('exact', (out, values) => {
  out.count(values.size)
  for (const [name, value] of values) {
    out.text(name)
    out.int256(value)
  }
})
type AmountsOf<Values> = { [Field in keyof Values]: bigint extends Values[Field] ? Field : never }[keyof Values] & string

/** A column with all amounts of the row that exceed 64 bits, keyed by column name. */
export const exactOf = <Row, Values>(of: (row: Row) => Values, names: Readonly<Record<AmountsOf<Values>, string>>): Column<Row> => {
  const fields = Object.entries(names) as [AmountsOf<Values>, string][]
  return exact.of('exact_units', (row) => {
    const values: Values = of(row)
    const beyond = new Map<string, bigint>()
    for (const [field, column] of fields) {
      const value: unknown = values[field]
      if (typeof value === 'bigint' && clipped(value, 64) !== value) beyond.set(column, value)
    }
    return beyond
  })
}
/** SQL of a column's exact value: from `exact_units` if it is there, else from the column. */
export const exactSql = (column: string): string =>
  `if(mapContains(exact_units, '${column}'), exact_units['${column}'], toInt256(${column}))`

export const seconds = builder<number>('seconds', (out, value) => out.int64(value))
/** From unix seconds. */
export const time = builder<number>('time', (out, value) => out.int64(value * SECOND_MS))
export const deleted = builder<boolean>('deleted', (out, value) => out.byte(value ? 1 : 0))
