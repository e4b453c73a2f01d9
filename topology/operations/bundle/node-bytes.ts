// Bytes of the chain from a node, within limits: what it does not have, or not in time, is a reason.
import { z } from 'zod'
import type { Notice } from '../../ports/notice.ts'
import { RpcClient } from '../../sources/solana/rpc/client.ts'
import type { ProvenBlock } from './alt-proof.ts'
import type { ChainBytes } from './bundle.ts'
import { headerSchema, receiptSchema } from './evm-forms.ts'

/** Of one question, tries included. */
const ASK_MS_MAX = 15_000
/** Of a transaction of version 1, in base64. */
const BASE64_CHARS_MAX = 8_192
const RECEIPTS_MAX = 20_000

const transactionSchema = z.object({ transaction: z.tuple([z.string().max(BASE64_CHARS_MAX), z.literal('base64')]) })
const receiptsSchema = z.array(receiptSchema).max(RECEIPTS_MAX)

export interface NodeOptions {
  /** http(s); may hold a key. */
  readonly url: string
  readonly notice: Notice
  readonly msMax?: number
}

const asker = ({ url, notice, msMax = ASK_MS_MAX }: NodeOptions, name: string) => {
  const client = new RpcClient({ url, name, notice, answerMsMax: msMax })
  return async <T>(method: string, params: readonly unknown[], form: z.ZodType<T>): Promise<T | string> => {
    const answer = await client.ask(method, params, AbortSignal.timeout(msMax))
    if (!answer.ok)
      return answer.code === 'stopped'
        ? `the node did not answer ${method} in ${msMax / 1_000} s`
        : `the node says of ${method}: ${answer.words}`
    if (answer.result === null) return `the node has no answer to ${method}: it does not keep so old ones, or knows another branch`
    const read = form.safeParse(answer.result)
    return read.success ? read.data : `the node answers ${method} in a form that is not known`
  }
}

/** Signed transactions by getTransaction. */
export const solanaBytes = (options: NodeOptions): ChainBytes => {
  const ask = asker(options, 'transactions')
  return {
    transaction: async (signature) => {
      const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 }
      const found = await ask('getTransaction', [signature, config], transactionSchema)
      return typeof found === 'string' ? found : Buffer.from(found.transaction[0], 'base64')
    },
  }
}

/** Headers and receipts by eth_getBlockByNumber and eth_getBlockReceipts; each block is asked for once. */
export const evmBytes = (options: NodeOptions): ChainBytes => {
  const ask = asker(options, 'receipts')
  const blocks = new Map<number, Promise<ProvenBlock | string>>()
  const read = async (number: number): Promise<ProvenBlock | string> => {
    const name = `0x${number.toString(16)}`
    const header = await ask('eth_getBlockByNumber', [name, false], headerSchema)
    if (typeof header === 'string') return header
    const receipts = await ask('eth_getBlockReceipts', [name], receiptsSchema)
    return typeof receipts === 'string' ? receipts : { header, receipts }
  }
  return {
    block: (number) => {
      const block = blocks.get(number) ?? read(number)
      blocks.set(number, block)
      return block
    },
  }
}
