// Rate limits of callers and payers, checked before an answer is made and before a payment is settled.
import type { Middleware } from 'koa'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import { type Rates, UNVERIFIABLE_PER_MINUTE } from '../http/rates.ts'
import { send } from '../http/send.ts'
import type { PaymentGate } from '../payment/gate.ts'
import { type Answer, refusedUnread, tooMany } from '../questions/bodies.ts'
import { MCP_PATH } from '../questions/limits.ts'

/** Paths without a rate limit: load balancers poll them every second. */
const UNCOUNTED = new Set(['/ready'])

/** A refusal if the caller exceeds its rate, else null. @param payment as sent. */
export type CallerLimit = (callerAddress: string, payment: string | object | undefined) => Promise<Answer | null>

/**
 * Retries of known payments have a separate limit, because the answer of a settled payment is owed to its payer. They are limited, because
 * settled payments are public and anybody can send them.
 */
export const callerLimit =
  (rates: Rates, gate: PaymentGate, observer: ApiObserver): CallerLimit =>
  async (callerAddress, payment) => {
    const isKnown = payment !== undefined && (await gate.knows(payment))
    const waitS = await (isKnown ? rates.retry(callerAddress) : rates.caller(callerAddress))
    if (waitS === 0) return null
    observer.limited('caller')
    if (!isKnown) return tooMany(`one address can send at most ${rates.perMinute} requests per minute`, waitS)
    return refusedUnread(
      429,
      'rate_limited',
      `one address can send at most ${rates.retriesPerMinute} retries per minute: retry in ${waitS} s`,
      waitS,
    )
  }

/** Skips MCP messages: their payment is in the body, so `mcp/mount.ts` applies the limit after reading it. */
export const rateLimits =
  (limit: CallerLimit): Middleware =>
  async (ctx, next) => {
    if (UNCOUNTED.has(ctx.path) || (ctx.path === MCP_PATH && ctx.method === 'POST')) return next()
    const refused = await limit(ctx.ip, ctx.get('payment-signature') || undefined)
    return refused === null ? next() : send(ctx, refused)
  }

/** The limits of new payments per payer, and of those that only the facilitator can verify per caller: a refusal, or null. */
export const payerLimits = (rates: Rates, observer: ApiObserver) => {
  const limited = (waitS: number, limit: string): Answer | null => {
    if (waitS === 0) return null
    observer.limited('payer')
    return tooMany(limit, waitS)
  }
  return {
    admit: async (payer: string) =>
      limited(await rates.payer(payer), `one payer can make at most ${rates.paidPerMinute} payments per minute`),
    admitUnverifiable: async (callerAddress: string) =>
      limited(
        await rates.unverifiable(callerAddress),
        `one address can send at most ${UNVERIFIABLE_PER_MINUTE} payments of contract wallets per minute`,
      ),
  }
}
