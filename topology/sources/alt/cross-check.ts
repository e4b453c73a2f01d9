// Compares the launchpad's logs of every block with a second node, in parallel to capture: a transaction that only the second node has
// is recorded as missing. Quiet blocks are checked with the frame that includes them.
import { HEX_KEYS, mustHexKey } from '../../../schemas/keys.ts'
import type { Missing } from '../../../schemas/types.ts'
import type { Notice } from '../../ports/notice.ts'
import { inTime, pause } from '../../waiting/waiting.ts'
import { type CheckedBlock, CheckQueue } from '../checks/check-queue.ts'
import { LACKS, type Verdict } from '../checks/verdicts.ts'
import type { LaunchpadLogs } from './launchpad-logs.ts'
import { type EvmNode, NodeFailure, type NodeLog } from './node.ts'
import { SPAN_BLOCKS_MAX } from './span.ts'
import type { FrameBlock } from './step.ts'

/** How long a check waits for the second node, which may receive a block later; then the block stays unchecked. */
const WAIT_MS_MAX = 4_000
/** The same while the node is unreachable. */
const AWAY_WAIT_MS_MAX = 500
const POLL_MS = 200
/** Frames per request: at one frame a second or more, about 320 blocks. */
const BATCH_MAX = 32
/** Delay before requesting a partial batch: blocks come every 100 ms, and nodes count requests. */
const GATHER_MS = 200
/** Maximum of frames being checked or waiting: the frames of one step, so that a recording can wait for all of them. */
export const CHECKS_MAX = SPAN_BLOCKS_MAX

export interface AltCheckOptions {
  /** The second node. */
  readonly node: EvmNode
  readonly launchpad: Pick<LaunchpadLogs, 'topics' | 'kept'>
  readonly notice: Notice
  /** Default: the limit of this file. */
  readonly waitMsMax?: number
}

/** The data to check a frame and the quiet blocks before it. The hash has no 0x, as in frames. */
interface Checked extends CheckedBlock {
  /** Transaction of each log that the frame contains. */
  readonly ours: ReadonlyMap<string, string>
  /** True for tokens known by now. */
  readonly hasToken: (address: string) => boolean
}

/** The content of a log as text, equal if two nodes agree about the log. */
const textOf = ({ transactionHash, logIndex, address, topics, data }: NodeLog): string =>
  `${transactionHash} ${logIndex} ${address} ${topics.join()} ${data}`

const textsOf = (logs: readonly NodeLog[]): ReadonlyMap<string, string> => new Map(logs.map((log) => [textOf(log), log.transactionHash]))

export class AltCheck {
  readonly #options: AltCheckOptions
  readonly #queue: CheckQueue<Checked>

