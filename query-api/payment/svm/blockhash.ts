// Asks our own node whether a payment's blockhash is still valid, so that a stale payment costs no call of the facilitator.
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { paymentLimits } from '../limits.ts'
import { callRpc } from './chain-lookup.ts'

const validitySchema = z.object({ value: z.boolean() })

/** Whether our node, asked twice, does not know the blockhash: once may be a node that is some slots behind. False without an answer. */
export const isStale = async (rpcUrl: string, blockhash: string): Promise<boolean> => {
  const isValid = async (): Promise<boolean> => {
    const params = [blockhash, { commitment: 'processed' }]
    return validitySchema.parse(await callRpc(rpcUrl, 'isBlockhashValid', params, paymentLimits.blockhashTimeoutMs)).value
  }
  try {
    if (await isValid()) return false
    await pause(paymentLimits.blockhashAgainMs)
    return !(await isValid())
  } catch {
    return false
  }
}
