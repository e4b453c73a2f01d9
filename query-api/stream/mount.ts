// `/v1/stream/flags`: flags as they come of age, as server-sent events. Free, as old as the samples.
import type { Context, Middleware } from 'koa'
import { formatPosition, parsePosition } from '../../schemas/position.ts'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import { DELAY_S } from '../answers/samples.ts'
import { type Answer, invalid, RESTORING_UNPAID, tooMany, unpaidRefusal } from '../bodies.ts'
import { callerKey } from '../caller-address.ts'
import { send, sendMethods } from '../send.ts'
import type { Service } from '../service.ts'
import { STREAM } from './facts.ts'
import { beginningAt, type Cursor, FlagFeed } from './feed.ts'
import { Hub } from './hub.ts'
import { Reader } from './reader.ts'

export const STREAM_PATH = STREAM.path
/** Open at once in this process: each may hold 300 KB. */
export const STREAMS_MAX = 500
export const STREAMS_PER_CALLER_MAX = 4
/** When a client may connect again. */
const RETRY_MS = 5_000
const RETRY_AFTER_S = 30

const TYPE = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' }
const HEAD = `retry: ${RETRY_MS}\n: flags at least ${DELAY_S} s old, in the order of the chain; retracted ones follow as such\n\n`
const FULL = unpaidRefusal(503, 'streams_full', `${STREAMS_MAX} streams are open; try again in ${RETRY_AFTER_S} s`, RETRY_AFTER_S)

/** Streams end when `closing` fires. */
export const flagStream = (service: Service, observer: ApiObserver, closing: AbortSignal): Middleware => {
  const { wallClock } = service.options
  const feed = new FlagFeed(service)
  const hub = new Hub(feed, () => wallClock.now())
  closing.addEventListener('abort', () => hub.close())
  return (ctx, next) => {
    if (ctx.path !== STREAM_PATH) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return sendMethods(ctx, 'GET, HEAD', `${STREAM_PATH} answers GET and HEAD`)
    const refused = refusedFor(ctx, hub, observer)
    if (refused !== undefined) return send(ctx, refused)
    if (ctx.method === 'HEAD') return begin(ctx)
    const place = resumedFrom(ctx, hub, feed)
    if ('status' in place) return send(ctx, place)
    open(ctx, hub, place, wallClock.now())
    const { res } = ctx
    observer.streams(hub.size)
    res.once('close', () => observer.streams(hub.size))
  }
}

const refusedFor = (ctx: Context, hub: Hub, observer: ApiObserver): Answer | undefined => {
  const isMine = hub.openOf(callerKey(ctx.ip)) >= STREAMS_PER_CALLER_MAX
  if (!isMine && hub.size < STREAMS_MAX) return undefined
  observer.limited('streams')
  return isMine ? tooMany(`at most ${STREAMS_PER_CALLER_MAX} streams are open for one address`, RETRY_AFTER_S) : FULL
}

interface Start {
  readonly cursor: Cursor
  /** What is said before the first event. */
  readonly text: string
}

/**
 * From behind the last event that the client had; without one, from now on. Where that lies before all that the view keeps, one event
 * `skipped` says so first: what lies between may be missing here, and the stream goes on with the oldest that is kept.
 */
const resumedFrom = (ctx: Context, hub: Hub, feed: FlagFeed): Start | Answer => {
  const newest = hub.begin()
  if (newest === null) return RESTORING_UNPAID
  const text = ctx.get('last-event-id')
  if (text === '') return { cursor: newest, text: '' }
  const place = parsePosition(text)
  if (place === undefined || place.chain !== 'solana')
    return invalid([
      { type: 'position', loc: ['header', 'last-event-id'], msg: 'Header should be the id of an event of this stream', input: text },
    ])
  const cursor = feed.resume(place)
  if (cursor !== undefined) return { cursor, text: hub.retractedText(cursor) }
  const oldest = feed.oldest()
  const reason = 'flags between the last event and the oldest that is kept here may be missing'
  const skipped = { from: text, to: oldest === undefined ? null : formatPosition(oldest), reason }
  const start = oldest === undefined ? newest : beginningAt(oldest.at)
  return { cursor: start, text: `event: skipped\ndata: ${JSON.stringify(skipped)}\n\n` }
}

const begin = (ctx: Context): void => {
  ctx.status = 200
  ctx.set(TYPE)
}

const open = (ctx: Context, hub: Hub, { cursor, text }: Start, nowMs: number): void => {
  ctx.respond = false
  begin(ctx)
  ctx.flushHeaders()
  const reader = new Reader(ctx.res, callerKey(ctx.ip), cursor, nowMs)
  ctx.res.once('close', () => hub.remove(reader))
  reader.send(HEAD + text, nowMs)
  hub.add(reader)
}
