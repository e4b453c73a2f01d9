// `/v1/launches/since`: every covered launch after a time or cursor, oldest first, each once.

import { coverageOf } from '../../../processors/mint/card/moment.ts'
import { verdictOf } from '../../../processors/mint/card/verdict.ts'
import { KEEP_S } from '../../../processors/mint/thresholds.ts'
import { keyText } from '../../../schemas/keys.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { CURSOR_CHARS_MAX, CURSOR_S } from '../../answer-schemas/check.ts'
import { type Answer, invalidUnpaid, refusedForNow, refusedUnpaid } from '../../questions/bodies.ts'
import { integer, number, type Param } from '../../questions/params.ts'
import { withFinality } from '../cards/finality-text.ts'
import { missingOf } from '../market/missing.ts'
import { aheadProblem, NOT_AHEAD } from '../moments.ts'
import { enveloped, type RequestContext } from '../question.ts'
import { probabilitiesOf } from '../ranked/probabilities.ts'
import type { Instant, Service } from '../service.ts'
import { before, canGoOn, type PlacedLaunch, pageOf, type Reached } from './page-of.ts'

const ITEMS_MAX = 100
/** Suggested time until new launches are confirmed, seconds. */
const NEXT_CHECK_AFTER_S = 5
const S_PER_H = 3_600

type Since = { readonly second: number } | { readonly cursor: string }

const DOC = `Unix seconds, ${NOT_AHEAD}, or the next_cursor of an earlier answer. Seconds: launches at that time or later, of the last ${KEEP_S / S_PER_H} h; 0 starts with the oldest kept launch.`
const SECONDS = number({ min: 0, fallback: 0, doc: DOC })
const LOOKS_LIKE_NUMBER = /^[+-]?[\d.]{1,20}(e[+-]?\d{1,3})?$/i
const CURSOR = /^[A-Za-z0-9_-]+$/

const sinceParam: Param<Since> = {
  schema: { type: 'string', minLength: 1, maxLength: CURSOR_CHARS_MAX, description: DOC },
  parse: (text) => {
    if (text.length > CURSOR_CHARS_MAX)
      return { ok: false, problem: { type: 'string_too_long', msg: `String should have at most ${CURSOR_CHARS_MAX} characters` } }
    if (LOOKS_LIKE_NUMBER.test(text)) {
      const second = SECONDS.parse(text)
      return second.ok ? { ok: true, value: { second: second.value } } : second
    }
    return CURSOR.test(text)
      ? { ok: true, value: { cursor: text } }
      : { ok: false, problem: { type: 'since_parsing', msg: 'Input should be unix seconds, or the next_cursor of an earlier answer' } }
  },
}

export const sinceParams = {
  since: sinceParam,
  limit: integer({ min: 1, max: ITEMS_MAX, fallback: ITEMS_MAX, doc: 'Maximum number of launches.' }),
}
interface Input {
  readonly since: Since
  readonly limit: number
}

export const sincePrecheck = ({ since }: Input, ask: RequestContext): Answer | null => {
  const reached = reachedBy(since, ask)
  return 'status' in reached ? reached : null
}

export const sinceCoverage = ({ since }: Input, ask: RequestContext): 'full' | 'thin' | null => {
  const reached = reachedBy(since, ask)
  if ('status' in reached) return null
  return missingOf(ask.instant, Math.max(reached.at, keptFrom(ask.instant)), '') === null ? 'full' : 'thin'
}

export const answerSince = ({ since, limit }: Input, ask: RequestContext): Answer => {
  const { service, instant } = ask
  const reached = reachedBy(since, ask)
  if ('status' in reached) return reached
  const from = keptFrom(instant)
  const page = pageOf(launchesBehind(reached, service, instant), reached, {
    limit,
    from,
    ...finalOf(service, instant),
    isGivable: givable(ask),
  })
  const missing = missingOf(instant, Math.max(reached.at, from), 'launches')
  const cursor = service.sinceCursors.issue(page.next, instant.moment.asOf)
  const head = { count: page.items.length, next_cursor: cursor, has_more: page.hasMore }
  const tail = {
    next_check_after_s: page.hasMore ? 0 : NEXT_CHECK_AFTER_S,
    window_from: from,
    ...(reached.at < from && { cut_reason: CUT }),
    n_not_covered: page.notCovered,
    ...missing,
  }
  const items = page.items.map(({ snapshot }) => itemText(snapshot, ask))
  return enveloped(ask, {
    coverage: missing === null ? 'full' : 'thin',
    data: `${JSON.stringify(head).slice(0, -1)},"items":[${items.join(',')}],${JSON.stringify(tail).slice(1)}`,
    next: `{"launches_since":"/v1/launches/since?since=${cursor}","mint":"/v1/mint/{mint}"}`,
  })
}

