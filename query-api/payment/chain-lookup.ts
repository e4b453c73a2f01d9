// Looks a payment up on Solana: the only thing that can settle what became of an uncertain settlement.
import { z } from 'zod'
import { messageOf } from '../../schemas/errors.ts'
import { paymentLimits } from './limits.ts'
import type { Lookup } from './rail.ts'
import { isSignatureOf, type SignedTransaction } from './signed-transaction.ts'

const signaturesSchema = z.array(z.object({ signature: z.string(), err: z.unknown(), blockTime: z.number().nullish() }))
type Signatures = z.infer<typeof signaturesSchema>

/**
 * The payer's newest signatures, each checked against our message with the fee payer's key: one RPC call, three when it is late.
 * @param triedAtMs when its settlement was first asked for; @param nowMs wall time.
 */
export const lookUp = async (rpcUrl: string, transaction: SignedTransaction, triedAtMs: number, nowMs: number): Promise<Lookup> => {
  try {
    const params = [transaction.payer, { limit: paymentLimits.lookupSignaturesMax, commitment: 'confirmed' }]
    const signatures = signaturesSchema
      .parse(await callRpc(rpcUrl, 'getSignaturesForAddress', params))
      .slice(0, paymentLimits.lookupSignaturesMax)
    const found = signatures.find(({ signature }) => isSignatureOf(signature, transaction))
    if (found !== undefined) return { kind: (found.err ?? null) === null ? 'landed' : 'failed', transaction: found.signature }
    const isLate = nowMs - triedAtMs > paymentLimits.landWithinMs && reachesBack(signatures, triedAtMs)
    return isLate && (await isNodePast(rpcUrl, triedAtMs + paymentLimits.landWithinMs)) ? { kind: 'never' } : { kind: 'absent' }
  } catch (error) {
    return { kind: 'unreachable', reason: messageOf(error).slice(0, paymentLimits.reasonCharsMax) }
  }
}

/** Whether a list that may be cut off covers all since then. */
const reachesBack = (signatures: Signatures, sinceMs: number): boolean => {
  const oldest = signatures.at(-1)?.blockTime
  return (
    signatures.length < paymentLimits.lookupSignaturesMax ||
    (typeof oldest === 'number' && oldest * 1000 < sinceMs - paymentLimits.landWithinMs)
  )
}

/** A node that lags would miss what has landed. */
const isNodePast = async (rpcUrl: string, timeMs: number): Promise<boolean> => {
  const slot = z.number().parse(await callRpc(rpcUrl, 'getSlot', [{ commitment: 'confirmed' }]))
  const blockTimeS = z
    .number()
    .nullable()
    .parse(await callRpc(rpcUrl, 'getBlockTime', [slot]))
  return blockTimeS !== null && blockTimeS * 1000 > timeMs
}

/** One JSON-RPC call within the limits of a look at a chain. @throws when it gives no result. */
export const callRpc = async (rpcUrl: string, method: string, params: unknown[]): Promise<unknown> => {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(paymentLimits.lookupTimeoutMs),
  })
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > paymentLimits.lookupBytesMax) throw new Error(`more than ${paymentLimits.lookupBytesMax} bytes from ${method}`)
    chunks.push(chunk)
  }
  const { result } = z.object({ result: z.unknown() }).parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
  if (result === undefined) throw new Error(`${method} gave no result (HTTP ${response.status})`)
  return result
}
