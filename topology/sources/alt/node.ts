// The node port: the source's requests to an EVM node. Adapters: viem-node.ts, test/fakes/evm-node.ts; one contract suite in test/contract.
//
// Hashes, addresses, topics and data are lower case hex with 0x, as in the node's interface. The adapter checks only the form of
// responses: checked-range.ts checks whether they are consistent.
import { EngineError } from '../../../schemas/errors.ts'

/** A block by number and hash, with its parent's hash. */
export interface BlockHead {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
}

/** A transaction of a block; its index in the list is its index in the block. */
export interface NodeTransaction {
  readonly hash: string
  readonly from: string
  /** Null if the transaction creates a contract. */
  readonly to: string | null
}

export interface NodeBlock extends BlockHead {
  /** Unix seconds. */
  readonly time: number
  /** Bloom filter of all addresses and topics of the block's logs, 256 bytes. */
  readonly logsBloom: string
  /** Null if not requested. */
  readonly transactions: readonly NodeTransaction[] | null
}

export interface NodeLog {
  readonly blockNumber: number
  readonly blockHash: string
  readonly transactionHash: string
  readonly transactionIndex: number
  /** Index among all logs of the block. */
  readonly logIndex: number
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** Blocks whose logs are requested: an inclusive range of numbers, or one block by its hash. */
export type LogRange = { readonly from: number; readonly to: number } | { readonly hash: string }

/** The node's finality tags. */
export type FinalityTag = 'safe' | 'finalized'

/**
 * Why a request failed. `limited`: too many requests; `range`: the range or its response is too large; `late`: timeout;
 * `unreachable`: no connection, or it broke; `refused`: an error of the node, or an HTTP status; `unreadable`: not a valid response.
 */
export type Trouble = 'limited' | 'range' | 'late' | 'unreachable' | 'refused' | 'unreadable'

/** A failed request. Its message has no URL, which may contain a key. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  readonly trouble: Trouble
  /** Retry-after of the node, ms; 0 if not given. */
  readonly waitMs: number

  constructor(trouble: Trouble, words: string, waitMs = 0) {
    super(words)
    this.trouble = trouble
    this.waitMs = waitMs
  }
}

/** Blocks per request: public nodes refuse larger batches (23 failed, 8 worked). */
export const BLOCKS_BATCH_MAX = 8

/** Every method rejects with NodeFailure if the node fails, and once `stop` fires. Adapters do not retry: `steadyNode` does. */
export interface EvmNode {
  chainId(stop: AbortSignal): Promise<number>
  /** The newest block, without transactions. */
  latest(stop: AbortSignal): Promise<NodeBlock>
  /** The newest block of the tag; null if the node does not serve the tag. */
  tagged(tag: FinalityTag, stop: AbortSignal): Promise<BlockHead | null>
  /** Blocks by number or hash in the given order, at most BLOCKS_BATCH_MAX; null for those that the node does not have. */
  blocks(at: readonly (number | string)[], withTransactions: boolean, stop: AbortSignal): Promise<readonly (NodeBlock | null)[]>
  /** Logs whose first topic is one of `topics`, of any contract, in no particular order. */
  logs(range: LogRange, topics: readonly string[], stop: AbortSignal): Promise<readonly NodeLog[]>
  /** Calls `told` for each announced block; resolves or rejects when the subscription ends. Null if not supported. */
  readonly heads: ((told: (head: BlockHead) => void, stop: AbortSignal) => Promise<void>) | null
}

/** The error if the node follows a branch that forks off below its final block, or below all blocks known to us. Nothing was changed. */
export const finalityBroken = (facts: { readonly finalized: number; readonly head: number; readonly branch: string }): EngineError =>
  new EngineError(
    'finality_broken',
    `the node follows another branch than ours at block ${facts.head}, and shares no block with ours from ${facts.finalized} on`,
    { facts },
  )
