// The payment middleware for HTTP: turns a request into a sale and renders its outcome. Koa sends the answer when the handler ends, which
// is after the settlement.
import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Context } from 'koa'
import { unreachable } from '../../schemas/errors.ts'
import type { Inquiry, Offer, PaymentGate, Refusal, Sale, SaleOutcome, TermsOffered } from '../payment/gate.ts'
import { memoizedJson } from '../payment/json.ts'
import { hints } from '../payment/refusals.ts'
import { send, sendHead } from './send.ts'

export interface HttpSale extends Pick<Sale, 'offer' | 'extensions' | 'precheck' | 'produce' | 'settled'> {
  /** Updates the ages in the stored body when it is sent. Absent: the body is sent as stored. */
  readonly finish?: (body: string, sent: { readonly isReplayed: boolean; readonly madeAtMs: number }) => string
}

export class HttpPayments {
  readonly #gate: PaymentGate
  readonly #baseUrl: string

  /** @param baseUrl public origin without trailing slash. */
  constructor(gate: PaymentGate, baseUrl: string) {
    this.#gate = gate
    this.#baseUrl = baseUrl
  }
  /** Sends the 402; makes no answer and settles nothing. */
  async quote(ctx: Context, inquiry: Omit<Inquiry, 'resourceUrl'>): Promise<void> {
    if (this.#isOlder(ctx)) return refuse(ctx, OLDER)
    show(ctx, await this.#gate.quote({ ...inquiry, resourceUrl: this.#resourceUrl(ctx, inquiry.offer) }), undefined)
  }
  /** Treats HEAD as a GET without payment, because only a GET returns the paid body; with payments off, sends headers only. */
  async sell(ctx: Context, sale: HttpSale): Promise<void> {
    const isHead = ctx.method === 'HEAD'
    if (isHead && this.#gate.mode === 'off') return sendHead(ctx)
    const payment = isHead ? undefined : ctx.get('payment-signature') || undefined
    if (payment === undefined && this.#isOlder(ctx)) return refuse(ctx, OLDER)
    // Needed only to bind a payment to the request.
    const request = payment === undefined ? '' : requestOf(ctx)
    const { finish, ...sold } = sale
    const resourceUrl = this.#resourceUrl(ctx, sale.offer)
    show(ctx, await this.#gate.sell({ ...sold, resourceUrl, request, callerAddress: ctx.ip, payment }), finish)
  }
  /** Has only the payment header of x402 version 1. */
  #isOlder({ req: { headers } }: Context): boolean {
    return this.#gate.mode !== 'off' && headers['x-payment'] !== undefined
  }
  #resourceUrl(ctx: Context, { secretParams }: Offer): string {
    return this.#baseUrl + ctx.path + (secretParams === undefined ? ctx.search : withoutSecrets(ctx.querystring, secretParams))
  }
}

const OLDER: Refusal = {
  kind: 'refused',
  status: 400,
  error: 'payment_version_unsupported',
  hint: hints.payment_version_unsupported,
  charged: false,
}

const withoutSecrets = (query: string, names: readonly string[]): string => {
  const shown = new URLSearchParams(query)
  for (const name of names) if (shown.has(name)) shown.set(name, 'redacted')
  return shown.size === 0 ? '' : `?${shown}`
}

/** Independent of the order of arguments. */
const requestOf = (ctx: Context): string => JSON.stringify(['http', ctx.path, [...new URLSearchParams(ctx.querystring)].sort()])

const show = (ctx: Context, outcome: SaleOutcome, finish: HttpSale['finish']): void => {
  switch (outcome.kind) {
    case 'sold':
      sold(ctx, outcome, finish)
      break
    case 'given':
      send(ctx, outcome.answer)
      break
    case 'asked':
      ask(ctx, outcome)
      break
    case 'refused':
      refuse(ctx, outcome)
      break
    default:
      unreachable(outcome)
  }
}

const sold = (ctx: Context, outcome: Extract<SaleOutcome, { kind: 'sold' }>, finish: HttpSale['finish']): void => {
  const { answer, receipt } = outcome
  const body = Buffer.from(answer.bodyBase64, 'base64')
  ctx.status = answer.status
  ctx.type = answer.type
  ctx.body = finish === undefined ? body : finish(body.toString('utf8'), outcome)
  ctx.set('PAYMENT-RESPONSE', responseOf(receipt))
  ctx.set('Cache-Control', 'private')
}

/** JSON in base64, as x402 headers are. The official encoder builds text by character: 100 KB of garbage for one signed receipt. */
const headerOf = (json: string): string => Buffer.from(json).toString('base64')
const responseOf = (receipt: SettleResponse): string => headerOf(JSON.stringify(receipt))

/** As JSON.stringify, with memoized text for frozen extensions, which are most of a 402. */
const textOf = ({ x402Version, error, resource, accepts, extensions = {} }: PaymentRequired): string => {
  const terms = `"error":${JSON.stringify(error)},"resource":${JSON.stringify(resource)},"accepts":${JSON.stringify(accepts)}`
  return `{"x402Version":${x402Version},${terms},"extensions":${membersText(extensions)}}`
}
const membersText = (part: object): string => {
  let text = ''
  for (const [name, member] of Object.entries(part))
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${lastingText(member)}`
  return `{${text}}`
}
const isPlain = (part: unknown): part is object => typeof part === 'object' && part !== null && !Array.isArray(part)
const lastingText = (part: unknown): string => (isPlain(part) && Object.isFrozen(part) ? memoizedJson(part) : JSON.stringify(part))

const ask = (ctx: Context, { body, failed }: TermsOffered): void => {
  const json = Buffer.from(textOf(body))
  sendHead(ctx, 402)
  ctx.set('PAYMENT-REQUIRED', json.toString('base64'))
  if (failed !== undefined) ctx.set('PAYMENT-RESPONSE', responseOf(failed))
  ctx.body = json
}

const refuse = (ctx: Context, { status, error, hint, charged, retryAfterS, failed }: Refusal): void => {
  sendHead(ctx, status)
  if (retryAfterS !== undefined) ctx.set('Retry-After', String(retryAfterS))
  if (failed !== undefined) ctx.set('PAYMENT-RESPONSE', responseOf(failed))
  ctx.body = JSON.stringify({ ok: false, error, hint, charged })
}
