// Tables of findings, outcomes and dead letters. A row's version is the offset of its record or retraction: the later record of
// an id wins.
import type { Key } from '../../../schemas/keys.ts'
import { numberIn } from '../../../schemas/position.ts'
import type { Conclusion, DeadLetter } from '../../../schemas/types.ts'
import {
  bool,
  bytes,
  type Column,
  commonKey,
  deleted,
  exactOf,
  type HistoryTable,
  key,
  lowCardinality,
  number,
  seconds,
  text,
  texts,
  time,
  uint32,
  units,
} from './columns.ts'

export type Body<Type extends Conclusion['body']['type']> = Extract<Conclusion['body'], { type: Type }>

/** A conclusion with its offset in the log. */
export interface ConclusionRow<ConclusionBody> {
  /** Offset of its record, or of the retraction. */
  readonly offset: number
  /** Id of the retraction; null if it is not retracted. */
  readonly retractionId: string | null
  readonly conclusion: Omit<Conclusion, 'body'>
  readonly body: ConclusionBody
}
export type FindingRow = ConclusionRow<Body<'finding' | 'shadowFinding'>>
export type OutcomeRow = ConclusionRow<Body<'outcome'>>
export type RoleRow = ConclusionRow<Body<'role'>>
export type ShapeRow = ConclusionRow<Body<'shape'>>

type OfMint = Extract<Conclusion['body'], { mint: Key }>

export const common = <ConclusionBody extends OfMint>(): readonly Column<ConclusionRow<ConclusionBody>>[] => [
  number.of('slot', ({ conclusion }) => conclusion.number),
  uint32.of('tx_index', ({ conclusion }) => conclusion.tx),
  uint32.of('outer_ix', ({ conclusion }) => conclusion.outer),
  uint32.of('inner_ix', ({ conclusion }) => conclusion.inner),
  text.of('hash8', ({ conclusion }) => conclusion.hash8),
  number.of('version', ({ offset }) => offset),
  deleted.of('is_deleted', ({ retractionId }) => retractionId !== null),
  time.of('at', ({ conclusion }) => conclusion.at),
  text.of('id', ({ conclusion }) => conclusion.id),
  key.of('mint', ({ body }) => body.mint),
]

const flagsAt = (name: string): HistoryTable<FindingRow> => ({
  name,
  columns: [
    ...common<Body<'finding' | 'shadowFinding'>>(),
    key.orNull('creator', ({ body }) => body.creator),
    lowCardinality.of('flag', ({ body }) => body.flag),
    lowCardinality.of('detector', ({ body }) => body.detector),
    uint32.of('detector_version', ({ body }) => body.detectorVersion),
    lowCardinality.orNull('detector_hash', ({ body }) => body.detectorHash),
    seconds.orNull('mint_age_s', ({ body }) => body.mintAgeS),
    text.of('evidence', ({ body }) => body.evidence),
    texts.of('events', ({ body }) => body.events),
    text.orNull('retraction_id', ({ retractionId }) => retractionId),
  ],
})
export const FLAGS = flagsAt('flags_log')
export const SHADOW_FLAGS = flagsAt('shadow_flags_log')

export const OUTCOMES: HistoryTable<OutcomeRow> = {
  name: 'outcomes_log',
  columns: [
    ...common<Body<'outcome'>>(),
    key.of('creator', ({ body }) => body.creator),
    time.of('t0', ({ body }) => body.t0),
    number.of('slot0', ({ body }) => body.slot0),
    bool.orNull('graduated', ({ body }) => body.graduated),
    bool.orNull('rugged', ({ body }) => body.rugged),
    lowCardinality.orNull('rug_kind', ({ body }) => body.rugKind),
    seconds.orNull('rug_dt_s', ({ body }) => body.rugDtS),
    units.of('peak_quote_units', ({ body }) => body.peakQuoteUnits),
    units.of('terminal_quote_units', ({ body }) => body.terminalQuoteUnits),
    commonKey.orNull('quote_mint', ({ body }) => body.quoteMint),
    seconds.orNull('dev_first_sell_dt_s', ({ body }) => body.devFirstSellDtS),
    units.of('dev_buy_quote_units', ({ body }) => body.devBuyQuoteUnits),
    number.of('n_trades', ({ body }) => body.trades),
    number.of('n_buyers', ({ body }) => body.buyers),
    bool.of('is_mayhem', ({ body }) => body.mayhem),
    bool.of('self_graduated', ({ body }) => body.selfGraduated),
    lowCardinality.orNull('censored', ({ body }) => body.censored),
    exactOf(({ body }: OutcomeRow) => body, {
      peakQuoteUnits: 'peak_quote_units',
      terminalQuoteUnits: 'terminal_quote_units',
      devBuyQuoteUnits: 'dev_buy_quote_units',
    }),
  ],
}