  constructor(options: AltCheckOptions) {
    this.#options = options
    this.#queue = new CheckQueue({
      ...{ unit: 'block', atOnceMax: 1, batchMax: BATCH_MAX, checksMax: CHECKS_MAX, notice: options.notice },
      check: (batch, isAway, stop) => this.#check(batch, isAway, stop),
    })
  }
  /** Starts checking a frame and the quiet blocks before it in the background; `settled` returns its verdict later. */
  begin({ block, parent, logs }: FrameBlock, hasToken: Checked['hasToken'], stop: AbortSignal): void {
    const { number, hash } = block
    this.#queue.begin({ from: parent.number + 1, number, hash: hash.slice(2), ours: textsOf(logs), hasToken }, stop)
  }
  /** Verdicts since the last call, in no particular order. */
  settled(): readonly Verdict[] {
    return this.#queue.settled()
  }
  /** Resolves when no check is in progress. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  async #check(batch: readonly Checked[], isAway: boolean, stop: AbortSignal): Promise<readonly Verdict[] | undefined> {
    const { waitMsMax = WAIT_MS_MAX } = this.#options
    if (batch.length < BATCH_MAX) await pause(GATHER_MS, stop)
    return inTime(stop, isAway ? Math.min(AWAY_WAIT_MS_MAX, waitMsMax) : waitMsMax, async (until) => {
      let found: readonly Found[] | undefined
      // A difference is requested twice: a node may lag its own head, or switch branches between two responses.
      for (let isSure = false; !isSure && !until.aborted; ) {
        const before = found
        found = await this.#compare(batch, until)
        isSure = found?.every(({ missing, extra }) => missing.length + extra === 0) === true || (found && before) !== undefined
        if (!isSure) await pause(POLL_MS, until)
      }
      return found?.map((one) => this.#verdictOf(one))
    })
  }
  /** Undefined if the request fails, or if the node does not have these blocks. */
  async #compare(batch: readonly Checked[], stop: AbortSignal): Promise<readonly Found[] | undefined> {
    const { node, launchpad } = this.#options
    const [first, last] = [batch[0], batch.at(-1)]
    if (first === undefined || last === undefined) return []
    try {
      const [block] = await node.blocks([last.number], false, stop)
      if (block?.hash !== `0x${last.hash}`) return undefined
      const logs = await node.logs({ from: first.from, to: last.number }, launchpad.topics, stop)
      if (batch.some(({ number, hash }) => logs.some((log) => log.blockNumber === number && log.blockHash !== `0x${hash}`)))
        return undefined
      return this.#differences(batch, logs)
    } catch (failure) {
      if (failure instanceof NodeFailure) return undefined
      throw failure
    }
  }
  #differences(batch: readonly Checked[], logs: readonly NodeLog[]): readonly Found[] {
    const byBlock = new Map<number, NodeLog[]>()
    for (const log of [...logs].sort((a, b) => a.logIndex - b.logIndex)) {
      const ofBlock = byBlock.get(log.blockNumber)
      if (ofBlock === undefined) byBlock.set(log.blockNumber, [log])
      else ofBlock.push(log)
    }
    return batch.map((checked) => this.#difference(checked, byBlock))
  }
  /** If only the second node has the launch of a token, the token counts only in this check: our later frames lack its logs anyway. */
  #difference(checked: Checked, byBlock: ReadonlyMap<number, readonly NodeLog[]>): Found {
    const { from, number, ours, hasToken } = checked
    const theirs: NodeLog[] = []
    const launched = new Set<string>()
    for (let at = from; at <= number; at++) {
      const kept = this.#options.launchpad.kept(byBlock.get(at) ?? [], hasToken)
      for (const token of kept.launched) launched.add(token)
      theirs.push(...kept.logs)
    }
    const absent = new Map<string, NodeLog[]>()
    for (const log of theirs) if (!ours.has(textOf(log))) absent.set(log.transactionHash, [...(absent.get(log.transactionHash) ?? []), log])
    const texts = textsOf(theirs)
    const extra = new Set([...ours].flatMap(([text, transaction]) => (texts.has(text) ? [] : [transaction]))).size
    const isToken = (address: string): boolean => launched.has(address) || hasToken(address)
    return { checked, extra, missing: [...absent.values()].map((lost) => missingOf(lost, isToken)) }
  }
  #verdictOf({ checked: { number, hash }, extra, missing }: Found): Verdict {
    const { notice } = this.#options
    if (extra > 0) notice('second_source_lacks', { block: number, transactions: extra })
    if (missing.length > 0) notice('first_source_lacks', { block: number, transactions: missing.length })
    return { number, hash, missing, isWhole: missing.length === 0 }
  }
}

interface Found {
  readonly checked: Checked
  /** Number of our transactions that the second node lacks, or has with other logs. */
  readonly extra: number
  /** Transactions of which we lack logs, or have other ones. */
  readonly missing: readonly Missing[]
}

/** The missing entry for the logs of one transaction. */
const missingOf = (logs: readonly NodeLog[], isToken: (address: string) => boolean): Missing => {
  const [{ blockNumber, transactionHash } = { blockNumber: 0, transactionHash: '' }] = logs
  const tokens = new Set(logs.flatMap(({ address }) => (isToken(address) ? [HEX_KEYS.print(mustHexKey(address))] : [])))
  return { from: blockNumber, to: blockNumber, reason: LACKS, signature: transactionHash, mints: [...tokens] }
}
