// The table of each event type of the alt chain's tape: one row per event. Amounts are exact, in base units.
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AltTapeEvent } from '../../../schemas/types.ts'
import {
  address,
  bool,
  type Column,
  commonAddress,
  deleted,
  type HistoryTable,
  lowCardinality,
  number,
  text,
  texts,
  time,
  txHash,
  uint32,
  wei,
} from './columns.ts'
import type { EventRow } from './tape-tables.ts'

type Of<Type extends AltTapeEvent['type']> = Extract<AltTapeEvent, { type: Type }>
type Columns<Event> = readonly Column<EventRow<Event>>[]

/** Position, branch and version, then the fields common to all events. */
const common = <Event extends AltTapeEvent>(): Columns<Event> => [
  number.of('block', ({ batch }) => batch.number),
  uint32.of('tx_index', ({ event }) => event.tx),
  uint32.of('log_index', ({ event }) => event.outer),
  text.of('hash8', ({ batch }) => batch.hash8),
  number.of('version', ({ row }) => row.version),
  deleted.of('is_deleted', ({ row }) => row.isDeleted),
  time.of('tick_at', ({ batch }) => batch.time),
  txHash.of('tx_hash', ({ event }) => event.signature),
  address.of('token', ({ event }) => event.mint),
]
const curve = <Event extends { readonly bondingCurve: Key }>(): Column<EventRow<Event>> =>
  address.of('curve', ({ event }) => event.bondingCurve)
const curveOrNull = <Event extends { readonly bondingCurve: Key | null }>(): Column<EventRow<Event>> =>
  address.orNull('curve', ({ event }) => event.bondingCurve)
const pair = <Event extends { readonly quoteMint: Key | null }>(): Column<EventRow<Event>> =>
  commonAddress.orNull('pair_token', ({ event }) => event.quoteMint)
const caller = <Event extends { readonly txFrom: Key | null; readonly txTo: Key | null; readonly route: string }>(): Columns<Event> => [
  address.orNull('tx_from', ({ event }) => event.txFrom),
  address.orNull('tx_to', ({ event }) => event.txTo),
  lowCardinality.of('route', ({ event }) => event.route),
]
const amounts = <Event extends { readonly tokenUnits: Amount; readonly quoteUnits: Amount }>(): Columns<Event> => [
  wei.of('token_units', ({ event }) => event.tokenUnits),
  wei.of('quote_units', ({ event }) => event.quoteUnits),
]
const table = <Type extends AltTapeEvent['type']>(name: string, columns: Columns<Of<Type>>): HistoryTable<EventRow<Of<Type>>> => ({
  name,
  columns: [...common<Of<Type>>(), ...columns],
})

/** Rare events share one table: columns that an event type lacks are null. */
interface RareEvent {
  readonly kind: string
  readonly account: Key | null
  readonly creatorAccount: Key | null
  readonly tokenUnits: Amount | null
  readonly quoteUnits: Amount | null
  readonly buybackUnits: Amount | null
  readonly creatorUnits: Amount | null
  readonly gasRemaining: Amount | null
}
type Rare = Of<'sweep' | 'feesSwept' | 'snipeExemption' | 'graduationFailed' | 'rescue'>

const NOTHING = { account: null, creatorAccount: null, tokenUnits: null, quoteUnits: null, buybackUnits: null, creatorUnits: null }
const rareOf = (event: Rare): RareEvent => {
  const nothing = { ...NOTHING, gasRemaining: null }
  switch (event.type) {
    case 'sweep':
      return {
        ...nothing,
        kind: event.isForced ? 'LaunchForceSwept' : 'LaunchSwept',
        tokenUnits: event.tokenUnits,
        quoteUnits: event.quoteUnits,
      }
    case 'feesSwept': {
      const { protocolUnits: quoteUnits, buybackUnits, creatorUnits } = event
      return { ...nothing, kind: 'FeesSwept', quoteUnits, buybackUnits, creatorUnits }
    }
    case 'snipeExemption':
      return { ...nothing, kind: 'SnipeTaxExempted', account: event.account }
    case 'graduationFailed':
      return { ...nothing, kind: 'AutoGraduationFailed', gasRemaining: event.gasRemaining }
    case 'rescue': {
      const { kind, recipient: account, creatorRecipient: creatorAccount, tokenUnits, quoteUnits, creatorUnits } = event
      return { ...nothing, kind, account, creatorAccount, tokenUnits, quoteUnits, creatorUnits }
    }
  }
}

