// Limits concurrent requests, per caller and in total. Requests waiting for a settlement count.
import type { Context, Middleware } from 'koa'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import { callerKey } from '../http/caller-address.ts'
import { send } from '../http/send.ts'
import { refusedForNow, refusedUnread, tooMany } from '../questions/bodies.ts'
import { MCP_PATH } from '../questions/limits.ts'

/** Requests of all callers in this process. Most answers take less than a millisecond; settlements take seconds. */
const IN_FLIGHT_MAX = 2_048
/** Per caller; some clients send fifty copies of a request at once. */
export const IN_FLIGHT_PER_CALLER_MAX = 256
const RETRY_AFTER_S = 1

const BUSY_TEXT = `${IN_FLIGHT_MAX} requests are in progress; retry in ${RETRY_AFTER_S} s`
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
  const byCaller = new Map<string, number>()
  let all = 0
  return async (ctx, next) => {
    const caller = callerKey(ctx.ip)
    const here = byCaller.get(caller) ?? 0
    if (all >= IN_FLIGHT_MAX) {
      observer.limited('in_flight')
      return send(ctx, mayBePaid(ctx) ? BUSY.unread : BUSY.unpaid)
    }
    if (here >= IN_FLIGHT_PER_CALLER_MAX) {
      observer.limited('in_flight_caller')
      return send(ctx, mayBePaid(ctx) ? TOO_MANY.unread : TOO_MANY.unpaid)
    }
    all += 1
    byCaller.set(caller, here + 1)
    try {
      await next()
    } finally {
      all -= 1
      const left = (byCaller.get(caller) ?? 1) - 1
      if (left > 0) byCaller.set(caller, left)
      else byCaller.delete(caller)
    }
  }
}
