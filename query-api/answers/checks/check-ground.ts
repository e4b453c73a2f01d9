// What every compact check stands on: a cursor that holds, a fresh feed, and mints with full live coverage. Else it is refused, unpaid.
import { coverageOf } from '../../../processors/mint/card/moment.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { CurveRow, LaunchRow } from '../../../schemas/types.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { CURSOR_CHARS_MAX, CURSOR_S, MINTS_MAX } from '../../answer-schemas/check.ts'
import {
  type Answer,
  invalid,
  RESTORING_UNPAID,
  RETRY_AFTER_S,
  refusedUnpaid,
  unheardUnpaid,
  unpaidRefusal,
} from '../../questions/bodies.ts'
import { addresses, optionalText, type Param } from '../../questions/params.ts'
import { isStale } from '../feed.ts'
import type { Ask } from '../question.ts'

const MINTS_CHARS_MAX = 224
/** Feed lag above which nothing is checked, seconds. */
export const CHECK_LAG_S_MAX = 5
/** Suggested poll, seconds. */
export const NEXT_CHECK_AFTER_S = 15
const S_PER_H = 3_600
/** So long a watch gives a cursor back as it came: signing another is 7 % of a poll (measured). Of the last one 23 h are left at least. */
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
  /** Its confirmed events. */
  readonly bits: number
}

export type Ground =
  | {
      readonly ok: true
      readonly subjects: readonly Subject[]
      /** What the cursor's holder knows of each; undefined without a cursor. */
      readonly seen: readonly number[] | undefined
      /** The cursor that was sent, while it is young: who knows no more than it says may go on with it. Null: a new one is due. */
      readonly young: string | null
    }
  | { readonly ok: false; readonly refusal: Answer }

/** Judged in this order: the cursor, the feed, the mints. */
export const groundOf = ({ mints, cursor }: CheckInput, ask: Ask): Ground => {
  const { service, look } = ask
  const read = cursor === null ? undefined : service.cursors.read(cursor, mints, look.moment.asOf)
  if (read?.ok === false) return { ok: false, refusal: read.reason === 'expired' ? EXPIRED : foreignCursor(ask, cursor) }
  const refusal = feedRefusal(ask)
  if (refusal !== null) return { ok: false, refusal }
  const subjects: Subject[] = []
  for (const mint of mints) {
    const snapshot = service.options.view.get(mint)
    const head = snapshot?.head
    const reason = head === undefined ? UNSEEN : coverageOf(head, look.moment).reason
    if (snapshot === undefined || reason !== null || head?.launch == null || head.curve === null)
      return { ok: false, refusal: notCovered(mint, reason ?? UNSEEN) }
    const { launch, curve } = head
    subjects.push({ mint, launch, curve, snapshot, bits: service.events.of(head, service.isConfirmed) })
  }
  return { ok: true, subjects, seen: read?.seen, young: read !== undefined && read.ageS < CURSOR_YOUNG_S ? cursor : null }
}

/** Why nothing can be checked now, whatever the mints. */
const feedRefusal = ({ look: { status, feed, unsold } }: Ask): Answer | null => {
  if (!status.ready) return RESTORING_UNPAID
  if (unsold !== null) return unheardUnpaid(unsold)
  return isStale(feed, CHECK_LAG_S_MAX) ? staleFeed(feed.feedLagS) : null
}

/** What was confirmed of the subject at a place that the cursor's holder does not know, as bits; everything without a cursor. */
export const newsOf = ({ bits }: Subject, at: number, seen: readonly number[] | undefined): number => bits & ~(seen?.[at] ?? 0)

/** Whether there is news of any subject; true without a cursor. */
export const hasNews = (subjects: readonly Subject[], seen: readonly number[] | undefined): boolean =>
  seen === undefined || subjects.some((subject, at) => newsOf(subject, at, seen) !== 0)

/** A cursor for who knows so much of the subjects. */
export const cursorFor = ({ service, look }: Ask, subjects: readonly Subject[], known: readonly number[]): string =>
  service.cursors.issue(
    subjects.map(({ mint }) => mint),
    known,
    look.moment.asOf,
  )

export const UNSEEN = 'not observed: no event of this mint was seen'
const FRESH = 'leave the cursor out for a fresh check, or for a new free watch at /v1/check/watch'
const EXPIRED = refusedUnpaid(410, 'cursor_expired', `the cursor is older than ${CURSOR_S / S_PER_H} h: ${FRESH}`)
const FOREIGN_WORDS = `this is no cursor of this service for exactly these mints: ${FRESH}`
const FOREIGN = refusedUnpaid(400, 'invalid_cursor', FOREIGN_WORDS)

const foreignCursor = ({ facts }: Ask, cursor: string | null): Answer =>
  facts.contentStatus === undefined
    ? invalid([{ type: 'foreign_cursor', loc: ['query', 'cursor'], msg: FOREIGN_WORDS, input: cursor }])
    : FOREIGN

const staleFeed = (lagS: number | null): Answer =>
  unpaidRefusal(
    503,
    'feed_stale',
    `the feed is ${lagS} s behind the chain, and checks are made up to ${CHECK_LAG_S_MAX} s; GET /health says how far it is`,
    RETRY_AFTER_S,
  )

const notCovered = (mint: Key, reason: string): Answer =>
  refusedUnpaid(
    404,
    'coverage_missing',
    `${keyText(mint)} lacks full live coverage: ${reason}. GET /v1/check/coverage?mints=${keyText(mint)} tells it, free`,
  )
