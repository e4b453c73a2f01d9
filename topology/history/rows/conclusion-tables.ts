// Tables of findings, outcomes and dead letters. A row's version is the offset of its record or retraction: the later record of
// an id wins.
import type { Key } from '../../../schemas/keys.ts'
import { numberIn } from '../../../schemas/position.ts'
import type { Conclusion, DeadLetter } from '../../../schemas/types.ts'
import {
  bytes,
  type Column,
  commonKey,
  deleted,
  exactOf,
  type HistoryTable,
  isSo,
  key,
  number,
  place,
  seconds,
  text,
  texts,
  time,
  units,
  word,
} from './columns.ts'

export type Body<Type extends Conclusion['body']['type']> = Extract<Conclusion['body'], { type: Type }>

/** A conclusion with its place in the log. */
export interface ConclusionRow<ConclusionBody> {
  /** Offset of its record, or of the retraction. */
  readonly offset: number
  /** Id of the retraction; null if it is not retracted. */
  readonly retractionId: string | null
  readonly said: Omit<Conclusion, 'body'>
  readonly body: ConclusionBody
}
export type FindingRow = ConclusionRow<Body<'finding' | 'shadowFinding'>>
export type OutcomeRow = ConclusionRow<Body<'outcome'>>
export type RoleRow = ConclusionRow<Body<'role'>>
export type ShapeRow = ConclusionRow<Body<'shape'>>

type OfMint = Extract<Conclusion['body'], { mint: Key }>

export const common = <ConclusionBody extends OfMint>(): readonly Column<ConclusionRow<ConclusionBody>>[] => [
  number.of('slot', ({ said }) => said.number),
  place.of('tx_index', ({ said }) => said.tx),
  place.of('outer_ix', ({ said }) => said.outer),
  place.of('inner_ix', ({ said }) => said.inner),
  text.of('hash8', ({ said }) => said.hash8),
  number.of('version', ({ offset }) => offset),
  deleted.of('is_deleted', ({ retractionId }) => retractionId !== null),
  time.of('at', ({ said }) => said.at),
  text.of('id', ({ said }) => said.id),
  key.of('mint', ({ body }) => body.mint),
]

const flagsAt = (name: string): HistoryTable<FindingRow> => ({
  name,
  columns: [
    ...common<Body<'finding' | 'shadowFinding'>>(),
    key.orNull('creator', ({ body }) => body.creator),
    word.of('flag', ({ body }) => body.flag),
    word.of('detector', ({ body }) => body.detector),
    place.of('detector_version', ({ body }) => body.detectorVersion),
    word.orNull('detector_hash', ({ body }) => body.detectorHash),
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
    isSo.orNull('graduated', ({ body }) => body.graduated),
    isSo.orNull('rugged', ({ body }) => body.rugged),
    word.orNull('rug_kind', ({ body }) => body.rugKind),
    seconds.orNull('rug_dt_s', ({ body }) => body.rugDtS),
    units.of('peak_quote_units', ({ body }) => body.peakQuoteUnits),
    units.of('terminal_quote_units', ({ body }) => body.terminalQuoteUnits),
    commonKey.orNull('quote_mint', ({ body }) => body.quoteMint),
    seconds.orNull('dev_first_sell_dt_s', ({ body }) => body.devFirstSellDtS),
    units.of('dev_buy_quote_units', ({ body }) => body.devBuyQuoteUnits),
    number.of('n_trades', ({ body }) => body.trades),
    number.of('n_buyers', ({ body }) => body.buyers),
    isSo.of('is_mayhem', ({ body }) => body.mayhem),
    isSo.of('self_graduated', ({ body }) => body.selfGraduated),
    word.orNull('censored', ({ body }) => body.censored),
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
    word.of('role', ({ body }) => body.role),
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
    isSo.of('is_mayhem', ({ body }) => body.mayhem),
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
  readonly letter: DeadLetter
  readonly isGone: boolean
}

/** Limit of the raw bytes; the log keeps all of them for its retention. */
const LETTER_BYTES_MAX = 64 * 1024

export const DEAD_LETTERS: HistoryTable<DeadLetterRow> = {
  name: 'dead_letters_log',
  columns: [
    text.of('id', ({ letter }) => letter.id),
    number.of('version', ({ offset }) => offset),
    deleted.of('is_deleted', ({ isGone }) => isGone),
    number.orNull('slot', ({ letter }) => numberIn(letter.position) ?? null),
    text.of('position', ({ letter }) => letter.position),
    text.of('hash8', ({ letter }) => letter.hash8),
    text.orNull('signature', ({ letter }) => letter.signature),
    word.of('processor', ({ letter }) => letter.processor),
    place.of('processor_version', ({ letter }) => letter.version),
    word.of('code', ({ letter }) => letter.code),
    text.of('reason', ({ letter }) => letter.reason),
    number.of('size_bytes', ({ letter }) => letter.bytes.length),
    bytes.of('bytes', ({ letter }) => letter.bytes.subarray(0, LETTER_BYTES_MAX)),
  ],
}
