// The buyer's side of x402: reads terms, signs with the official client, stores the last signed payment.
import { readFile } from 'node:fs/promises'
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import { parsePaymentRequired } from '@x402/core/schemas'
import type { PaymentRequired, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import * as z from 'zod'
import { EngineError, messageOf } from '../../../../schemas/errors.ts'
import { usdcAccountOf } from '../../../sandbox/genesis.ts'
import { signerOf } from '../../../sandbox/keys.ts'
import { type Wallet, writePrivateFile } from '../../../sandbox/wallet.ts'
import { inTime } from '../../../waiting/waiting.ts'

const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** For requests of terms and of free paths. */
const ANSWER_MS_MAX = 15_000
/** For paid requests: a facilitator may wait for the chain twice, 90 s each. */
const SETTLED_MS_MAX = 200_000
const BALANCE_MS_MAX = 10_000

/** The payment signed last; sending it again is the safe way to learn its outcome. */
export interface SignedPayment {
  readonly server: string
  readonly path: string
  /** PAYMENT-SIGNATURE, as sent. */
  readonly header: string
  readonly amountMicroUsdc: number
  readonly network: string
  readonly asset: string
  readonly payTo: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const signedPaymentSchema = z.object({
  server: z.string(),
  path: z.string(),
  header: z.string(),
  amountMicroUsdc: z.int().positive(),
  network: z.string(),
  asset: z.string(),
  payTo: z.string(),
})

const getWith = async (url: string, headers: Record<string, string>, signal: AbortSignal): Promise<Answer> => {
  const response = await fetch(url, { headers: { accept: 'application/json', ...headers }, redirect: 'manual', signal })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`the answer is over ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return { status: response.status, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') }
}

/** Follows no redirect: a signed payment goes only to the given server. @throws EngineError `server_unreachable` */
export const get = async (url: string, headers: Record<string, string>, stop: AbortSignal): Promise<Answer> => {
  const isPaid = Object.keys(headers).some((name) => name.toLowerCase() === 'payment-signature')
  const msMax = isPaid ? SETTLED_MS_MAX : ANSWER_MS_MAX
  try {
    return await inTime(stop, msMax, (signal) => getWith(url, headers, signal))
  } catch (cause) {
    const inner = messageOf(causeOf(cause))
    const advice = isPaid
      ? 'It is not known whether the payment was settled: run the same command with --resend, which cannot charge twice.'
      : 'Start a server with `npm start`, or name another one with --server.'
    throw new EngineError('server_unreachable', `${url} did not respond: ${inner}. ${advice}`, { retriable: true, facts: { url }, cause })
  }
}

/** The inner error: `fetch failed` alone gives no reason. */
const causeOf = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null && 'cause' in thrown && thrown.cause ? thrown.cause : thrown

/** @throws EngineError `purchase_failed` if the 402 has no terms of x402 version 2 */
export const termsIn = ({ headers, body }: Answer): PaymentRequired => {
  const header = headers.get('payment-required')
  let terms: unknown
  try {
    terms = header === null ? JSON.parse(body) : decodePaymentRequiredHeader(header)
  } catch (cause) {
    throw new EngineError('purchase_failed', 'the server asks for a payment, but its terms cannot be read.', { cause })
  }
  if (parsePaymentRequired(terms).data?.x402Version !== 2) {
    throw new EngineError('purchase_failed', 'the terms of the server are not of x402 version 2, the only one that this client supports.')
  }
  return terms as PaymentRequired
}

const stateSchema = z.object({ info: z.object({ coverage: z.enum(['full', 'thin']) }) })

/** The coverage that the terms state for the answer; null if they state none. */
export const soldCoverage = ({ extensions }: PaymentRequired): 'full' | 'thin' | null =>
  stateSchema.safeParse(extensions?.mintfold).data?.info.coverage ?? null

/** The entry of the terms that this wallet can pay in USDC; undefined when there is none. */
export const payable = (terms: PaymentRequired, wallet: Wallet): PaymentRequirements | undefined => {
  const scheme = new ExactSvmScheme({ address: wallet.address } as ConstructorParameters<typeof ExactSvmScheme>[0])
  return terms.accepts.find(
    (entry) =>
      entry.scheme === 'exact' &&
      entry.network === wallet.network &&
      /^[1-9][0-9]{0,14}$/.test(entry.amount) &&
      scheme.findDefaultAsset(entry.asset, entry.network)?.symbol === 'USDC',
  )
}

/** Signs for exactly these terms; sends nothing. @throws EngineError `purchase_failed` if the wallet's RPC cannot be reached */
export const sign = async (
  wallet: Wallet,
  terms: PaymentRequired,
  chosen: PaymentRequirements,
  server: string,
  path: string,
): Promise<SignedPayment> => {
  const amountMicroUsdc = Number(chosen.amount)
  try {
    const signer = await signerOf(Uint8Array.from(wallet.secretKey))
    const client = new x402Client()
      .register(wallet.network, new ExactSvmScheme(signer, { rpcUrl: wallet.rpcUrl }))
      .setSpendControls({ maxAmountPerPayment: amountMicroUsdc / 1e6 })
    const header = encodePaymentSignatureHeader(await client.createPaymentPayload({ ...terms, accepts: [chosen] }))
    const { network, asset, payTo } = chosen
    return { server, path, header, amountMicroUsdc, network, asset, payTo }
  } catch (cause) {
    const reason = messageOf(cause)
    const message = `no payment could be signed (${reason}); nothing was sent. The wallet uses the RPC ${wallet.rpcUrl}: is it running?`
    throw new EngineError('purchase_failed', message, { retriable: true, cause })
  }
}

export const savePayment = (file: string, payment: SignedPayment): Promise<void> => writePrivateFile(file, `${JSON.stringify(payment)}\n`)

/** Undefined if no payment was signed yet, or if the file cannot be read. */
export const loadPayment = async (file: string): Promise<SignedPayment | undefined> => {
  try {
    return signedPaymentSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** The settlement that the server reports; undefined if it reports none, or none that can be read. */
export const receiptIn = ({ headers }: Answer): SettleResponse | undefined => {
  const header = headers.get('payment-response')
  if (header === null) return undefined
  try {
    return decodePaymentResponseHeader(header)
  } catch {
    return undefined
  }
}

const balanceSchema = z.object({ result: z.object({ value: z.object({ amount: z.string() }) }) })

/** USDC balance of the wallet, from the wallet's own RPC; undefined if the RPC does not return one. */
export const balanceMicroUsdc = async (wallet: Wallet, asset: string): Promise<number | undefined> => {
  try {
    const account = await usdcAccountOf(wallet.address, asset)
    const params = [account, { commitment: 'confirmed' }]
    const response = await fetch(wallet.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenAccountBalance', params }),
      signal: AbortSignal.timeout(BALANCE_MS_MAX),
    })
    return Number(balanceSchema.parse(await response.json()).result.value.amount)
  } catch {
    return undefined
  }
}
