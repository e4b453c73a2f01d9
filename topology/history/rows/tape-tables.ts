// The table of each event type of the tape and its columns: one row per event.
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { TapeEvent } from '../../../schemas/types.ts'
import {
  bool,
  type Column,
  commonKey,
  deleted,
  exactOf,
  type HistoryTable,
  key,
  lowCardinality,
  number,
  seconds,
  signature,
  text,
  time,
  uint32,
  units,
} from './columns.ts'
import type { FrameOf, RowVersion } from './frame-tables.ts'

/** An event with its frame. */
export interface EventRow<Event> {
  readonly batch: FrameOf
  readonly event: Event
  readonly row: RowVersion
}
type Of<Type extends TapeEvent['type']> = Extract<TapeEvent, { type: Type }>
type Columns<Type extends TapeEvent['type']> = readonly Column<EventRow<Of<Type>>>[]

/**
 * Position, branch and version (of the frame, or of the fork that rolled it back, so that a later version of the same event wins),
 * then the fields common to all events.
 */
const common = <Event extends TapeEvent>(): readonly Column<EventRow<Event>>[] => [
  number.of('slot', ({ batch }) => batch.number),
  uint32.of('tx_index', ({ event }) => event.tx),
  uint32.of('outer_ix', ({ event }) => event.outer),
  uint32.of('inner_ix', ({ event }) => event.inner),
  text.of('hash8', ({ batch }) => batch.hash8),
  number.of('version', ({ row }) => row.version),
  deleted.of('is_deleted', ({ row }) => row.isDeleted),
  time.of('tick_at', ({ batch }) => batch.time),
  time.of('at', ({ event, batch }) => event.timestamp ?? batch.time),
  signature.of('signature', ({ event }) => event.signature),
]

const mint = <Event extends { readonly mint: Key }>(): Column<EventRow<Event>> => key.of('mint', ({ event }) => event.mint)

const quoteMint = <Event extends { readonly quoteMint: Key | null }>(): Column<EventRow<Event>> =>
  commonKey.orNull('quote_mint', ({ event }) => event.quoteMint)
const user = <Event extends { readonly user: Key }>(): Column<EventRow<Event>> => key.of('user', ({ event }) => event.user)
const pool = <Event extends { readonly pool: Key }>(): Column<EventRow<Event>> => key.of('pool', ({ event }) => event.pool)
const amounts = <Event extends { readonly tokenUnits: Amount; readonly quoteUnits: Amount }>(): readonly Column<EventRow<Event>>[] => [
  units.of('token_units', ({ event }) => event.tokenUnits),
  units.of('quote_units', ({ event }) => event.quoteUnits),
]
const eventOf = <Event>({ event }: EventRow<Event>): Event => event
const table = <Type extends Exclude<TapeEvent['type'], 'transfer'>>(
  name: string,
  columns: Columns<Type>,
): HistoryTable<EventRow<Of<Type>>> => ({
  name,
  columns: [...common<Of<Type>>(), mint<Of<Type>>(), ...columns],
})