export const WALLET_ROLES: HistoryTable<RoleRow> = {
  name: 'wallet_roles_log',
  columns: [
    ...common<Body<'role'>>(),
    key.of('wallet', ({ body }) => body.wallet),
    lowCardinality.of('role', ({ body }) => body.role),
    key.orNull('counterpart', ({ body }) => body.counterpart),
    time.of('t0', ({ body }) => body.t0),
    number.of('slot0', ({ body }) => body.slot0),
  ],
}

export const LAUNCH_SHAPES: HistoryTable<ShapeRow> = {
  name: 'launch_shapes_log',
  columns: [
    ...common<Body<'shape'>>(),
    time.of('t0', ({ body }) => body.t0),
    number.of('slot0', ({ body }) => body.slot0),
    bool.of('is_mayhem', ({ body }) => body.mayhem),
    commonKey.orNull('quote_mint', ({ body }) => body.quoteMint),
    units.of('dev_buy_quote_units', ({ body }) => body.devBuyQuoteUnits),
    number.of('n_bundle_wallets', ({ body }) => body.bundleWallets),
    key.of('prior_of', ({ body }) => body.priorOf),
    number.of('prior_n_launches', ({ body }) => body.priorLaunches),
    number.of('prior_n_resolved', ({ body }) => body.priorResolved),
    number.of('prior_n_graduated', ({ body }) => body.priorGraduated),
    number.of('prior_n_rugged', ({ body }) => body.priorRugged),
    time.of('prior_observed_since', ({ body }) => body.priorObservedSince),
    exactOf(({ body }: ShapeRow) => body, { devBuyQuoteUnits: 'dev_buy_quote_units' }),
  ],
}

export interface DeadLetterRow {
  readonly offset: number
  readonly deadLetter: DeadLetter
  readonly isGone: boolean
}

/** Limit of the raw bytes; the log keeps all of them for its retention. */
const DEAD_LETTER_BYTES_MAX = 64 * 1024

export const DEAD_LETTERS: HistoryTable<DeadLetterRow> = {
  name: 'dead_letters_log',
  columns: [
    text.of('id', ({ deadLetter }) => deadLetter.id),
    number.of('version', ({ offset }) => offset),
    deleted.of('is_deleted', ({ isGone }) => isGone),
    number.orNull('slot', ({ deadLetter }) => numberIn(deadLetter.position) ?? null),
    text.of('position', ({ deadLetter }) => deadLetter.position),
    text.of('hash8', ({ deadLetter }) => deadLetter.hash8),
    text.orNull('signature', ({ deadLetter }) => deadLetter.signature),
    lowCardinality.of('processor', ({ deadLetter }) => deadLetter.processor),
    uint32.of('processor_version', ({ deadLetter }) => deadLetter.version),
    lowCardinality.of('code', ({ deadLetter }) => deadLetter.code),
    text.of('reason', ({ deadLetter }) => deadLetter.reason),
    number.of('size_bytes', ({ deadLetter }) => deadLetter.bytes.length),
    bytes.of('bytes', ({ deadLetter }) => deadLetter.bytes.subarray(0, DEAD_LETTER_BYTES_MAX)),
  ],
}
