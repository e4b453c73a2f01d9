// Proves events with the signed transactions of a node.
import * as z from 'zod'
import type { Prover } from '../../../ports/proof.ts'
import { askerOf, type NodeOptions } from '../../node-question.ts'
import { RpcClient } from '../rpc/client.ts'
import { provenBy, unsigned } from './signed.ts'

/** Size limit of a version 1 transaction in base64. */
const BASE64_CHARS_MAX = 8_192

const transactionSchema = z.object({ transaction: z.tuple([z.string().max(BASE64_CHARS_MAX), z.literal('base64')]) })
const CONFIG = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 }

const OUR_WORD = [
  'that the transactions succeeded, and their order: a signature covers what was sent, not what became of it',
  'amounts and coins of events whose list proves does not name them: events are emitted, not signed',
  'the evidence as far as it needs other events than these',
]

/** Uses getTransaction. */
export const transactionProver = (options: NodeOptions): Prover => {
  const client = new RpcClient({ ...options, name: 'transactions' })
  const ask = askerOf((method, params, stop) => client.ask(method, params, stop), options)
  return {
    ourWord: OUR_WORD,
    prove: async (claim) => {
      const found = await ask('getTransaction', [claim.signature, CONFIG], transactionSchema)
      if (typeof found === 'string') return found
      const [transaction] = found.transaction
      const bytes = Buffer.from(transaction, 'base64')
      return unsigned(bytes, claim.signature) ?? { of: { transaction: bytes.toString('base64') }, proves: provenBy(bytes, claim) }
    },
  }
}
