// The preconditions of compact checks: a valid cursor, a fresh feed, and mints with full live coverage. A check that fails one is refused
// without charge.
import { coverageOf } from '../../../processors/mint/card/moment.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { CurveRow, LaunchRow } from '../../../schemas/types.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { CURSOR_CHARS_MAX, CURSOR_S, MINTS_MAX } from '../../answer-schemas/check.ts'
import {
  type Answer,
  feedUnavailableUnpaid,
  invalid,
  RESTORING_UNPAID,
  RETRY_AFTER_S,
  refusedForNow,
  refusedUnpaid,
} from '../../questions/bodies.ts'
import { addresses, optionalText, type Param } from '../../questions/params.ts'
import { isStale } from '../feed.ts'
import type { RequestContext } from '../question.ts'

const MINTS_CHARS_MAX = 224
/** Feed lag above which checks are refused, seconds. */
export const CHECK_LAG_S_MAX = 5
/** Suggested poll, seconds. */
export const NEXT_CHECK_AFTER_S = 15
const S_PER_H = 3_600
/** A watch returns cursors younger than this unchanged: signing takes 7 % of a poll (measured). At least 23 h of validity remain. */
const CURSOR_YOUNG_S = S_PER_H

export const mintsParam: Param<readonly Key[]> = addresses({
  itemsMax: MINTS_MAX,
  charsMax: MINTS_CHARS_MAX,
  doc: `Token addresses: base58, 1 to ${MINTS_MAX} distinct ones`,
})
export const cursorParam = (doc: string): Param<string | null> => optionalText({ charsMax: CURSOR_CHARS_MAX, doc })

export interface CheckInput {
  readonly mints: readonly Key[]
  readonly cursor: string | null
}

/** A mint that can be checked. */
export interface Subject {
  readonly mint: Key
  readonly launch: LaunchRow
  readonly curve: CurveRow
  /** Holders are decoded only for a check that is shown: watches and refusals are free. */
  readonly snapshot: MintSnapshot
  /** Its confirmed events, as bits. */
  readonly bits: number
}

export type CheckInputs =
  | {
      readonly ok: true
      readonly subjects: readonly Subject[]
      /** The events of each mint that the cursor covers; undefined without a cursor. */
      readonly seen: readonly number[] | undefined
      /** The cursor that was sent if it is young enough to be returned unchanged; else null. */
      readonly young: string | null
    }
  | { readonly ok: false; readonly refusal: Answer }

/** Checks the cursor, the feed and the mints, in this order. */
export const checkInputsOf = ({ mints, cursor }: CheckInput, ask: RequestContext): CheckInputs => {
  const { service, instant } = ask
  const read = cursor === null ? undefined : service.cursors.read(cursor, mints, instant.moment.asOf)
  if (read?.ok === false) return { ok: false, refusal: read.reason === 'expired' ? EXPIRED : foreignCursor(ask, cursor) }
  const refusal = feedRefusal(ask)
  if (refusal !== null) return { ok: false, refusal }
  const subjects: Subject[] = []
  for (const mint of mints) {
    const snapshot = service.options.view.get(mint)
    const head = snapshot?.head
    const reason = head === undefined ? UNSEEN : coverageOf(head, instant.moment).reason
    if (snapshot === undefined || reason !== null || head?.launch == null || head.curve === null)
      return { ok: false, refusal: notCovered(mint, reason ?? UNSEEN) }
    const { launch, curve } = head
    subjects.push({ mint, launch, curve, snapshot, bits: service.events.of(head, service.isConfirmed) })
  }
  return { ok: true, subjects, seen: read?.seen, young: read !== undefined && read.ageS < CURSOR_YOUNG_S ? cursor : null }
}

/** The refusal if no mint can be checked now. */
const feedRefusal = ({ instant: { status, feed, unsold } }: RequestContext): Answer | null => {
  if (!status.ready) return RESTORING_UNPAID
  if (unsold !== null) return feedUnavailableUnpaid(unsold)
  return isStale(feed, CHECK_LAG_S_MAX) ? staleFeed(feed.feedLagS) : null
}

/** Confirmed events of the subject that the cursor does not cover, as bits; all events without a cursor. @param at the subject's index. */
export const newsOf = ({ bits }: Subject, at: number, seen: readonly number[] | undefined): number => bits & ~(seen?.[at] ?? 0)

/** Whether any subject has new events; true without a cursor. */
export const hasNews = (subjects: readonly Subject[], seen: readonly number[] | undefined): boolean =>
  seen === undefined || subjects.some((subject, at) => newsOf(subject, at, seen) !== 0)

/** A cursor that covers the events `known` of the subjects. */
export const cursorFor = ({ service, instant }: RequestContext, subjects: readonly Subject[], known: readonly number[]): string =>
  service.cursors.issue(
    subjects.map(({ mint }) => mint),
    known,
    instant.moment.asOf,
  )

export const UNSEEN = 'not observed: no event of this mint was received'
const FRESH = 'omit the cursor for a fresh check, or start a new free watch at /v1/check/watch'
const EXPIRED = refusedUnpaid(410, 'cursor_expired', `the cursor is older than ${CURSOR_S / S_PER_H} h: ${FRESH}`)
const FOREIGN_TEXT = `this is not a cursor of this service for exactly these mints: ${FRESH}`
const FOREIGN = refusedUnpaid(400, 'invalid_cursor', FOREIGN_TEXT)

const foreignCursor = ({ facts }: RequestContext, cursor: string | null): Answer =>
  facts.contentStatus === undefined
    ? invalid([{ type: 'foreign_cursor', loc: ['query', 'cursor'], msg: FOREIGN_TEXT, input: cursor }])
    : FOREIGN

const staleFeed = (lagS: number | null): Answer =>
  refusedForNow(
    503,
    'feed_stale',
    `the feed is ${lagS} s behind the chain, and the limit of checks is ${CHECK_LAG_S_MAX} s; GET /health reports the lag`,
    RETRY_AFTER_S,
  )

const notCovered = (mint: Key, reason: string): Answer =>
  refusedUnpaid(
    404,
    'coverage_missing',
    `${keyText(mint)} lacks full live coverage: ${reason}. GET /v1/check/coverage?mints=${keyText(mint)} reports coverage, free`,
  )
