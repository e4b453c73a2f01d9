// Converts rows of the history to events, for the chain whose launches are mints (Solana).
import type { ReserveEvent } from '../../../processors/verify/reserve-events.ts'
import type { Amount } from '../../../schemas/amount.ts'
import type { TapeEvent } from '../../../schemas/types.ts'
import type { WireRow } from '../../history/rows/row-reader.ts'
import { TAPE_TABLES } from '../../history/rows/tape-tables.ts'
import { booleanIn, keyIn, keyOrNull, type StoredEvents } from './stored-values.ts'

/** Amounts beyond 64 bits are in a separate column. */
const exact = (row: WireRow, name: string): Amount =>
  (row.value('exact_units') as ReadonlyMap<string, Amount>).get(name) ?? (row.value(name) as Amount)
const exactOrNull = (row: WireRow, name: string): Amount | null => (row.value(name) === null ? null : exact(row, name))
const amounts = (row: WireRow) => ({ tokenUnits: exact(row, 'token_units'), quoteUnits: exact(row, 'quote_units') })
const poolHead = (row: WireRow) => ({ pool: keyIn(row, 'pool'), coinIsBase: booleanIn(row, 'is_coin_base'), ...amounts(row) })
const poolReserves = (row: WireRow) => ({
  poolTokenUnits: exact(row, 'pool_token_units'),
  poolQuoteUnits: exact(row, 'pool_quote_units'),
})

/** By event type; other events move no reserves. */
const EVENTS: { readonly [Type in TapeEvent['type']]?: (row: WireRow) => ReserveEvent } = {
  launch: (row) => ({
    type: 'launch',
    mint: keyIn(row, 'mint'),
    mayhem: booleanIn(row, 'is_mayhem'),
    quoteMint: keyOrNull(row, 'quote_mint'),
    virtualQuoteUnits: exactOrNull(row, 'virtual_quote_units'),
    virtualTokenUnits: exactOrNull(row, 'virtual_token_units'),
  }),
  trade: (row) => ({
    type: 'trade',
    mint: keyIn(row, 'mint'),
    isBuy: booleanIn(row, 'is_buy'),
    isAgent: booleanIn(row, 'is_agent'),
    mayhem: booleanIn(row, 'is_mayhem'),
    quoteMint: keyOrNull(row, 'quote_mint'),
    ...amounts(row),
    virtualQuoteUnits: exact(row, 'virtual_quote_units'),
    virtualTokenUnits: exact(row, 'virtual_token_units'),
    realQuoteUnits: exactOrNull(row, 'real_quote_units'),
  }),
  mayhemReserves: (row) => ({
    type: 'mayhemReserves',
    mint: keyIn(row, 'mint'),
    virtualQuoteUnits: exact(row, 'virtual_quote_units'),
    virtualTokenUnits: exact(row, 'virtual_token_units'),
    realQuoteUnits: exact(row, 'real_quote_units'),
  }),
  postCompleteBuy: (row) => ({
    type: 'postCompleteBuy',
    mint: keyIn(row, 'mint'),
    poolTokenUnitsAfter: exact(row, 'pool_token_units_after'),
    poolQuoteUnitsAfter: exact(row, 'pool_quote_units_after'),
  }),
  migrate: (row) => ({ type: 'migrate', mint: keyIn(row, 'mint'), pool: keyIn(row, 'pool') }),
  poolCreate: (row) => ({ type: 'poolCreate', ...poolHead(row) }),
  poolBoost: (row) => ({
    type: 'poolBoost',
    pool: keyIn(row, 'pool'),
    virtualQuoteUnits: exact(row, 'virtual_quote_units'),
    realQuoteUnitsAfter: exact(row, 'real_quote_units_after'),
  }),
  poolTrade: (row) => ({
    type: 'poolTrade',
    mint: keyIn(row, 'mint'),
    isBuy: booleanIn(row, 'is_buy'),
    ...poolHead(row),
    ...poolReserves(row),
    virtualQuoteUnits: exactOrNull(row, 'virtual_quote_units'),
    poolFeeUnits: exact(row, 'pool_fee_units'),
  }),
  poolLiquidity: (row) => ({
    type: 'poolLiquidity',
    mint: keyIn(row, 'mint'),
    isDeposit: booleanIn(row, 'is_deposit'),
    ...poolHead(row),
    ...poolReserves(row),
  }),
}
export const STORED_MINT_EVENTS: StoredEvents = new Map(
  Object.entries(EVENTS).map(([type, read]) => [TAPE_TABLES[type as TapeEvent['type']].name, read]),
)
