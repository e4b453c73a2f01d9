// Rows of the history as frames of a tape: so much of them as the check of a tape looks at.
import type { CheckedBatch, CheckedEvent } from '../../../processors/verify/tape-check.ts'
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Chain, TapeEvent } from '../../../schemas/types.ts'
import { TICKS } from '../../history/rows/frame-tables.ts'
import type { WireRow } from '../../history/rows/row-reader.ts'
import { TAPE_TABLES } from '../../history/rows/tape-tables.ts'
import type { CheckedTable } from './tables.ts'

const key = (row: WireRow, name: string): Key => String(row.value(name)) as Key
const keyOrNull = (row: WireRow, name: string): Key | null => (row.value(name) === null ? null : key(row, name))
const num = (row: WireRow, name: string): number => Number(row.value(name))
const numOrNull = (row: WireRow, name: string): number | null => (row.value(name) === null ? null : num(row, name))
const isSo = (row: WireRow, name: string): boolean => row.value(name) === true

const placeOf = (row: WireRow) => ({ tx: num(row, 'tx_index'), outer: num(row, 'outer_ix'), inner: num(row, 'inner_ix') })
/** What is beyond 64 bits is in a column of its own. */
const amount = (row: WireRow, name: string): Amount =>
  (row.value('exact_units') as ReadonlyMap<string, Amount>).get(name) ?? (row.value(name) as Amount)
const amountOrNull = (row: WireRow, name: string): Amount | null => (row.value(name) === null ? null : amount(row, name))
const amounts = (row: WireRow) => ({ tokenUnits: amount(row, 'token_units'), quoteUnits: amount(row, 'quote_units') })
const poolHead = (row: WireRow) => ({ pool: key(row, 'pool'), coinIsBase: isSo(row, 'is_coin_base'), ...amounts(row) })
const poolReserves = (row: WireRow) => ({
  poolTokenUnits: amount(row, 'pool_token_units'),
  poolQuoteUnits: amount(row, 'pool_quote_units'),
})

/** By the type of the event; the others move no reserves. */
const EVENTS: { readonly [Type in TapeEvent['type']]?: (row: WireRow) => CheckedEvent } = {
  launch: (row) => ({
    type: 'launch',
    ...placeOf(row),
    mint: key(row, 'mint'),
    mayhem: isSo(row, 'is_mayhem'),
    quoteMint: keyOrNull(row, 'quote_mint'),
    virtualQuoteUnits: amountOrNull(row, 'virtual_quote_units'),
    virtualTokenUnits: amountOrNull(row, 'virtual_token_units'),
  }),
  trade: (row) => ({
    type: 'trade',
    ...placeOf(row),
    mint: key(row, 'mint'),
    isBuy: isSo(row, 'is_buy'),
    isAgent: isSo(row, 'is_agent'),
    mayhem: isSo(row, 'is_mayhem'),
    quoteMint: keyOrNull(row, 'quote_mint'),
    ...amounts(row),
    virtualQuoteUnits: amount(row, 'virtual_quote_units'),
    virtualTokenUnits: amount(row, 'virtual_token_units'),
    realQuoteUnits: amountOrNull(row, 'real_quote_units'),
  }),
  mayhemReserves: (row) => ({
    type: 'mayhemReserves',
    ...placeOf(row),
    mint: key(row, 'mint'),
    virtualQuoteUnits: amount(row, 'virtual_quote_units'),
    virtualTokenUnits: amount(row, 'virtual_token_units'),
    realQuoteUnits: amount(row, 'real_quote_units'),
  }),
  postCompleteBuy: (row) => ({
    type: 'postCompleteBuy',
    ...placeOf(row),
    mint: key(row, 'mint'),
    poolTokenUnitsAfter: amount(row, 'pool_token_units_after'),
    poolQuoteUnitsAfter: amount(row, 'pool_quote_units_after'),
  }),
  migrate: (row) => ({ type: 'migrate', ...placeOf(row), mint: key(row, 'mint'), pool: key(row, 'pool') }),
  poolCreate: (row) => ({ type: 'poolCreate', ...placeOf(row), ...poolHead(row) }),
  poolBoost: (row) => ({
    type: 'poolBoost',
    ...placeOf(row),
    pool: key(row, 'pool'),
    virtualQuoteUnits: amount(row, 'virtual_quote_units'),
    realQuoteUnitsAfter: amount(row, 'real_quote_units_after'),
  }),
  poolTrade: (row) => ({
    type: 'poolTrade',
    ...placeOf(row),
    mint: key(row, 'mint'),
    isBuy: isSo(row, 'is_buy'),
    ...poolHead(row),
    ...poolReserves(row),
    virtualQuoteUnits: amountOrNull(row, 'virtual_quote_units'),
    poolFeeUnits: amount(row, 'pool_fee_units'),
  }),
  poolLiquidity: (row) => ({
    type: 'poolLiquidity',
    ...placeOf(row),
    mint: key(row, 'mint'),
    isDeposit: isSo(row, 'is_deposit'),
    ...poolHead(row),
    ...poolReserves(row),
  }),
}
const BY_TABLE = new Map(Object.entries(EVENTS).map(([type, read]) => [TAPE_TABLES[type as TapeEvent['type']].name, read]))

interface Frame {
  tick: WireRow | null
  readonly events: CheckedEvent[]
}

/** One for each slot that has a tick or an event, by slot; its events in the order of the chain. A frame without a tick says no gap. */
export const batchesOf = (rows: ReadonlyMap<CheckedTable, readonly WireRow[]>, chain: Chain): readonly CheckedBatch[] => {
  const frames = new Map<number, Frame>()
  const frameAt = (slot: number): Frame => {
    const frame = frames.get(slot) ?? { tick: null, events: [] }
    frames.set(slot, frame)
    return frame
  }
  for (const [table, ofTable] of rows) {
    const read = BY_TABLE.get(table.name)
    if (read !== undefined) for (const row of ofTable) frameAt(num(row, 'slot')).events.push(read(row))
    if (table.name === TICKS.name) for (const row of ofTable) frameAt(num(row, 'slot')).tick = row
  }
  return [...frames]
    .sort(([a], [b]) => a - b)
    .map(([number, { tick, events }]) => ({
      type: 'batch',
      chain,
      number,
      gapFrom: tick && numOrNull(tick, 'gap_from_slot'),
      gapTo: tick && numOrNull(tick, 'gap_to_slot'),
      events: events.sort((a, b) => a.tx - b.tx || a.outer - b.outer || a.inner - b.inner),
    }))
}