const CUT = `since is before window_from: launches are kept for ${KEEP_S / S_PER_H} h; the list starts with the oldest kept launch`
const FRESH = `start again with unix seconds within the last ${KEEP_S / S_PER_H} h`
const EXPIRED = refusedUnpaid(410, 'cursor_expired', `the cursor is older than ${CURSOR_S / S_PER_H} h: ${FRESH}`)
const FOREIGN = refusedUnpaid(400, 'invalid_cursor', `this is not a cursor of this route: ${FRESH}`)

const BEHIND = refusedForNow(
  503,
  'feed_behind',
  'this server is behind the one that issued the cursor: the slots before the cursor are not finalized here yet. Send the same request again',
  1,
)

/** Unix seconds: every launch observed since then has a row. */
const keptFrom = ({ moment }: Instant): number => moment.asOf - KEEP_S

/** The position of a reader, or a refusal if its cursor is invalid. */
const reachedBy = (since: Since, { service, instant }: RequestContext): Reached | Answer => {
  if ('cursor' in since) {
    const read = service.sinceCursors.read(since.cursor, instant.moment.asOf)
    if (!read.ok) return read.reason === 'expired' ? EXPIRED : FOREIGN
    const { reached } = read
    const problem = aheadProblem('since', { second: reached.at, input: since.cursor }, instant.moment.asOf)
    if (problem !== null) return invalidUnpaid([problem])
    return canGoOn(reached, finalOf(service, instant)) ? reached : BEHIND
  }
  const problem = aheadProblem('since', { second: since.second, input: String(since.second) }, instant.moment.asOf)
  if (problem !== null) return invalidUnpaid([problem])
  const first = service.options.view.firstLaunchSince(Math.max(since.second, keptFrom(instant)))
  // A reorg may still insert launches before the first one in non-final slots.
  const next = finalOf(service, instant).final + 1
  return { since: since.second, place: before(Math.min(first?.number ?? next, next)), at: since.second, given: new Map() }
}

/** The newest final frame, and a lower bound of the times of later launches: a slot takes less than a second. */
const finalOf = (service: Service, { status: { folded } }: Instant): { readonly final: number; readonly finalAt: number } => {
  if (folded === null) return { final: -1, finalAt: 0 }
  const finality = service.options.view.finality()
  const isAllFinal = finality === null && service.finalityOf(folded.number) === 'finalized'
  const final = Math.min(folded.number, isAllFinal ? folded.number : (finality?.finalized ?? -1))
  return { final, finalAt: folded.time - (folded.number - final) }
}

const givable = ({ service, instant: { status } }: RequestContext): ((frame: number) => boolean) => {
  const folded = status.folded?.number ?? -1
  return (frame) => frame <= folded && service.isConfirmed(frame)
}

interface Launched extends PlacedLaunch {
  readonly snapshot: MintSnapshot
}

function* launchesBehind({ place }: Reached, { options }: Service, { moment }: Instant): Iterable<Launched> {
  for (const snapshot of options.view.launchesAfter(place)) {
    const { launch } = snapshot.head
    if (launch === null) continue
    const { number: frame, tx, outer, inner, at } = launch
    const isCovered = coverageOf(snapshot.head, moment).coverage === 'full'
    yield { mint: snapshot.mint, number: frame, tx, outer, inner, at, isCovered, snapshot }
  }
}

/** A launch card with odds, verdict and links. */
const itemText = (snapshot: MintSnapshot, { service, instant }: RequestContext): string => {
  const card = service.launches.get(snapshot, instant.moment)
  const mint = keyText(snapshot.mint)
  const probabilities = probabilitiesOf(service.options.odds, snapshot.mint)
  const { verdict, why } = verdictOf(card.seen, probabilities.rug_within_300s)
  const { baseUrl } = service.options
  const links = { check_url: `${baseUrl}/v1/check/mint/${mint}`, full_card_url: `${baseUrl}/v1/mint/${mint}` }
  const more = JSON.stringify({ probabilities, verdict, verdict_why: why, ...links })
  return `${withFinality(card, service.finalityOf).slice(0, -1)},${more.slice(1)}`
}
