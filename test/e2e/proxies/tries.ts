// Purchases through a proxy that fails between settlement and answer. Clients only ever send the payment again that they signed first.
import { setTimeout as pause } from 'node:timers/promises'
import type { x402Client } from '@x402/core/client'
import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import { faultHeaders, PROXY_FAULTS, type ProxyFault, startFaultyProxy } from '../../fakes/faulty-proxy.ts'
import { Dice } from '../../simulation/dice.ts'
import { boughtIn } from '../../tools/bought.ts'
import { argumentsOf, PAID, requestOf } from '../clients/orders.ts'
import type { Shop } from '../clients/shop.ts'

export interface TriesPlan {
  readonly tries: number
  readonly atOnce: number
  readonly seed: number
  /** Of answers that are delayed. */
  readonly delayMs: number
  /** The first `count` tries are delayed by this instead; their clients give up after `patienceMs`. */
  readonly long?: { readonly count: number; readonly delayMs: number; readonly patienceMs: number }
}

export interface TriesReport {
  readonly seed: number
  readonly tries: number
  readonly seconds: number
  /** Requests with a payment, by fault. */
  readonly sent: Readonly<Record<ProxyFault, number>>
  /** Sends of which the client saw no answer. */
  readonly unanswered: number
  /** Landed payments in the sandbox's ledger. */
  readonly charges: number
  readonly paidMicroUsdc: number
  readonly owedMicroUsdc: number
  readonly broken: readonly string[]
}

/** A route, and how to send a payment for it. */
interface Order {
  readonly path: string
  readonly priceMicroUsdc: number
  terms(): Promise<PaymentRequired>
  send(payment: PaymentPayload, headers: Record<string, string>, signal: AbortSignal): Promise<Sent>
}
interface Sent {
  /** 200, or the error code. */
  readonly status: string
  readonly body: string
  readonly transaction: string | undefined
}

const FAULTY_SENDS_MAX = 4
const SENDS_MAX = 40
const RETRY_MS = 50
/** A settlement in the sandbox takes less. */
const DIES_MS_MAX = 80
const CLIENT_MS_MAX = 120_000

interface Refused {
  readonly error: string
}
const json = (header: string | null): unknown => (header === null ? undefined : JSON.parse(Buffer.from(header, 'base64').toString('utf8')))

const httpOrder = (shop: Shop, via: string, path: string, priceMicroUsdc: number): Order => ({
  path,
  priceMicroUsdc,
  terms: async () => (await (await fetch(shop.url + requestOf(path, shop))).json()) as PaymentRequired,
  send: async (payment, headers, signal) => {
    const signature = Buffer.from(JSON.stringify(payment)).toString('base64')
    const response = await fetch(via + requestOf(path, shop), { headers: { ...headers, 'payment-signature': signature }, signal })
    const receipt = json(response.headers.get('payment-response')) as SettleResponse | undefined
    const body = await response.text()
    const status = response.status === 200 ? '200' : (JSON.parse(body) as Refused).error
    return { status, body, transaction: receipt?.transaction }
  },
})

interface Result {
  readonly isError?: boolean
  readonly structuredContent: object & { readonly error?: string }
  readonly _meta?: { readonly 'x402/payment-response'?: SettleResponse }
}

const mcpOrder = (shop: Shop, via: string, path: string, priceMicroUsdc: number, name: string): Order => {
  const call = async (url: string, more: object, headers = {}, signal?: AbortSignal): Promise<Result> => {
    const params = { name, arguments: argumentsOf(path, shop), ...more }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const types = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' }
    const init = { method: 'POST', body, headers: { ...headers, ...types }, ...(signal && { signal }) }
    return ((await (await fetch(`${url}/mcp`, init)).json()) as { readonly result: Result }).result
  }
  return {
    path: name,
    priceMicroUsdc,
    terms: async () => (await call(shop.url, {})).structuredContent as PaymentRequired,
    send: async (payment, headers, signal) => {
      const { isError, structuredContent, _meta } = await call(via, { _meta: { 'x402/payment': payment } }, headers, signal)
      const status = isError === true ? (structuredContent.error ?? 'error') : '200'
      return { status, body: JSON.stringify(structuredContent), transaction: _meta?.['x402/payment-response']?.transaction }
    },
  }
}

/** What a client may see while its payment is being settled; anything else that is not an answer would make it sign another. */
const RETRIED = ['payment_outcome_unknown', 'payment_unavailable', 'payment_store_unavailable']

