// The gate on Koa. Koa sends nothing before the chain of middlewares ends, so awaiting the rest of it already is the buffer.
import { Readable } from 'node:stream'
import { encodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentRequirements } from '@x402/core/types'
import type { Context, Middleware } from 'koa'
import { assert, unreachable } from '../../schemas/errors.ts'
import type { Checkout, Outcome } from './checkout.ts'
import type { Facilitator } from './facilitator.ts'
import type { Offer, PaymentGate } from './gate.ts'
import { type HeaderRefusal, type Payment, readPaymentHeader } from './header.ts'
import { paymentLimits } from './limits.ts'
import type { StoredAnswer } from './payment-book.ts'
import { hints } from './refusals.ts'
import { isSameTerms, paymentRequired, requirementsOf, type Seller } from './terms.ts'

export interface KoaGateOptions {
  readonly mode: PaymentGate['mode']
  readonly seller: Seller
  /** Public origin without a path; the Host header is never believed. */
  readonly baseUrl: string
  readonly facilitator: Facilitator
  readonly checkout: Checkout
}

export const koaGate = (options: KoaGateOptions): PaymentGate => ({
  mode: options.mode,
  protect: (offer) => protect(options, offer),
  quote: (offer) => (ctx) => quote(ctx, options, offer, 'Payment required'),
  close: (withinMs) => options.checkout.close(withinMs),
})

const protect =
  (options: KoaGateOptions, offer: Offer): Middleware =>
  async (ctx, next) => {
    const header = ctx.get('payment-signature')
    if (header === '' || ctx.method === 'HEAD') return quote(ctx, options, offer, 'Payment required')
    const payment = readPaymentHeader(header)
    if (typeof payment === 'string') return refuse(ctx, 400, payment)
    const isKnown = options.checkout.knows(payment.transaction.identity)
    const agreed = isKnown ? undefined : await agreedTerms(options, offer, payment)
    if (!isKnown && agreed === undefined) return quote(ctx, options, offer, 'payment_terms_mismatch')
    const produce = async (): Promise<StoredAnswer> => {
      await next()
      return bufferedAnswer(ctx)
    }
    const purchase = { payment, requirements: agreed, request: requestOf(ctx), callerAddress: ctx.ip, produce }
    await answer(ctx, options, offer, await options.checkout.submit(purchase))
  }

/** Undefined while the facilitator was never reached: without it nobody knows who pays the fees, and no payment could be made. */
const termsFor = async ({ facilitator, seller }: KoaGateOptions, offer: Offer): Promise<PaymentRequirements | undefined> => {
  const feePayers = await facilitator.feePayers()
  return feePayers && requirementsOf(seller, offer.priceMicroUsdc, feePayers.offered)
}

/** Our terms with the fee payer the caller signed for, when the facilitator signs for it and it really is the transaction's. */
const agreedTerms = async (options: KoaGateOptions, offer: Offer, payment: Payment): Promise<PaymentRequirements | undefined> => {
  const ours = await termsFor(options, offer)
  const known = (await options.facilitator.feePayers())?.known
  const feePayer = payment.accepted.extra.feePayer
  if (ours === undefined || typeof feePayer !== 'string' || !known?.has(feePayer) || payment.transaction.feePayer !== feePayer)
    return undefined
  return isSameTerms(payment.accepted, ours) ? { ...ours, extra: { feePayer } } : undefined
}

/** The same arguments in another order are the same request. */
const requestOf = (ctx: Context): string => JSON.stringify(['http', ctx.path, [...new URLSearchParams(ctx.querystring)].sort()])

const bufferedAnswer = (ctx: Context): StoredAnswer => {
  const body: unknown = ctx.body
  assert(!(body instanceof Readable) && !(body instanceof ReadableStream), 'a paid answer must exist before its settlement: no streams')
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? null))
  return { status: ctx.status, type: ctx.response.get('Content-Type') || 'application/json', bodyBase64: bytes.toString('base64') }
}

const answer = async (ctx: Context, options: KoaGateOptions, offer: Offer, outcome: Outcome): Promise<void> => {
  switch (outcome.kind) {
    case 'paid':
      send(ctx, outcome.answer)
      ctx.set('PAYMENT-RESPONSE', encodePaymentResponseHeader(outcome.receipt))
      ctx.set('Cache-Control', 'private')
      return
    case 'free':
      send(ctx, outcome.answer)
      ctx.set('Cache-Control', 'no-store')
      return
    case 'refused':
      if (outcome.atSettlement) ctx.set('PAYMENT-RESPONSE', failedReceipt(outcome.reason, options.seller))
      return quote(ctx, options, offer, outcome.reason)
    case 'used':
      return refuse(ctx, 409, 'payment_already_used')
    case 'unknown':
      ctx.set('PAYMENT-RESPONSE', failedReceipt('payment_outcome_unknown', options.seller))
      return refuse(ctx, 409, 'payment_outcome_unknown')
    case 'unavailable':
      return refuse(ctx, 503, outcome.error)
    default:
      return unreachable(outcome)
  }
}

const failedReceipt = (errorReason: string, { network }: Seller): string =>
  encodePaymentResponseHeader({ success: false, errorReason, transaction: '', network })

const send = (ctx: Context, { status, type, bodyBase64 }: StoredAnswer): void => {
  ctx.status = status
  ctx.type = type
  ctx.body = Buffer.from(bodyBase64, 'base64')
}

/** 402 with today's terms; 503 while there are none. */
const quote = async (ctx: Context, options: KoaGateOptions, offer: Offer, error: string): Promise<void> => {
  const requirements = await termsFor(options, offer)
  if (requirements === undefined) return refuse(ctx, 503, 'payment_unavailable')
  const resource = { url: options.baseUrl + ctx.path + ctx.search, description: offer.description }
  const json = JSON.stringify(paymentRequired([requirements], resource, error, offer.extensions?.(ctx) ?? {}))
  ctx.status = 402
  ctx.set('PAYMENT-REQUIRED', Buffer.from(json).toString('base64'))
  ctx.set('Cache-Control', 'no-store')
  ctx.type = 'application/json'
  ctx.body = json
}

const refuse = (ctx: Context, status: 400 | 409 | 503, error: keyof typeof hints): void => {
  ctx.status = status
  ctx.set('Cache-Control', 'no-store')
  if (status === 503 || error === 'payment_outcome_unknown') ctx.set('Retry-After', String(paymentLimits.retryAfterS))
  ctx.type = 'application/json'
  ctx.body = JSON.stringify({ ok: false, error, hint: hints[error], charged: error === 'payment_outcome_unknown' ? null : false })
}

/** Every refusal of a header has its words. */
export type RefusalCode =
  | HeaderRefusal
  | Extract<Outcome, { kind: 'unavailable' }>['error']
  | 'payment_already_used'
  | 'payment_outcome_unknown'
