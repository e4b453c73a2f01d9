// Looks up a payment on Solana, which resolves uncertain settlements.
import * as z from 'zod'
import { messageOf } from '../../../schemas/errors.ts'
import { paymentLimits } from '../limits.ts'
import type { Lookup } from '../rail.ts'
import { isSignatureOf, type SignedTransaction } from './signed-transaction.ts'

const signaturesSchema = z.array(z.object({ signature: z.string(), err: z.unknown(), blockTime: z.number().nullish() }))
type Signature = z.infer<typeof signaturesSchema>[number]

/** `found`: undefined if the payment is not among the read signatures. `isWhole`: all signatures that it could be among were read. */
interface Found {
  readonly found: Signature | undefined
  readonly isWhole: boolean
}

/**
 * Reads the payer's newest signatures, page by page back to the first attempt, and verifies each against our message with the fee payer's
 * key. Mostly one RPC call; one more per 200 newer transactions of the payer, two more if the payment is late.
 * @param pagesMax limit of pages. @param triedAtMs time of the first settlement attempt. @param nowMs wall time.
 */
export const lookUp = async (
  rpcUrl: string,
  transaction: SignedTransaction,
  { triedAtMs, pagesMax }: { readonly triedAtMs: number; readonly pagesMax: number },
  nowMs: number,
): Promise<Lookup> => {
  try {
    const { found, isWhole } = await search(rpcUrl, transaction, triedAtMs, pagesMax)
    if (found !== undefined) return { kind: (found.err ?? null) === null ? 'landed' : 'failed', transaction: found.signature }
    const isLate = isWhole && nowMs - triedAtMs > paymentLimits.landWithinMs
    return isLate && (await isNodePast(rpcUrl, triedAtMs + paymentLimits.landWithinMs)) ? { kind: 'never' } : { kind: 'absent' }
  } catch (error) {
    return { kind: 'unreachable', reason: messageOf(error).slice(0, paymentLimits.reasonCharsMax) }
  }
}

const search = async (rpcUrl: string, transaction: SignedTransaction, triedAtMs: number, pagesMax: number): Promise<Found> => {
  const limit = paymentLimits.lookupSignaturesMax
  const endMs = performance.now() + paymentLimits.lookupAllMs
  let before: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    if (performance.now() > endMs) throw new Error(`no answer within ${paymentLimits.lookupAllMs} ms, after ${page} pages`)
    const asked = { limit, commitment: 'confirmed', ...(before !== undefined && { before }) }
    const signatures = signaturesSchema.parse(await callRpc(rpcUrl, 'getSignaturesForAddress', [transaction.payer, asked])).slice(0, limit)
    const found = signatures.find(({ signature }) => isSignatureOf(signature, transaction))
    const oldest = signatures.at(-1)
    // A node that does not know `before` (it lags, or has dropped it) returns an empty page: the result is incomplete.
    if (oldest === undefined) return { found: undefined, isWhole: before === undefined }
    if (found !== undefined || signatures.length < limit || isEarlier(oldest, triedAtMs)) return { found, isWhole: true }
    before = oldest.signature
  }
  return { found: undefined, isWhole: false }
}

/** Landed before this payment could have: older signatures need not be read. */
const isEarlier = ({ blockTime }: Signature, triedAtMs: number): boolean =>
  typeof blockTime === 'number' && blockTime * 1000 < triedAtMs - paymentLimits.landWithinMs

/** Whether the node has reached `timeMs`: a lagging node would miss a landed payment. */
export const isNodePast = async (rpcUrl: string, timeMs: number): Promise<boolean> => {
  const slot = z.number().parse(await callRpc(rpcUrl, 'getSlot', [{ commitment: 'confirmed' }]))
  const blockTimeS = z
    .number()
    .nullable()
    .parse(await callRpc(rpcUrl, 'getBlockTime', [slot]))
  return blockTimeS !== null && blockTimeS * 1000 > timeMs
}

/** One JSON-RPC call within the limits of a chain lookup. @throws if there is no result. */
export const callRpc = async (
  rpcUrl: string,
  method: string,
  params: unknown[],
  timeoutMs: number = paymentLimits.lookupTimeoutMs,
): Promise<unknown> => {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > paymentLimits.lookupBytesMax) throw new Error(`more than ${paymentLimits.lookupBytesMax} bytes from ${method}`)
    chunks.push(chunk)
  }
  const { result } = z.object({ result: z.unknown() }).parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
  if (result === undefined) throw new Error(`${method} returned no result (HTTP ${response.status})`)
  return result
}
