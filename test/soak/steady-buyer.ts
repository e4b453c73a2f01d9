// A buyer who never gives up on a signed payment: retries until it is answered or refused.
import { setTimeout as pause } from 'node:timers/promises'
import { get, payable, receiptIn, type SignedPayment, sign, termsIn } from '../../topology/cli/commands/buy/buyer.ts'
import { readWallet } from '../../topology/sandbox/wallet.ts'
import { boughtIn } from '../tools/bought.ts'

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
