// Proves events with the receipts and headers of a node.
import * as z from 'zod'
import { numberIn } from '../../../../schemas/position.ts'
import type { Prover } from '../../../ports/proof.ts'
import { askerOf, type NodeOptions } from '../../node-question.ts'
import { RpcClient } from '../../solana/rpc/client.ts'
import { headerSchema, receiptSchema } from './block-bytes.ts'
import { logOf, type ProvenBlock, receiptProofOf, unproven } from './receipt-proof.ts'

const RECEIPTS_MAX = 20_000
const receiptsSchema = z.array(receiptSchema).max(RECEIPTS_MAX)

const OUR_WORD = [
  'that the block is on the chain: ask any node for its hash',
  'the number of a log within its block, and the hash of a transaction: receipts have neither',
  'fields of events whose list proves does not name them, and the evidence as far as it needs other events than these',
]

/** Uses eth_getBlockByNumber and eth_getBlockReceipts; each block is requested once. */
export const receiptProver = (options: NodeOptions): Prover => {
  const client = new RpcClient({ ...options, name: 'receipts' })
  const ask = askerOf((method, params, stop) => client.ask(method, params, stop), options)
  const blocks = new Map<number, Promise<ProvenBlock | string>>()
  const read = async (number: number): Promise<ProvenBlock | string> => {
    const name = `0x${number.toString(16)}`
    const header = await ask('eth_getBlockByNumber', [name, false], headerSchema)
    if (typeof header === 'string') return header
    const receipts = await ask('eth_getBlockReceipts', [name], receiptsSchema)
    if (typeof receipts === 'string') return receipts
    return unproven({ header, receipts }) ?? { header, receipts }
  }
  return {
    ourWord: OUR_WORD,
    prove: async (claim) => {
      const number = numberIn(claim.position) ?? 0
      const block = blocks.get(number) ?? read(number)
      blocks.set(number, block)
      const found = await block
      if (typeof found === 'string') return found
      if (!claim.event_id.endsWith(`@${found.header.hash.slice(2, 10)}`)) return 'the node has another block of this number'
      const log = logOf(claim, found)
      return log === undefined ? 'the block has no such log' : { of: receiptProofOf(found, log.index), log: log.log, proves: log.proves }
    },
  }
}
