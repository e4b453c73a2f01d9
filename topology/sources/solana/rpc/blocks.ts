// getBlock: a slot's block, or whether it does not exist, does not exist yet, or is no longer available.
import { rpcBlockSteps } from '../../../../processors/chains/solana/encodings/rpc-json.ts'
import { pause, runInSlices } from '../../../waiting/waiting.ts'
import type { BlockAnswer, BlockReader, PlacedBlock } from '../feed.ts'
import type { RpcAnswer, RpcClient } from './client.ts'

/** The newest supported transaction version (SIMD-0385). */
export const TRANSACTION_VERSION_MAX = 1
/** How long to wait for an announced block, and the poll interval. */
const LATER_MS_MAX = 20_000
const LATER_POLL_MS = 200
/** Time budget of parsing a block between two yields to the event loop. */
export const SLICE_MS = 2

/** JSON-RPC error codes of Solana nodes (rpc-client-api, custom_error.rs). */
const SKIPPED: ReadonlySet<unknown> = new Set([-32_007, -32_009])
const LATER: ReadonlySet<unknown> = new Set([-32_004, -32_014])
const CLEANED_UP = -32_001
const VERSION_UNKNOWN = -32_015

export class RpcBlocks implements BlockReader {
  readonly #client: RpcClient
  readonly #laterMsMax: number

  /** `laterMsMax` defaults to the limit of this file; tests pass less. */
  constructor(client: RpcClient, laterMsMax = LATER_MS_MAX) {
    this.#client = client
    this.#laterMsMax = laterMsMax
  }
  async block(slot: number, stop: AbortSignal): Promise<BlockAnswer> {
    const untilMs = performance.now() + this.#laterMsMax
    for (;;) {
      const answer = await this.once(slot, stop)
      if (answer.ok || answer.kind !== 'later' || stop.aborted || performance.now() >= untilMs) return answer
      await pause(LATER_POLL_MS, stop)
    }
  }
  /** One request, without waiting. */
  async once(slot: number, stop: AbortSignal): Promise<BlockAnswer> {
    const config = {
      encoding: 'json',
      transactionDetails: 'full',
      rewards: false,
      commitment: 'confirmed',
      maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
    }
    return await answerOf(slot, await this.#client.ask('getBlock', [slot, config], stop))
  }
}

const answerOf = async (slot: number, answer: RpcAnswer): Promise<BlockAnswer> => {
  if (!answer.ok) return refusal(answer.code, answer.words)
  if (answer.result === null) return { ok: false, kind: 'later', reason: 'the node has no block there yet' }
  const block = await runInSlices(rpcBlockSteps(answer.result, slot), SLICE_MS)
  const { hash, parentSlot, parentHash } = block ?? {}
  if (
    block === undefined ||
    typeof hash !== 'string' ||
    typeof parentSlot !== 'number' ||
    typeof parentHash !== 'string' ||
    parentSlot >= slot
  )
    return { ok: false, kind: 'unreadable', reason: 'the answer of the node is not a block' }
  const placed: PlacedBlock = { ...block, slot, hash, parentSlot, parentHash }
  return { ok: true, block: placed }
}

const refusal = (code: number | 'unreadable' | 'stopped', words: string): BlockAnswer => {
  if (code === 'stopped' || LATER.has(code)) return { ok: false, kind: 'later', reason: 'the node did not have the block in time' }
  if (SKIPPED.has(code)) return { ok: false, kind: 'skipped', reason: 'the node says that the slot was skipped, or lacks it' }
  if (code === CLEANED_UP) return { ok: false, kind: 'gone', reason: 'the node does not keep blocks that old' }
  if (code === VERSION_UNKNOWN)
    return { ok: false, kind: 'unreadable', reason: `a transaction of the block has a version above ${TRANSACTION_VERSION_MAX}` }
  if (code === 'unreadable') return { ok: false, kind: 'unreadable', reason: 'the answers of the node could not be read' }
  return { ok: false, kind: 'gone', reason: `the node refuses the block: ${code} ${words}` }
}
