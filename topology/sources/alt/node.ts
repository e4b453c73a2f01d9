// The node port: what the source asks of an EVM node. Adapters: viem-node.ts, test/fakes/evm-node.ts; one contract suite in test/contract.
//
// Hashes, addresses, topics and data are lower case hex with 0x, as the node's interface has them. Whatever a node answers is checked by
// the adapter for its form alone: whether answers agree with each other is checked in checked-range.ts.
import { EngineError } from '../../../schemas/errors.ts'

/** A block by number and hash, with the one it builds on. */
export interface Head {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
}

/** A transaction of a block; its place in the list is its index. */
export interface NodeTransaction {
  readonly hash: string
  readonly from: string
  /** Null where the transaction creates a contract. */
  readonly to: string | null
}

export interface NodeBlock extends Head {
  /** Unix seconds. */
  readonly time: number
  /** Filter of all addresses and topics of the block's logs, 256 bytes. */
  readonly logsBloom: string
  /** Null where they were not asked for. */
  readonly transactions: readonly NodeTransaction[] | null
}

export interface NodeLog {
  readonly blockNumber: number
  readonly blockHash: string
  readonly transactionHash: string
  readonly transactionIndex: number
  /** Place among all logs of the block. */
  readonly logIndex: number
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** Blocks of which logs are asked for: numbers, both included, or one block by its hash. */
export type LogRange = { readonly from: number; readonly to: number } | { readonly hash: string }

/** The node's marks of how sure a block is. */
export type FinalityTag = 'safe' | 'finalized'

/**
 * Why a node gave no answer. `limited`: too many requests; `range`: the range or its answer is too large; `late`: no answer in time;
 * `unreachable`: no connection, or it broke; `refused`: an error of the node, or a status; `unreadable`: bytes that are no answer.
 */
export type Trouble = 'limited' | 'range' | 'late' | 'unreachable' | 'refused' | 'unreadable'

/** A failed request. Its words hold no address: that may have a key. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  readonly trouble: Trouble
  /** How long the node asks not to be asked, ms; 0 where it does not say. */
  readonly waitMs: number

  constructor(trouble: Trouble, words: string, waitMs = 0) {
    super(words)
    this.trouble = trouble
    this.waitMs = waitMs
  }
}

/** Blocks of one request at most: public nodes refuse larger batches (23 failed, 8 held). */
export const BLOCKS_BATCH_MAX = 8

/** Every method rejects with NodeFailure when the node fails, and once `stop` fires. None retries. */
export interface EvmNode {
  chainId(stop: AbortSignal): Promise<number>
  /** The newest block, without transactions. */
  latest(stop: AbortSignal): Promise<NodeBlock>
  /** The newest block that the tag covers; null where the node does not serve the tag. */
  tagged(tag: FinalityTag, stop: AbortSignal): Promise<Head | null>
  /** Blocks by number or hash in the order asked, at most BLOCKS_BATCH_MAX; null for those that the node does not have. */
  blocks(at: readonly (number | string)[], withTransactions: boolean, stop: AbortSignal): Promise<readonly (NodeBlock | null)[]>
  /** Logs whose first topic is one of `topics`, of any contract, in no promised order. */
  logs(range: LogRange, topics: readonly string[], stop: AbortSignal): Promise<readonly NodeLog[]>
  /** Calls `told` for each block that the node announces; resolves or rejects when the subscription ends. Null where there is none. */
  readonly heads: ((told: (head: Head) => void, stop: AbortSignal) => Promise<void>) | null
}

/** The node follows another branch behind what it had called final, or behind all that is known of ours. Nothing has changed. */
export const finalityBroken = (facts: { readonly finalized: number; readonly head: number; readonly branch: string }): EngineError =>
  new EngineError(
    'finality_broken',
    `the node follows another branch than ours at block ${facts.head}, and shares no block with ours from ${facts.finalized} on`,
    { facts },
  )
