// Which tables of the history are held against the log, and what makes a row of each the same row.
import type { ColumnKind } from '../../../schemas/history-rows.ts'
import { formatPosition, tickOf } from '../../../schemas/position.ts'
import type { Chain } from '../../../schemas/types.ts'
import { DEAD_LETTERS, FLAGS, OUTCOMES, WALLET_ROLES } from '../../history/rows/conclusion-tables.ts'
import { RAW_FRAMES, TICKS } from '../../history/rows/frame-tables.ts'
import type { WireRow } from '../../history/rows/row-reader.ts'
import { TAPE_TABLES } from '../../history/rows/tape-tables.ts'
import type { Followed } from '../../sinks/follow.ts'

export interface CheckedTable {
  /** Whose records it is made of. */
  readonly role: Followed
  /** Of the storage table. */
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind; readonly isNullable: boolean }[]
  /** Where the row is on the chain; rows of one table with the same place are there twice. */
  placeOf(row: WireRow, chain: Chain): string
  /** What the storage keeps one row of. */
  identityOf(row: WireRow): string
  /** Null for rows that belong to no slot. */
  slotOf(row: WireRow): number | null
  /** True where the slot is part of what the storage keeps one row of. */
  readonly isSlotKey: boolean
}

const numberIn = (row: WireRow, name: string): number => Number(row.value(name))
const slotOf = (row: WireRow): number => numberIn(row, 'slot')
const eventPlace = (row: WireRow, chain: Chain): string =>
  formatPosition({
    chain,
    number: slotOf(row),
    tx: numberIn(row, 'tx_index'),
    outer: numberIn(row, 'outer_ix'),
    inner: numberIn(row, 'inner_ix'),
  })
const tickPlace = (row: WireRow, chain: Chain): string => formatPosition(tickOf(chain, slotOf(row)))
const ROW_PLACE = ['slot', 'tx_index', 'outer_ix', 'inner_ix']

/** By the order of the storage (deploy/clickhouse), which replaces rows of one identity by the newest version. */
const ofEvents = (role: Followed, { name, columns }: Pick<CheckedTable, 'name' | 'columns'>, ...more: readonly string[]): CheckedTable => ({
  role,
  name,
  columns,
  isSlotKey: true,
  slotOf,
  placeOf: eventPlace,
  identityOf: (row) =>
    [...ROW_PLACE, 'hash8', 'mint', ...more]
      .filter((name) => columns.some((one) => one.name === name))
      .map((name) => row.value(name))
      .join('@'),
})
const ofFrames = (role: Followed, { name, columns }: Pick<CheckedTable, 'name' | 'columns'>): CheckedTable => ({
  role,
  name,
  columns,
  isSlotKey: true,
  slotOf,
  placeOf: tickPlace,
  identityOf: (row) => `${slotOf(row)}@${row.value('hash8')}`,
})

export const CHECKED_TABLES: readonly CheckedTable[] = [
  ...Object.values(TAPE_TABLES).map((table) => ofEvents('tape', table)),
  ofFrames('tape', TICKS),
  ofFrames('raw', RAW_FRAMES),
  ofEvents('flags', FLAGS, 'detector'),
  ofEvents('outcomes', OUTCOMES),
  ofEvents('outcomes', WALLET_ROLES, 'wallet', 'role'),
  {
    role: 'deadLetters',
    name: DEAD_LETTERS.name,
    columns: DEAD_LETTERS.columns,
    isSlotKey: false,
    slotOf: (row) => {
      const slot = row.value('slot')
      return slot === null ? null : Number(slot)
    },
    placeOf: (row) => String(row.value('position')),
    identityOf: (row) => String(row.value('id')),
  },
]

/** What people call it: the view over the storage. */
export const publicName = (table: Pick<CheckedTable, 'name'>): string => table.name.replace(/_log$/, '')
