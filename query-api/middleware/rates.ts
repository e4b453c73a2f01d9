// Refuses callers who ask too often, before anything is read or paid.
import type { Middleware } from 'koa'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import { type Answer, tooMany } from '../bodies.ts'
import type { PaymentGate } from '../payment/gate.ts'
import type { Rates } from '../rates.ts'
import { send } from '../send.ts'

/** Asked by whatever spreads requests over processes, every second. */
const UNCOUNTED = new Set(['/ready'])

/** A retry of a known payment passes uncounted: it may have been settled, and then its answer is owed. */
export const rateLimits =
  (rates: Rates, gate: PaymentGate, observer: ApiObserver): Middleware =>
  async (ctx, next) => {
    if (UNCOUNTED.has(ctx.path)) return next()
    const payment = ctx.req.headers['payment-signature']
    if (typeof payment === 'string' && payment !== '' && (await gate.knows(payment))) return next()
    const waitS = await rates.caller(ctx.ip)
    if (waitS === 0) return next()
    observer.limited('caller')
    send(ctx, tooMany(`at most ${rates.perMinute} requests a minute from one address`, waitS))
  }

/** What a payer is told who pays too often; null: it may go on. */
export const payerLimit =
  (rates: Rates, observer: ApiObserver) =>
  async (payer: string): Promise<Answer | null> => {
    const waitS = await rates.payer(payer)
    if (waitS === 0) return null
    observer.limited('payer')
    return tooMany(`at most ${rates.paidPerMinute} payments a minute of one payer`, waitS)
  }
