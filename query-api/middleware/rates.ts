// Refuses callers who ask too often, before anything is made or paid.
import type { Middleware } from 'koa'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import type { Rates } from '../http/rates.ts'
import { send } from '../http/send.ts'
import type { PaymentGate } from '../payment/gate.ts'
import { type Answer, refusedUnread, tooMany } from '../questions/bodies.ts'
import { MCP_PATH } from '../questions/limits.ts'

/** Asked by whatever spreads requests over processes, every second. */
const UNCOUNTED = new Set(['/ready'])

/** What a caller is told who asks too often; null: it may go on. The payment is as sent. */
export type CallerLimit = (callerAddress: string, payment: string | object | undefined) => Promise<Answer | null>

/**
 * A retry of a known payment is counted apart: it may have been settled, and then its answer is owed. But anybody can send one: what was
 * settled is public.
 */
export const callerLimit =
  (rates: Rates, gate: PaymentGate, observer: ApiObserver): CallerLimit =>
  async (callerAddress, payment) => {
    const isKnown = payment !== undefined && (await gate.knows(payment))
    const waitS = await (isKnown ? rates.retry(callerAddress) : rates.caller(callerAddress))
    if (waitS === 0) return null
    observer.limited('caller')
    if (!isKnown) return tooMany(`at most ${rates.perMinute} requests a minute from one address`, waitS)
    return refusedUnread(429, 'rate_limited', `at most ${rates.retriesPerMinute} retries a minute: try again in ${waitS} s`, waitS)
  }

/** Messages of MCP are judged where they are read: the payment is in them. */
export const rateLimits =
  (limit: CallerLimit): Middleware =>
  async (ctx, next) => {
    if (UNCOUNTED.has(ctx.path) || (ctx.path === MCP_PATH && ctx.method === 'POST')) return next()
    const refused = await limit(ctx.ip, ctx.get('payment-signature') || undefined)
    return refused === null ? next() : send(ctx, refused)
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