/** Keyed by event type. */
export const TAPE_TABLES: { readonly [Type in TapeEvent['type']]: HistoryTable<EventRow<Of<Type>>> } = {
  launch: table<'launch'>('launches_log', [
    user(),
    key.of('creator', ({ event }) => event.creator),
    bool.of('is_creator_wallet', ({ event }) => event.creatorIsWallet),
    key.of('bonding_curve', ({ event }) => event.bondingCurve),
    text.of('name', ({ event }) => event.name),
    text.of('symbol', ({ event }) => event.symbol),
    text.of('uri', ({ event }) => event.uri),
    commonKey.orNull('token_program', ({ event }) => event.tokenProgram),
    bool.of('is_mayhem', ({ event }) => event.mayhem),
    bool.of('is_cashback', ({ event }) => event.cashback),
    quoteMint(),
    units.orNull('virtual_token_units', ({ event }) => event.virtualTokenUnits),
    units.orNull('virtual_quote_units', ({ event }) => event.virtualQuoteUnits),
    units.orNull('real_token_units', ({ event }) => event.realTokenUnits),
    units.orNull('supply_units', ({ event }) => event.supplyUnits),
    lowCardinality.of('layout', ({ event }) => event.layout),
    exactOf(eventOf<Of<'launch'>>, {
      virtualTokenUnits: 'virtual_token_units',
      virtualQuoteUnits: 'virtual_quote_units',
      realTokenUnits: 'real_token_units',
      supplyUnits: 'supply_units',
    }),
  ]),
  trade: table<'trade'>('trades_log', [
    user(),
    bool.of('is_buy', ({ event }) => event.isBuy),
    bool.of('is_agent', ({ event }) => event.isAgent),
    bool.of('is_mayhem', ({ event }) => event.mayhem),
    quoteMint(),
    ...amounts<Of<'trade'>>(),
    units.orNull('fee_units', ({ event }) => event.feeUnits),
    units.orNull('creator_fee_units', ({ event }) => event.creatorFeeUnits),
    units.of('virtual_quote_units', ({ event }) => event.virtualQuoteUnits),
    units.of('virtual_token_units', ({ event }) => event.virtualTokenUnits),
    units.orNull('real_quote_units', ({ event }) => event.realQuoteUnits),
    units.orNull('real_token_units', ({ event }) => event.realTokenUnits),
    key.orNull('creator', ({ event }) => event.creator),
    lowCardinality.of('layout', ({ event }) => event.layout),
    exactOf(eventOf<Of<'trade'>>, {
      tokenUnits: 'token_units',
      quoteUnits: 'quote_units',
      feeUnits: 'fee_units',
      creatorFeeUnits: 'creator_fee_units',
      virtualQuoteUnits: 'virtual_quote_units',
      virtualTokenUnits: 'virtual_token_units',
      realQuoteUnits: 'real_quote_units',
      realTokenUnits: 'real_token_units',
    }),
  ]),
  complete: table<'complete'>('completions_log', [user(), key.of('bonding_curve', ({ event }) => event.bondingCurve), quoteMint()]),
  postCompleteBuy: table<'postCompleteBuy'>('post_complete_buys_log', [
    user(),
    quoteMint(),
    ...amounts<Of<'postCompleteBuy'>>(),
    units.of('pool_token_units_after', ({ event }) => event.poolTokenUnitsAfter),
    units.of('pool_quote_units_after', ({ event }) => event.poolQuoteUnitsAfter),
    exactOf(eventOf<Of<'postCompleteBuy'>>, {
      tokenUnits: 'token_units',
      quoteUnits: 'quote_units',
      poolTokenUnitsAfter: 'pool_token_units_after',
      poolQuoteUnitsAfter: 'pool_quote_units_after',
    }),
  ]),
  migrate: table<'migrate'>('migrations_log', [
    user(),
    key.of('bonding_curve', ({ event }) => event.bondingCurve),
    pool(),
    quoteMint(),
    ...amounts<Of<'migrate'>>(),
    units.of('fee_units', ({ event }) => event.feeUnits),
    exactOf(eventOf<Of<'migrate'>>, { tokenUnits: 'token_units', quoteUnits: 'quote_units', feeUnits: 'fee_units' }),
  ]),
  poolCreate: table<'poolCreate'>('pools_log', [
    pool(),
    key.of('creator', ({ event }) => event.creator),
    seconds.of('pool_index', ({ event }) => event.index),
    bool.of('is_coin_base', ({ event }) => event.coinIsBase),
    quoteMint(),
    ...amounts<Of<'poolCreate'>>(),
    bool.of('is_mayhem', ({ event }) => event.mayhem),
    exactOf(eventOf<Of<'poolCreate'>>, { tokenUnits: 'token_units', quoteUnits: 'quote_units' }),
  ]),
  poolTrade: table<'poolTrade'>('pool_trades_log', [
    pool(),
    user(),
    bool.of('is_buy', ({ event }) => event.isBuy),
    bool.of('is_agent', ({ event }) => event.isAgent),
    bool.of('is_coin_base', ({ event }) => event.coinIsBase),
    quoteMint(),
    ...amounts<Of<'poolTrade'>>(),
    units.of('user_quote_units', ({ event }) => event.userQuoteUnits),
    units.of('pool_token_units', ({ event }) => event.poolTokenUnits),
    units.of('pool_quote_units', ({ event }) => event.poolQuoteUnits),
    units.orNull('virtual_quote_units', ({ event }) => event.virtualQuoteUnits),
    units.of('pool_fee_units', ({ event }) => event.poolFeeUnits),
    exactOf(eventOf<Of<'poolTrade'>>, {
      tokenUnits: 'token_units',
      quoteUnits: 'quote_units',
      userQuoteUnits: 'user_quote_units',
      poolTokenUnits: 'pool_token_units',
      poolQuoteUnits: 'pool_quote_units',
      virtualQuoteUnits: 'virtual_quote_units',
      poolFeeUnits: 'pool_fee_units',
    }),
  ]),
  poolLiquidity: table<'poolLiquidity'>('pool_liquidity_log', [
    pool(),
    user(),
    bool.of('is_deposit', ({ event }) => event.isDeposit),
    bool.of('is_coin_base', ({ event }) => event.coinIsBase),
    quoteMint(),
    ...amounts<Of<'poolLiquidity'>>(),
    units.of('pool_token_units', ({ event }) => event.poolTokenUnits),
    units.of('pool_quote_units', ({ event }) => event.poolQuoteUnits),
    exactOf(eventOf<Of<'poolLiquidity'>>, {
      tokenUnits: 'token_units',
      quoteUnits: 'quote_units',
      poolTokenUnits: 'pool_token_units',
      poolQuoteUnits: 'pool_quote_units',
    }),
  ]),
  poolBoost: table<'poolBoost'>('pool_boosts_log', [
    pool(),
    units.of('virtual_quote_units', ({ event }) => event.virtualQuoteUnits),
    units.of('real_quote_units_after', ({ event }) => event.realQuoteUnitsAfter),
    exactOf(eventOf<Of<'poolBoost'>>, { virtualQuoteUnits: 'virtual_quote_units', realQuoteUnitsAfter: 'real_quote_units_after' }),
  ]),
  creatorChange: table<'creatorChange'>('creator_changes_log', [
    key.of('creator', ({ event }) => event.creator),
    lowCardinality.of('kind', ({ event }) => event.kind),
  ]),
  mayhemReserves: table<'mayhemReserves'>('mayhem_reserves_log', [
    units.of('virtual_token_units', ({ event }) => event.virtualTokenUnits),
    units.of('virtual_quote_units', ({ event }) => event.virtualQuoteUnits),
    units.of('real_token_units', ({ event }) => event.realTokenUnits),
    units.of('real_quote_units', ({ event }) => event.realQuoteUnits),
    exactOf(eventOf<Of<'mayhemReserves'>>, {
      virtualTokenUnits: 'virtual_token_units',
      virtualQuoteUnits: 'virtual_quote_units',
      realTokenUnits: 'real_token_units',
      realQuoteUnits: 'real_quote_units',
    }),
  ]),
  missingEvent: table<'missingEvent'>('missing_events_log', [lowCardinality.of('call', ({ event }) => event.call)]),
  balance: table<'balance'>('transfers_log', [
    key.of('owner', ({ event }) => event.owner),
    units.of('units', ({ event }) => event.units),
    bool.of('is_traded', ({ event }) => event.traded),
    bool.of('is_wallet', ({ event }) => event.isWallet),
    bool.of('is_from_wallets', ({ event }) => event.fromWallets),
    key.orNull('sender', ({ event }) => event.sender),
    exactOf(eventOf<Of<'balance'>>, { units: 'units' }),
  ]),
  transfer: {
    name: 'funding_log',
    columns: [
      ...common<Of<'transfer'>>(),
      key.of('funder', ({ event }) => event.funder),
      key.of('wallet', ({ event }) => event.wallet),
      units.of('amount_lamports', ({ event }) => event.amountLamports),
      exactOf(eventOf<Of<'transfer'>>, { amountLamports: 'amount_lamports' }),
    ],
  },
}
