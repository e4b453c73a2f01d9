// Asks our own node whether a payment's blockhash is still valid, so that a stale payment costs no call of the facilitator.
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { paymentLimits } from '../limits.ts'
import { callRpc, isNodePast } from './chain-lookup.ts'

const validitySchema = z.object({ value: z.boolean() })

export interface BlockhashNode {
  readonly rpcUrl: string
  /** CAIP-2 id of the payment's network. */
  readonly network: string
}

/**
 * False unless our node surely knows every blockhash that the payer may have seen, and not this one: the node is of the payment's network,
 * has passed the time at which the payment arrived, and is asked again then. One RPC call for a valid blockhash.
 * @param nowMs wall time.
 */
export const isStale = async (node: BlockhashNode, blockhash: string, nowMs: number): Promise<boolean> => {
  try {
    if (await isValid(node, blockhash)) return false
    await pause(paymentLimits.blockhashAgainMs)
    return (await isOfNetwork(node)) && (await isNodePast(node.rpcUrl, nowMs)) && !(await isValid(node, blockhash))
  } catch {
    return false
  }
}

const isValid = async ({ rpcUrl }: BlockhashNode, blockhash: string): Promise<boolean> => {
  const params = [blockhash, { commitment: 'processed' }]
  return validitySchema.parse(await callRpc(rpcUrl, 'isBlockhashValid', params, paymentLimits.blockhashTimeoutMs)).value
}

/** The CAIP-2 id of a Solana network is the start of its genesis hash. */
const isOfNetwork = async ({ rpcUrl, network }: BlockhashNode): Promise<boolean> =>
  z
    .string()
    .parse(await callRpc(rpcUrl, 'getGenesisHash', []))
    .startsWith(network.slice(network.indexOf(':') + 1))
