// A facilitator that accepts every payment after a fixed time, and payments for it: shaped and signed like real ones, and cheap enough to
// make a hundred a second. Moves no money and keeps no accounts.
import { sign } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { PaymentRequired } from '@x402/core/types'
import bs58 from 'bs58'
import { startLocal } from '../tools/local-server.ts'
import { newKey, paymentOf } from '../tools/svm-payment.ts'

/** The recipient: any address will do. */
export const PAY_TO = 'So11111111111111111111111111111111111111112'
export const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const SIGNATURE_BYTES = 64

interface Asked {
  readonly paymentPayload: { readonly payload: { readonly transaction: string } }
}

export interface PlainFacilitator {
  readonly url: string
  /** A payment header for these terms from a new payer. */
  pay(terms: PaymentRequired): Promise<{ readonly header: string; readonly transaction: string }>
  /** Facilitator time of one payment, ms: from the first byte of a request to the last of its answer, summed; removes the entry. */
  tookMs(transaction: string): number
  close(): Promise<void>
}

export const startPlainFacilitator = async (answerMs: number): Promise<PlainFacilitator> => {
  const feePayer = newKey()
  const took = new Map<string, number>()
  const supported = {
    kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK, extra: { feePayer: feePayer.address } }],
    extensions: [],
    signers: { 'solana:*': [feePayer.address] },
  }
  const settled = (wire: Buffer): object => {
    const message = wire.subarray(1 + 2 * SIGNATURE_BYTES)
    const transaction = bs58.encode(sign(null, message, feePayer.privateKey))
    return { success: true, transaction, network: NETWORK }
  }
  const answerTo = async (path: string, transaction: string): Promise<object> => {
    await pause(answerMs)
    return path === '/verify' ? { isValid: true } : settled(Buffer.from(transaction, 'base64'))
  }
  const server = createServer(async (request, response) => {
    const startedMs = performance.now()
    const respond = (answer: object): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    if (request.url === '/supported') return respond(supported)
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { transaction } = (JSON.parse(Buffer.concat(chunks).toString()) as Asked).paymentPayload.payload
    respond(await answerTo(request.url ?? '', transaction))
    took.set(transaction, (took.get(transaction) ?? 0) + performance.now() - startedMs)
  })
  const { url, close } = await startLocal(server)
  return {
    url,
    pay: async ({ resource, accepts: [accepted], extensions }) => {
      if (accepted === undefined) throw new Error('no terms are offered')
      const { transaction } = await paymentOf(accepted, newKey())
      const payment = { x402Version: 2, resource, accepted, payload: { transaction }, extensions }
      return { header: Buffer.from(JSON.stringify(payment)).toString('base64'), transaction }
    },
    tookMs: (transaction) => {
      const ms = took.get(transaction) ?? 0
      took.delete(transaction)
      return ms
    },
    close,
  }
}
