// How many requests are answered at once: of one caller, and in all. Waiting for a settlement counts.
import type { Context, Middleware } from 'koa'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import { callerKey } from '../http/caller-address.ts'
import { send } from '../http/send.ts'
import { refusedUnread, tooMany, unpaidRefusal } from '../questions/bodies.ts'
import { MCP_PATH } from '../questions/limits.ts'

/** In this process. Most answers take below a millisecond; what waits are settlements. */
const IN_FLIGHT_MAX = 2_048
/** Of one caller: fifty copies of one request at once are a habit of some clients. */
export const IN_FLIGHT_PER_CALLER_MAX = 256
const RETRY_AFTER_S = 1

const BUSY_WORDS = `${IN_FLIGHT_MAX} requests are being answered; try again in ${RETRY_AFTER_S} s`
const TOO_MANY_WORDS = `at most ${IN_FLIGHT_PER_CALLER_MAX} requests of one address are answered at a time`
const BUSY = {
  unpaid: unpaidRefusal(503, 'busy', BUSY_WORDS, RETRY_AFTER_S),
  unread: refusedUnread(503, 'busy', BUSY_WORDS, RETRY_AFTER_S),
}
const TOO_MANY = {
  unpaid: tooMany(TOO_MANY_WORDS, RETRY_AFTER_S),
  unread: refusedUnread(429, 'rate_limited', `${TOO_MANY_WORDS}: try again in ${RETRY_AFTER_S} s`, RETRY_AFTER_S),
}

/** Messages of MCP carry payments where nobody has looked yet. */
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
