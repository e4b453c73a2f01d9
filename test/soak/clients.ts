// Clients of soaks: one that asks from an address of its own, many at a pace, and a buyer who never gives up on a signed payment.
import { Agent, get as httpGet } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { get, payable, receiptIn, type SignedPayment, sign, termsIn } from '../../topology/cli/commands/buy/buyer.ts'
import { readWallet } from '../../topology/sandbox/wallet.ts'
import { boughtIn } from '../tools/bought.ts'

const ANSWER_MS_MAX = 30_000

export interface Called {
  readonly status: number
  readonly body: string
}

/** One client of an API with its own address, sent as a proxy would: it counts only if the server trusts 127.0.0.1. */
export class Caller {
  readonly #agent: Agent
  readonly #address: string

  /** `keepAlive`: one connection for all requests, else one for each. */
  constructor(n: number, keepAlive = true) {
    this.#agent = new Agent({ keepAlive, maxSockets: 1 })
    this.#address = `10.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`
  }
  get(url: string, headers: Record<string, string> = {}): Promise<Called> {
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, timeout: ANSWER_MS_MAX, headers: { ...headers, 'x-forwarded-for': this.#address } }
      const request = httpGet(url, options, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body })).on('error', reject)
      })
      request.on('timeout', () => request.destroy(new Error(`no answer within ${ANSWER_MS_MAX} ms`))).on('error', reject)
    })
  }
  close(): void {
    this.#agent.destroy()
  }
}

export interface Pace {
  readonly perS: number
  /** Calls in progress; absent: any number. */
  readonly openMax?: number
  readonly isOver: () => boolean
}

/** Calls `perS` times a second until it is over, however long earlier calls take; resolves to the number of calls when all have ended. */
export const paced = async (
  { perS, openMax = Number.POSITIVE_INFINITY, isOver }: Pace,
  call: (n: number) => Promise<void>,
): Promise<number> => {
  const startedMs = performance.now()
  const open = new Set<Promise<void>>()
  let n = 0
  while (!isOver()) {
    const dueMs = startedMs + (n * 1_000) / perS
    const waitMs = dueMs - performance.now()
    if (waitMs > 0 || open.size >= openMax) {
      await pause(Math.min(Math.max(1, waitMs), 100))
      continue
    }
    const one = call(n++).finally(() => open.delete(one))
    open.add(one)
  }
  await Promise.all(open)
  return n
}

const RETRY_MS = 40

/** Outcomes of the payments so far. */
export interface Purchases {
  /** Each answered payment with the response body, by transaction. */
  readonly answered: Map<string, { readonly payment: SignedPayment; readonly body: string }>
  refused: number
  /** Violations, as text. */
  readonly broken: string[]
}

export interface Errand {
  readonly url: () => string
  readonly path: string
  readonly walletFile: string
  readonly stop: AbortSignal
  /** A request without an answer for this long is given up, and the payment is sent again; default: the official client's limits. */
  readonly answerMsMax?: number
  /** Pause after each purchase; default: none. */
  readonly restMs?: number
}

const never = new AbortController().signal

export const noPurchases = (): Purchases => ({ answered: new Map(), refused: 0, broken: [] })

/** Buys until stopped, with at most one payment in flight, across any number of server restarts. Adds to `purchases`, and returns it. */
export const buySteadily = async (
  { url, path, walletFile, stop, answerMsMax, restMs = 0 }: Errand,
  purchases = noPurchases(),
): Promise<Purchases> => {
  let pending: SignedPayment | undefined
  while (!stop.aborted || pending !== undefined) {
    try {
      const limit = (): AbortSignal => (answerMsMax === undefined ? never : AbortSignal.timeout(answerMsMax))
      pending ??= await signed(url(), path, walletFile, limit())
      if (pending !== undefined && (await isSettled(url(), pending, purchases, limit()))) {
        pending = undefined
        await pause(restMs)
      } else await pause(RETRY_MS)
    } catch {
      await pause(RETRY_MS)
    }
  }
  return purchases
}

const signed = async (url: string, path: string, walletFile: string, stop: AbortSignal): Promise<SignedPayment | undefined> => {
  const answer = await get(url + path, {}, stop)
  if (answer.status !== 402) return undefined
  const terms = termsIn(answer)
  const wallet = await readWallet(walletFile)
  const chosen = payable(terms, wallet)
  return chosen && sign(wallet, terms, chosen, url, path)
}

const isSettled = async (url: string, payment: SignedPayment, purchases: Purchases, stop: AbortSignal): Promise<boolean> => {
  const answer = await get(url + payment.path, { 'PAYMENT-SIGNATURE': payment.header }, stop)
  if (answer.status === 200) {
    const transaction = receiptIn(answer)?.transaction ?? ''
    if (transaction === '') purchases.broken.push(`a paid answer without a receipt: ${answer.body.slice(0, 80)}`)
    if (purchases.answered.has(transaction)) purchases.broken.push(`one transaction answered two payments: ${transaction}`)
    purchases.answered.set(transaction, { payment, body: answer.body })
    return true
  }
  if (answer.status === 402) {
    purchases.refused++
    return true
  }
  if (answer.status !== 409 && answer.status !== 503) purchases.broken.push(`status ${answer.status}: ${answer.body.slice(0, 200)}`)
  return false
}

/** Resends the last `newest` answered payments: each must return the same answer and charge nothing. Returns the differences. */
export const resendAll = async (url: string, { answered }: Purchases, newest: number): Promise<string[]> => {
  const differs: string[] = []
  for (const [transaction, { payment, body }] of [...answered].slice(-newest)) {
    const again = await get(url + payment.path, { 'PAYMENT-SIGNATURE': payment.header }, never)
    if (again.status !== 200 || boughtIn(again.body) !== boughtIn(body))
      differs.push(`${transaction}: ${again.status} ${again.body.slice(0, 120)}`)
  }
  return differs
}
