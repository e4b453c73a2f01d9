// Looks up an authorization on its chain: whether its nonce is used, by which transaction, and whether that paid us.
import { decodeFunctionResult, encodeEventTopics, encodeFunctionData, type Hex, parseAbi, parseEventLogs, type RpcLog } from 'viem'
import * as z from 'zod'
import { messageOf } from '../../../schemas/errors.ts'
import { paymentLimits } from '../limits.ts'
import type { Lookup, Trace } from '../rail.ts'
import { callRpc } from '../svm/chain-lookup.ts'
import { isSameAddress, type SignedAuthorization } from './authorization.ts'

/** Parts of EIP-3009 and ERC-20. */
const TOKEN = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
/** Nodes refuse wider queries; with 2 s blocks, all queries together cover about a day. */
const BLOCKS_A_QUERY = 5_000
const QUERIES_MAX = 10
/** Seconds after `validBefore`, by the chain's clock, until an unused nonce counts as never used: a margin for reorgs. */
const SETTLED_S = 60n

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value))
const headSchema = z.object({ number: hex, timestamp: hex })
const logsSchema = z.array(z.object({ topics: z.array(hex), transactionHash: hex }))
const receiptSchema = z.object({ status: hex, logs: z.array(z.custom<RpcLog>((value) => typeof value === 'object' && value !== null)) })

type Sale = Pick<Trace['requirements'], 'asset' | 'payTo' | 'amount'>

type Topics = ReturnType<typeof encodeEventTopics>

/**
 * Two RPC calls if the nonce is not used; three if it was canceled and four if it was used within the newest `BLOCKS_A_QUERY` blocks, one
 * more for each earlier query. `failed`: the nonce is used, and we were not paid.
 */
export const lookUpAuthorization = async (rpcUrl: string, signed: SignedAuthorization, sale: Sale): Promise<Lookup> => {
  try {
    const head = headSchema.parse(await callRpc(rpcUrl, 'eth_getBlockByNumber', ['latest', false]))
    if (await isUsed(rpcUrl, signed, sale.asset, head.number)) return await useOf(rpcUrl, signed, sale, Number(head.number))
    const isOver = BigInt(head.timestamp) > BigInt(signed.authorization.validBefore) + SETTLED_S
    return { kind: isOver ? 'never' : 'absent' }
  } catch (error) {
    return { kind: 'unreachable', reason: messageOf(error).slice(0, paymentLimits.reasonCharsMax) }
  }
}

const keysOf = ({ authorization: { from, nonce } }: SignedAuthorization): readonly [Hex, Hex] => [from as Hex, nonce as Hex]

const isUsed = async (rpcUrl: string, signed: SignedAuthorization, asset: string, block: Hex): Promise<boolean> => {
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'authorizationState', args: keysOf(signed) })
  const result = hex.parse(await callRpc(rpcUrl, 'eth_call', [{ to: asset, data }, block]))
  return decodeFunctionResult({ abi: TOKEN, functionName: 'authorizationState', data: result })
}

/** @throws if the nonce was used before the searched blocks. */
const useOf = async (rpcUrl: string, signed: SignedAuthorization, sale: Sale, head: number): Promise<Lookup> => {
  const [authorizer, nonce] = keysOf(signed)
  const use = encodeEventTopics({ abi: TOKEN, eventName: 'AuthorizationUsed', args: { authorizer, nonce } })
  const [used, ...keys] = use
  const [canceled] = encodeEventTopics({ abi: TOKEN, eventName: 'AuthorizationCanceled' })
  for (let query = 0, to = head; query < QUERIES_MAX && to >= 0; query++, to -= BLOCKS_A_QUERY) {
    const [fromBlock, toBlock] = [Math.max(0, to - BLOCKS_A_QUERY + 1), to].map((block) => `0x${block.toString(16)}`)
    const filter = { address: sale.asset, topics: [[used, canceled], ...keys], fromBlock, toBlock }
    const [found] = logsSchema.parse(await callRpc(rpcUrl, 'eth_getLogs', [filter]))
    if (found === undefined) continue
    const transaction = found.transactionHash
    const isPaid = found.topics[0] === used && (await paid(rpcUrl, transaction, use, signed, sale))
    return { kind: isPaid ? 'landed' : 'failed', transaction }
  }
  throw new Error(`the authorization was used more than ${BLOCKS_A_QUERY * QUERIES_MAX} blocks ago`)
}

/**
 * Checks that this use of the nonce paid us, because another authorization may have used it. USDC logs the use and then the transfer; a
 * transaction may have several of each.
 */
const paid = async (rpcUrl: string, transaction: Hex, use: Topics, { authorization }: SignedAuthorization, sale: Sale) => {
  const { logs } = receiptSchema.parse(await callRpc(rpcUrl, 'eth_getTransactionReceipt', [transaction]))
  const ofToken = logs.filter(({ address }) => isSameAddress(address, sale.asset))
  const at = ofToken.findIndex(({ topics }) => use.every((topic, i) => topics[i] === topic))
  const [transfer] = parseEventLogs({ abi: TOKEN, eventName: 'Transfer', logs: ofToken.slice(at + 1, at + 2) })
  if (at < 0 || transfer === undefined) return false
  const { from, to, value } = transfer.args
  return isSameAddress(from, authorization.from) && isSameAddress(to, sale.payTo) && value === BigInt(sale.amount)
}
