// Rebuilds events of a tape from the rows of the history: the inverse of history/rows. Every field is in a column.
import type { Amount } from '../../../../schemas/amount.ts'
import type { Key } from '../../../../schemas/keys.ts'
import { NONE } from '../../../../schemas/position.ts'
import type { ChainEvent } from '../../../../schemas/record-forms.ts'
import type { TapeEvent } from '../../../../schemas/types.ts'
import type { WireRow } from '../../../history/rows/row-reader.ts'
import { TAPE_TABLES } from '../../../history/rows/tape-tables.ts'

/** The quote token of a coin, from its launch; null for the chain's native unit. */
export type PairOf = (coin: Key) => Key | null

/** Converts rows of one storage table to events. */
export interface EventsOfTable {
  event(row: WireRow, pairOf: PairOf): ChainEvent
  /** The coin whose quote token has to be looked up, because the event has it and the row lacks it; undefined if the row is complete. */
  readonly pairOf?: (row: WireRow) => Key | undefined
}
/** By table name. */
export type EventsAgain = ReadonlyMap<string, EventsOfTable>

/** Pairs `field:column`, separated by spaces; `field` alone means a column of the same name. Amounts are not scaled. */
type Fields = string

const MINT_FIELDS: { readonly [Type in TapeEvent['type']]: Fields } = {
  launch:
    'mint bondingCurve:bonding_curve user creator creatorIsWallet:is_creator_wallet name symbol uri tokenProgram:token_program mayhem:is_mayhem ' +
    'cashback:is_cashback quoteMint:quote_mint virtualTokenUnits:virtual_token_units virtualQuoteUnits:virtual_quote_units ' +
    'realTokenUnits:real_token_units supplyUnits:supply_units layout',
  trade:
    'mint user isBuy:is_buy isAgent:is_agent mayhem:is_mayhem quoteMint:quote_mint tokenUnits:token_units quoteUnits:quote_units feeUnits:fee_units ' +
    'creatorFeeUnits:creator_fee_units virtualQuoteUnits:virtual_quote_units virtualTokenUnits:virtual_token_units ' +
    'realQuoteUnits:real_quote_units realTokenUnits:real_token_units creator layout',
  complete: 'mint user bondingCurve:bonding_curve quoteMint:quote_mint',
  postCompleteBuy:
    'mint user quoteMint:quote_mint tokenUnits:token_units quoteUnits:quote_units poolTokenUnitsAfter:pool_token_units_after ' +
    'poolQuoteUnitsAfter:pool_quote_units_after',
  migrate:
    'mint user bondingCurve:bonding_curve pool quoteMint:quote_mint tokenUnits:token_units quoteUnits:quote_units feeUnits:fee_units',
  poolCreate:
    'mint pool creator index:pool_index coinIsBase:is_coin_base quoteMint:quote_mint tokenUnits:token_units quoteUnits:quote_units mayhem:is_mayhem',
  poolTrade:
    'mint pool user isBuy:is_buy isAgent:is_agent coinIsBase:is_coin_base quoteMint:quote_mint tokenUnits:token_units quoteUnits:quote_units ' +
    'userQuoteUnits:user_quote_units poolTokenUnits:pool_token_units poolQuoteUnits:pool_quote_units virtualQuoteUnits:virtual_quote_units ' +
    'poolFeeUnits:pool_fee_units',
  poolLiquidity:
    'mint pool user isDeposit:is_deposit coinIsBase:is_coin_base quoteMint:quote_mint tokenUnits:token_units quoteUnits:quote_units ' +
    'poolTokenUnits:pool_token_units poolQuoteUnits:pool_quote_units',
  poolBoost: 'mint pool virtualQuoteUnits:virtual_quote_units realQuoteUnitsAfter:real_quote_units_after',
  creatorChange: 'mint creator kind',
  mayhemReserves:
    'mint virtualTokenUnits:virtual_token_units virtualQuoteUnits:virtual_quote_units realTokenUnits:real_token_units realQuoteUnits:real_quote_units',
  missingEvent: 'mint call',
  balance: 'mint owner units traded:is_traded isWallet:is_wallet fromWallets:is_from_wallets sender',
  transfer: 'funder wallet amountLamports:amount_lamports',
}

const pairsOf = (fields: Fields): readonly (readonly [field: string, column: string])[] =>
  fields.split(' ').map((pair) => {
    const [field = '', column = field] = pair.split(':')
    return [field, column]
  })

/** Fields of an event from its row. `exact`: the amounts that do not fit their columns, by column. */
export const fieldsOf = (fields: Fields): ((row: WireRow, exact?: ReadonlyMap<string, Amount>) => object) => {
  const pairs = pairsOf(fields)
  return (row, exact) => Object.fromEntries(pairs.map(([field, column]) => [field, exact?.get(column) ?? row.value(column)]))
}

/** Events without a timestamp: their row has the time of the frame. Launches in the oldest layout have none. */
const isTimeless = (type: TapeEvent['type'], row: WireRow): boolean =>
  type === 'balance' || type === 'transfer' || type === 'missingEvent' || (type === 'launch' && row.value('layout') === 'V0')

const SECOND_MS = 1_000
/** The column for amounts beyond 64 bits; tables without amounts do not have it. */
const EXACT = 'exact_units'

export const MINT_EVENTS_AGAIN: EventsAgain = new Map(
  (Object.entries(MINT_FIELDS) as [TapeEvent['type'], Fields][]).map(([type, fields]) => {
    const { name, columns } = TAPE_TABLES[type]
    const own = fieldsOf(fields)
    const hasExact = columns.some((column) => column.name === EXACT)
    return [
      name,
      {
        event: (row): ChainEvent => ({
          type,
          tx: Number(row.value('tx_index')),
          outer: Number(row.value('outer_ix')),
          inner: Number(row.value('inner_ix')),
          ...{ signature: row.value('signature'), timestamp: isTimeless(type, row) ? null : Number(row.value('at')) / SECOND_MS },
          ...own(row, hasExact ? (row.value(EXACT) as ReadonlyMap<string, Amount>) : undefined),
        }),
      },
    ]
  }),
)

/** An event of the alt chain, whose positions have two numbers after the block. */
export const curveEvent = (type: string, row: WireRow, fields: object): ChainEvent => ({
  ...{ type, tx: Number(row.value('tx_index')), outer: Number(row.value('log_index')), inner: NONE },
  ...{ signature: row.value('tx_hash'), mint: row.value('token') },
  ...fields,
})
