// How many requests are answered at once: of one caller, and in all. Waiting for a settlement counts.
import type { Middleware } from 'koa'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import { tooMany, unpaidRefusal } from '../bodies.ts'
import { callerKey } from '../caller-address.ts'
import { send } from '../send.ts'

/** In this process. Most answers take below a millisecond; what waits are settlements. */
export const IN_FLIGHT_MAX = 2_048
/** Of one caller: fifty copies of one request at once are a habit of some clients. */
export const IN_FLIGHT_PER_CALLER_MAX = 256
const RETRY_AFTER_S = 1

const BUSY = unpaidRefusal(503, 'busy', `${IN_FLIGHT_MAX} requests are being answered; try again in ${RETRY_AFTER_S} s`, RETRY_AFTER_S)
const TOO_MANY = tooMany(`at most ${IN_FLIGHT_PER_CALLER_MAX} requests of one address are answered at a time`, RETRY_AFTER_S)

export const inFlight = (observer: ApiObserver): Middleware => {
  const byCaller = new Map<string, number>()
  let all = 0
  return async (ctx, next) => {
    const caller = callerKey(ctx.ip)
    const here = byCaller.get(caller) ?? 0
    if (all >= IN_FLIGHT_MAX) {
      observer.limited('in_flight')
      return send(ctx, BUSY)
    }
    if (here >= IN_FLIGHT_PER_CALLER_MAX) {
      observer.limited('in_flight_caller')
      return send(ctx, TOO_MANY)
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
