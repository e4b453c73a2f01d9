// The tables of the history that are compared with the log, and the identity of a row in each.
import type { ColumnKind } from '../../../schemas/history-rows.ts'
import { formatPosition, NONE, tickOf } from '../../../schemas/position.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { HistoryTables } from '../../history/rows/history-tables.ts'
import type { WireRow } from '../../history/rows/row-reader.ts'
import type { Followed } from '../../sinks/partition-consumer.ts'

interface Columns {
  /** Name of the storage table. */
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind; readonly isNullable: boolean }[]
}

export interface CheckedTable extends Columns {
  /** The topic from whose records its rows are made. */
  readonly role: Followed
  /** Column of the slot or block. */
  readonly number: HistoryTables['number']
  /** Position of the row on the chain. A row that the log does not have is `doubled` if the log has another row at this position. */
  placeOf(row: WireRow, chain: Chain): string
  /** The storage keeps one row for each identity. */
  identityOf(row: WireRow): string
  /** Null for rows without a slot. */
  slotOf(row: WireRow): number | null
  /** True if the slot is part of the identity. */
  readonly isSlotKey: boolean
}

/** Columns of an event's position in its frame; chains have two or three of them. */
const PLACE = { tx: ['tx_index'], outer: ['outer_ix', 'log_index'], inner: ['inner_ix'] } as const
const KEYS = ['hash8', 'mint', 'token']

/** Position of an event's row in its frame. */
export const placeOf = ({ columns }: Columns, row: WireRow): Record<keyof typeof PLACE, number> => {
  const numberIn = (names: readonly string[]): number => {
    const name = names.find((one) => columns.some((column) => column.name === one))
    return name === undefined ? NONE : Number(row.value(name))
  }
  return { tx: numberIn(PLACE.tx), outer: numberIn(PLACE.outer), inner: numberIn(PLACE.inner) }
}

type Shape = Columns & Pick<HistoryTables, 'number'>

const slotOf =
  ({ number }: Shape) =>
  (row: WireRow): number =>
    Number(row.value(number))

/**
 * The identity has the columns of the storage's sort key (deploy/clickhouse), which keeps the newest version of rows with the same key. Two
 * exceptions: the storage of odds sorts by time and id, and their identity is the columns that determine the id; the storage of funding
 * also sorts by wallet, which the position determines.
 */
const ofEvents = (role: Followed, table: Shape, ...more: readonly string[]): CheckedTable => {
  const slot = slotOf(table)
  const names = [table.number, ...Object.values(PLACE).flat(), ...KEYS, ...more]
  const identity = names.filter((name) => table.columns.some((one) => one.name === name))
  return {
    ...{ role, ...table },
    isSlotKey: true,
    slotOf: slot,
    placeOf: (row, chain) => formatPosition({ chain, number: slot(row), ...placeOf(table, row) }),
    identityOf: (row) => identity.map((name) => row.value(name)).join('@'),
  }
}
const ofFrames = (role: Followed, table: Shape): CheckedTable => {
  const slot = slotOf(table)
  return {
    ...{ role, ...table },
    isSlotKey: true,
    slotOf: slot,
    placeOf: (row, chain) => formatPosition(tickOf(chain, slot(row))),
    identityOf: (row) => `${slot(row)}@${row.value('hash8')}`,
  }
}
const ofDeadLetters = (table: Shape): CheckedTable => ({
  ...{ role: 'deadLetters', ...table },
  isSlotKey: false,
  slotOf: (row) => {
    const slot = row.value(table.number)
    return slot === null ? null : Number(slot)
  },
  placeOf: (row) => String(row.value('position')),
  identityOf: (row) => String(row.value('id')),
})

/** By type of conclusion: its topic, and further columns of its identity. */
const CONCLUSIONS: Readonly<Record<string, readonly [role: Followed, ...more: string[]]>> = {
  finding: ['flags', 'detector'],
  shadowFinding: ['outcomes', 'detector'],
  outcome: ['outcomes'],
  role: ['outcomes', 'wallet', 'role'],
  shape: ['outcomes'],
  judgement: ['judgements'],
  odds: ['odds', 'head', 'model'],
}

/** The tables that a sink fills, without those for its own state. */
export const checkedTables = (tables: HistoryTables): readonly CheckedTable[] => {
  const shape = ({ name, columns }: Columns): Shape => ({ name, columns, number: tables.number })
  const conclusions = [...tables.conclusions].map(([type, table]) => {
    const [role, ...more] = CONCLUSIONS[type] ?? ['outcomes']
    return ofEvents(role, shape(table), ...more)
  })
  return [
    ...[...new Set(tables.events.values())].map((table) => ofEvents('tape', shape(table))),
    ofFrames('tape', shape(tables.ticks)),
    ofFrames('raw', shape(tables.frames)),
    ...conclusions,
    ofDeadLetters(shape(tables.deadLetters)),
  ]
}

/** Public name: that of the view over the storage. */
export const publicName = (table: Pick<CheckedTable, 'name'>): string => table.name.replace(/_log$/, '')
