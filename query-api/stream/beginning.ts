// Turns the requested start of a stream into a cursor, and the `skipped` event if the flags kept in memory do not reach back that far.
import type { ParsedUrlQuery } from 'node:querystring'
import { formatPosition } from '../../schemas/position.ts'
import { PUBLISHED } from '../answer-schemas/published-chain.ts'
import { aheadProblem } from '../answers/moments.ts'
import type { Instant } from '../answers/service.ts'
import { type Answer, invalid, RESTORING_UNPAID } from '../questions/bodies.ts'
import { parseInput } from '../questions/input.ts'
import { STREAM } from './facts.ts'
import type { FlagFeed } from './feed.ts'
import { beginningAt, type Cursor } from './flag-pages.ts'
import type { Hub } from './hub.ts'
import { type Start, startOf } from './start.ts'

export interface Beginning {
  readonly cursor: Cursor
  /** Sent before the first event. */
  readonly text: string
}

interface StreamRequest {
  /** The header `Last-Event-ID`; empty if none was sent. */
  readonly lastId: string
  readonly query: ParsedUrlQuery
}

type RequestedStart = { readonly ok: true; readonly start: Start | null } | { readonly ok: false; readonly refusal: Answer }

/** The header takes precedence: a browser that reconnects sends it with its original URL. */
export const requestedStart = ({ lastId, query }: StreamRequest, now: number): RequestedStart => {
  const loc = ['header', 'last-event-id']
  if (lastId !== '') {
    const start = startOf(lastId)
    if (start !== undefined && 'position' in start) return { ok: true, start }
    const msg = 'Header should be the id of an event of this stream'
    return { ok: false, refusal: invalid([{ type: 'position', loc, msg, input: lastId }]) }
  }
  const parsed = parseInput(STREAM, { path: {}, query })
  if (!parsed.ok) return parsed
  const { after } = parsed.input
  const problem = after !== null && 'second' in after ? aheadProblem('after', { ...after, input: String(after.second) }, now) : null
  return problem === null ? { ok: true, start: after } : { ok: false, refusal: invalid([problem]) }
}

/**
 * Without a start, or with a position after the newest folded slot, the stream begins now. If the start is before the oldest kept flag, the
 * first event is `skipped` (flags between the two may be missing), and the stream continues with the oldest kept flag.
 */
export const beginningOf = (start: Start | null, hub: Hub, feed: FlagFeed, { status }: Instant): Beginning | Answer => {
  const newest = hub.begin()
  if (newest === null) return RESTORING_UNPAID
  if (start === null || ('position' in start && start.position.number > (status.folded?.number ?? 0))) return { cursor: newest, text: '' }
  const cursor = 'position' in start ? feed.resume(start.position) : feed.upTo(start.second)
  if (cursor !== undefined) return { cursor, text: 'position' in start ? hub.retractedText(cursor) : '' }
  const oldest = feed.oldest()
  const skipped = {
    from: 'position' in start ? formatPosition({ ...PUBLISHED, ...start.position }) : String(start.second),
    to: oldest === undefined ? null : formatPosition(oldest),
    reason: 'flags between the requested start and the oldest kept flag may be missing',
  }
  const text = `event: skipped\ndata: ${JSON.stringify(skipped)}\n\n`
  return { cursor: oldest === undefined ? newest : beginningAt(oldest.at), text }
}