class Run {
  readonly sent = Object.fromEntries(PROXY_FAULTS.map((fault) => [fault, 0])) as Record<ProxyFault, number>
  readonly broken: string[] = []
  readonly receipts = new Set<string>()
  unanswered = 0
  owedMicroUsdc = 0
  readonly #plan: TriesPlan
  readonly #orders: readonly Order[]
  readonly #payer: x402Client

  constructor(plan: TriesPlan, orders: readonly Order[], payer: x402Client) {
    this.#plan = plan
    this.#orders = orders
    this.#payer = payer
  }
  async try(n: number): Promise<void> {
    const dice = new Dice(this.#plan.seed, `try ${n}`)
    const order = dice.pick(this.#orders)
    const payment = await this.#payer.createPaymentPayload(await order.terms())
    this.owedMicroUsdc += order.priceMicroUsdc
    const bought = await this.#buy(n, dice, order, payment)
    if (bought === undefined) return
    const again = await order.send(payment, {}, AbortSignal.timeout(CLIENT_MS_MAX))
    const isSame = again.status === '200' && boughtIn(again.body) === boughtIn(bought.body) && again.transaction === bought.transaction
    if (!isSame) this.#break(n, order, `sent again after its answer, the payment gets ${again.status}`)
    if (this.receipts.has(bought.transaction ?? '')) this.#break(n, order, 'another payment has the same receipt')
    this.receipts.add(bought.transaction ?? '')
  }
  async #buy(n: number, dice: Dice, order: Order, payment: PaymentPayload): Promise<Sent | undefined> {
    for (let sends = 0; sends < SENDS_MAX; sends++) {
      const answer = await this.#send(n, dice, order, payment, sends)
      if (answer?.status === '200') return answer
      if (answer !== undefined && !RETRIED.includes(answer.status)) {
        this.#break(n, order, `the payment gets ${answer.status}: ${answer.body.slice(0, 200)}`)
        return undefined
      }
      await pause(RETRY_MS)
    }
    this.#break(n, order, `no answer after ${SENDS_MAX} sends`)
    return undefined
  }
  /** Undefined: the client saw no answer. */
  async #send(n: number, dice: Dice, order: Order, payment: PaymentPayload, sends: number): Promise<Sent | undefined> {
    const { delayMs, long } = this.#plan
    const isLong = long !== undefined && n < long.count && sends === 0
    const fault = isLong ? 'delays' : sends < FAULTY_SENDS_MAX ? dice.pick(PROXY_FAULTS) : 'none'
    const ms = isLong ? long.delayMs : fault === 'delays' ? delayMs : dice.int(0, DIES_MS_MAX)
    const patienceMs = isLong ? long.patienceMs : fault === 'delays' && dice.share() < 0.5 ? delayMs / 2 : CLIENT_MS_MAX
    this.sent[fault] += 1
    try {
      return await order.send(payment, faultHeaders(fault, ms), AbortSignal.timeout(patienceMs))
    } catch {
      this.unanswered += 1
      return undefined
    }
  }
  #break(n: number, { path }: Order, what: string): void {
    this.broken.push(`try ${n}, ${path}: ${what}`)
  }
}

/** Every payment is charged once, by the ledger, and its client gets the answer. */
export const runTries = async (shop: Shop, plan: TriesPlan): Promise<TriesReport> => {
  const startedMs = performance.now()
  const before = await shop.spentMicroUsdc()
  const chargedBefore = new Set(await shop.charges())
  const proxy = await startFaultyProxy(Number(new URL(shop.url).port))
  const sold = PAID.flatMap(({ path, tool, priceMicroUsdc }) => (tool === null ? [] : [{ path, tool, priceMicroUsdc }]))
  const orders = sold.flatMap(({ path, tool, priceMicroUsdc }) => [
    httpOrder(shop, proxy.url, path, priceMicroUsdc),
    mcpOrder(shop, proxy.url, path, priceMicroUsdc, tool),
  ])
  const run = new Run(plan, orders, await shop.payer())
  try {
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < plan.tries) await run.try(next++)
    }
    await Promise.all(Array.from({ length: plan.atOnce }, lane))
  } finally {
    await proxy.close()
  }
  const charges = (await shop.charges()).filter((signature) => !chargedBefore.has(signature))
  const unknown = charges.filter((signature) => !run.receipts.has(signature))
  return {
    ...{ seed: plan.seed, tries: plan.tries, seconds: Math.round((performance.now() - startedMs) / 1_000) },
    ...{ sent: run.sent, unanswered: run.unanswered, charges: charges.length },
    ...{ paidMicroUsdc: (await shop.spentMicroUsdc()) - before, owedMicroUsdc: run.owedMicroUsdc },
    broken: [...run.broken, ...unknown.map((signature) => `charged without an answer: ${signature}`)],
  }
}
