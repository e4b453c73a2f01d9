// Limits concurrent requests, per caller and in total. Requests waiting for a settlement count.
import type { Context, Middleware } from 'koa'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import { CallerCounts } from '../http/caller-counts.ts'
import { send } from '../http/send.ts'
import { refusedForNow, refusedUnread, tooMany } from '../questions/bodies.ts'
import { MCP_PATH } from '../questions/limits.ts'

/** Requests of all callers in this process. Most answers take less than a millisecond; settlements take seconds. */
const IN_FLIGHT_MAX = 2_048
/** Per caller; some clients send fifty copies of a request at once. */
export const IN_FLIGHT_PER_CALLER_MAX = 256
const RETRY_AFTER_S = 1

const BUSY_TEXT = `too many requests are in progress; retry in ${RETRY_AFTER_S} s`
const TOO_MANY_TEXT = `one address can have at most ${IN_FLIGHT_PER_CALLER_MAX} requests in progress`
const BUSY = {
  unpaid: refusedForNow(503, 'busy', BUSY_TEXT, RETRY_AFTER_S),
  unread: refusedUnread(503, 'busy', BUSY_TEXT, RETRY_AFTER_S),
}
const TOO_MANY = {
  unpaid: tooMany(TOO_MANY_TEXT, RETRY_AFTER_S),
  unread: refusedUnread(429, 'rate_limited', `${TOO_MANY_TEXT}: retry in ${RETRY_AFTER_S} s`, RETRY_AFTER_S),
}

/** MCP messages may have a payment in their body, which is not parsed yet. */
const mayBePaid = ({ req, path }: Context): boolean => req.headers['payment-signature'] !== undefined || path === MCP_PATH

export const inFlight = (observer: ApiObserver): Middleware => {
  const counts = new CallerCounts({ perCaller: IN_FLIGHT_PER_CALLER_MAX, all: IN_FLIGHT_MAX })
  return async (ctx, next) => {
    const taken = counts.take(ctx.ip)
    if (typeof taken === 'string') {
      observer.limited(taken === 'all' ? 'in_flight' : 'in_flight_caller')
      const refusals = taken === 'all' ? BUSY : TOO_MANY
      return send(ctx, mayBePaid(ctx) ? refusals.unread : refusals.unpaid)
    }
    try {
      await next()
    } finally {
      taken()
    }
  }
}
