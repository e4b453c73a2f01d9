// `/v1/stream/flags`: flags as server-sent events, free and with the delay of the samples.
import { parse } from 'node:querystring'
import type { Context, Middleware } from 'koa'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import { DELAY_S } from '../answers/delay.ts'
import { withoutClock } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import { CallerCounts } from '../http/caller-counts.ts'
import { send, sendMethods } from '../http/send.ts'
import { refusedForNow, tooMany } from '../questions/bodies.ts'
import { type Beginning, beginningOf, requestedStart } from './beginning.ts'
import { STREAM } from './facts.ts'
import { FlagFeed } from './feed.ts'
import { Hub } from './hub.ts'
import { StreamReader } from './reader.ts'

export const STREAM_PATH = STREAM.path
/** Open streams in this process: each may buffer 300 KB. */
const STREAMS_MAX = 500
export const STREAMS_PER_CALLER_MAX = 4
/** Reconnection time sent to clients. */
const RETRY_MS = 5_000
const RETRY_AFTER_S = 30

const TYPE = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' }
const HEAD = `retry: ${RETRY_MS}\n: flags at least ${DELAY_S} s old, in chain order; retractions follow as events\n\n`
const FULL = refusedForNow(503, 'streams_full', `too many streams are open; retry in ${RETRY_AFTER_S} s`, RETRY_AFTER_S)
const TOO_MANY = tooMany(`one address can open at most ${STREAMS_PER_CALLER_MAX} streams`, RETRY_AFTER_S)

/** Streams end when `closing` fires. */
export const flagStream = (service: Service, observer: ApiObserver, closing: AbortSignal): Middleware => {
  const { wallClock } = service.options
  const feed = new FlagFeed(service)
  const hub = new Hub(feed, () => wallClock.now())
  const counts = new CallerCounts({ perCaller: STREAMS_PER_CALLER_MAX, all: STREAMS_MAX })
  closing.addEventListener('abort', () => hub.close())
  return (ctx, next) => {
    if (ctx.path !== STREAM_PATH) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return sendMethods(ctx, 'GET, HEAD', `${STREAM_PATH} accepts GET and HEAD`)
    // A client that left while its rate was counted: its response emits no further `close`.
    if (ctx.res.destroyed) return
    const taken = counts.take(ctx.ip)
    if (typeof taken === 'string') {
      observer.limited('streams')
      return send(ctx, taken === 'all' ? FULL : TOO_MANY)
    }
    ctx.res.once('close', taken)
    const instant = service.instant()
    if (instant === null) return send(ctx, withoutClock(service.look()))
    const requested = requestedStart({ lastId: ctx.get('last-event-id'), query: parse(ctx.querystring) }, instant.moment.asOf)
    if (!requested.ok) return send(ctx, requested.refusal)
    if (ctx.method === 'HEAD') return begin(ctx)
    const beginning = beginningOf(requested.start, hub, feed, instant)
    if ('status' in beginning) return send(ctx, beginning)
    open(ctx, hub, beginning, wallClock.now())
    const { res } = ctx
    observer.streams(hub.size)
    res.once('close', () => observer.streams(hub.size))
  }
}

const begin = (ctx: Context): void => {
  ctx.status = 200
  ctx.set(TYPE)
}

const open = (ctx: Context, hub: Hub, { cursor, text }: Beginning, nowMs: number): void => {
  ctx.respond = false
  begin(ctx)
  ctx.flushHeaders()
  const reader = new StreamReader(ctx.res, cursor, nowMs)
  ctx.res.once('close', () => hub.remove(reader))
  reader.send(HEAD + text, nowMs)
  hub.add(reader)
}