const CURVE_EVENTS: HistoryTable<EventRow<Rare>> = {
  name: 'alt_curve_events_log',
  columns: [
    ...common<Rare>(),
    curveOrNull<Rare>(),
    lowCardinality.of('kind', ({ event }) => rareOf(event).kind),
    address.orNull('account', ({ event }) => rareOf(event).account),
    address.orNull('creator_account', ({ event }) => rareOf(event).creatorAccount),
    wei.orNull('token_units', ({ event }) => rareOf(event).tokenUnits),
    wei.orNull('quote_units', ({ event }) => rareOf(event).quoteUnits),
    wei.orNull('buyback_units', ({ event }) => rareOf(event).buybackUnits),
    wei.orNull('creator_units', ({ event }) => rareOf(event).creatorUnits),
    wei.orNull('gas_remaining', ({ event }) => rareOf(event).gasRemaining),
  ],
}

/** Keyed by event type. */
export const CURVE_EVENT_TABLES: { readonly [Type in AltTapeEvent['type']]: HistoryTable<EventRow<Of<Type>>> } = {
  launch: table<'launch'>('alt_launches_log', [
    curve(),
    address.of('deployer', ({ event }) => event.creator),
    address.orNull('launcher', ({ event }) => event.launcher),
    ...caller<Of<'launch'>>(),
    pair(),
    uint32.orNull('pair_decimals', ({ event }) => event.quoteDecimals),
    text.orNull('pair_decimals_reason', ({ event }) => event.quoteDecimalsReason),
    wei.of('config_id', ({ event }) => event.configId),
    wei.of('threshold_units', ({ event }) => event.thresholdUnits),
    wei.of('virtual_quote_units', ({ event }) => event.virtualQuoteUnits),
    wei.orNull('supply_units', ({ event }) => event.supplyUnits),
    texts.of('snipe_exempt', ({ event }) => event.exempt.map((one) => `0x${Buffer.from(one, 'latin1').toString('hex')}`)),
  ]),
  trade: table<'trade'>('alt_trades_log', [
    curve(),
    pair(),
    bool.of('is_buy', ({ event }) => event.isBuy),
    address.of('user', ({ event }) => event.user),
    address.of('recipient', ({ event }) => event.recipient),
    address.orNull('wallet', ({ event }) => event.wallet),
    lowCardinality.orNull('wallet_by', ({ event }) => event.walletBy),
    ...caller<Of<'trade'>>(),
    ...amounts<Of<'trade'>>(),
    wei.of('user_quote_units', ({ event }) => event.userQuoteUnits),
    wei.of('fee_units', ({ event }) => event.feeUnits),
    wei.of('creator_fee_units', ({ event }) => event.creatorFeeUnits),
    wei.of('snipe_tax_units', ({ event }) => event.snipeTaxUnits),
  ]),
  complete: table<'complete'>('alt_completions_log', [
    curve(),
    pair(),
    address.of('recipient', ({ event }) => event.recipient),
    ...amounts<Of<'complete'>>(),
    wei.orNull('swept_token_units', ({ event }) => event.sweptTokenUnits),
    wei.orNull('swept_quote_units', ({ event }) => event.sweptQuoteUnits),
  ]),
  migrate: table<'migrate'>('alt_migrations_log', [
    curveOrNull(),
    wei.of('position_id', ({ event }) => event.positionId),
    text.orNull('pool_id', ({ event }) => event.poolId),
    ...amounts<Of<'migrate'>>(),
  ]),
  refund: table<'refund'>('alt_refunds_log', [
    curve(),
    pair(),
    address.of('user', ({ event }) => event.user),
    wei.of('quote_units', ({ event }) => event.quoteUnits),
  ]),
  buyback: table<'buyback'>('alt_buybacks_log', [curve(), pair(), ...amounts<Of<'buyback'>>()]),
  tokenTransfer: table<'tokenTransfer'>('alt_transfers_log', [
    address.of('sender', ({ event }) => event.sender),
    address.of('recipient', ({ event }) => event.recipient),
    wei.of('token_units', ({ event }) => event.tokenUnits),
  ]),
  ...{ sweep: CURVE_EVENTS, feesSwept: CURVE_EVENTS, snipeExemption: CURVE_EVENTS, graduationFailed: CURVE_EVENTS, rescue: CURVE_EVENTS },
}
