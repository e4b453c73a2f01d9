// Follows a node's chain: next blocks, frames to roll back in a reorg, and finality. Never proceeds with responses that are not linked to
// our own blocks by hash.
import { retryUntil } from '../../waiting/retry.ts'
import { searchAncestor } from './ancestor.ts'
import { type LoggedBlock, withLogs } from './checked-range.ts'
import { HeadWake } from './head-wake.ts'
import { type BlockHead, finalityBroken, NodeFailure, type NodeLog } from './node.ts'
import { RangeReader } from './range-reader.ts'
import { type Range, Span } from './span.ts'
import type { Checkpoint, FrameBlock, Step } from './step.ts'
import { Tags, type TagsOptions } from './tags.ts'
import { type OwnBlock, Window } from './window.ts'

/** A first start begins this far behind the newest block: a fork below the first frame could not be followed. */
const FIRST_BLOCKS = 128
const RETRY = { firstMs: 10, maxMs: 1_000 }

export interface FollowerOptions extends TagsOptions {
  /** First topics of the logs to request. */
  readonly topics: readonly string[]
  /** Selects the launchpad's logs of a block. Called in chain order; again for blocks that are read again after a failure or a fork. */
  readonly keep: (block: number, logs: readonly NodeLog[]) => readonly NodeLog[]
  /** As for `HeadWake`. */
  readonly silentMsMax?: number
  /** First block of a first start; absent: shortly behind the newest block. */
  readonly firstBlock?: number
}

/** Responses that must be requested again. The message states a contradiction to report; it is empty if the node may only lag. */
class Unsettled extends Error {}

export class Follower {
  readonly #options: FollowerOptions
  readonly #reader: RangeReader
  readonly #wake: HeadWake
  readonly #span = new Span()
  readonly #tags: Tags
  #window: Window
  /** The newest block that the node reported; null if the node must be polled (`#isPollDue`), or there is nothing to do. */
  #target: BlockHead | null = null
  #isPollDue = true
  #isContradicting = false

  constructor(options: FollowerOptions, { blocks, sure }: Checkpoint) {
    this.#options = options
    this.#reader = new RangeReader(options.node, options.topics)
    this.#wake = new HeadWake(options.node, options.notice, options.silentMsMax)
    this.#window = new Window(blocks)
    this.#tags = new Tags(options, sure)
  }
  /** Our newest block, with or without a frame. */
  get head(): OwnBlock | null {
    return this.#window.head
  }
  has(block: Pick<BlockHead, 'number' | 'hash'>): boolean {
    return this.#window.has(block)
  }
  /**
   * Yields steps until `stop`; retries failures of the node. The next step is computed after the previous one is taken.
   * @throws EngineError `finality_broken` while the node follows a branch that forks off below a final block, or below all blocks kept
   * here; may be called again
   */
  async *steps(stop: AbortSignal): AsyncIterable<Step> {
    const ended = new AbortController()
    const until = AbortSignal.any([stop, ended.signal])
    const following = this.#wake.follow(until)
    try {
      while (!stop.aborted) {
        const step = await retryUntil(stop, () => this.#next(stop), { ...RETRY, isPassing, failed: (failure) => this.#failed(failure) })
        if (step === undefined) return
        if (step === 'idle') await this.#idle(stop)
        else if (step.revertTo !== null || step.frames.length > 0 || step.sure !== null) yield step
      }
    } finally {
      ended.abort()
      await following
    }
  }

  async #idle(stop: AbortSignal): Promise<void> {
    await this.#wake.wait(stop)
    this.#target = this.#wake.take()
    this.#isPollDue = this.#target === null
  }
  async #next(stop: AbortSignal): Promise<Step | 'idle'> {
    this.#tags.ask(stop)
    const sure = this.#tags.take(this.#window)
    if (sure !== null) return { revertTo: null, frames: [], sure }
    if (this.#isPollDue) this.#target = await this.#options.node.latest(stop)
    this.#isPollDue = false
    const { head } = this.#window
    if (this.#target === null || this.#window.has(this.#target)) return 'idle'
    const target = this.#target.number
    return head === null || target > head.number ? this.#onwards(head, target, stop) : this.#fork(target, stop)
  }
  /** After a failure, resumes from the node's newest block. */
  #failed(failure: unknown): void {
    this.#target = this.#wake.take()
    this.#isPollDue = this.#target === null
    if (!(failure instanceof Unsettled) || failure.message === '' || this.#isContradicting) return
    this.#isContradicting = true
    const words = `the node's responses contradict each other (${failure.message}); retrying. If this persists, use another node`
    this.#options.notice('chain_contradicts_itself', { words })
  }

  async #onwards(head: OwnBlock | null, target: number, stop: AbortSignal): Promise<Step | 'idle'> {
    const { firstBlock = Math.max(0, target - FIRST_BLOCKS) } = this.#options
    const range = this.#span.range(head === null ? firstBlock : head.number + 1, target)
    const step = await this.#round(this.#window, range, null, stop)
    return step === 'fork' ? this.#fork(target, stop) : step
  }
  /** For a node whose block `target` is not known to be on our branch: switches to the node's branch, or finds that the node only lags. */
  async #fork(target: number, stop: AbortSignal): Promise<Step | 'idle'> {
    const ours = this.#window.blocks.filter(({ number }) => number <= target && number >= this.#tags.sure.finalized)
    // The node lags too far behind to be compared.
    if (ours.length === 0) return this.#settled()
    const ancestor = await this.#ancestor(ours, stop)
    const head = this.#window.head as OwnBlock
    const facts = { finalized: Math.max(this.#tags.sure.finalized, this.#window.blocks[0]?.number ?? 0), head: head.number }
    const forkPoint = ancestor && this.#window.frameUpTo(ancestor.number)
    if (forkPoint === undefined || forkPoint.number < this.#tags.sure.finalized)
      throw finalityBroken({ ...facts, branch: `${target}:${this.#target?.hash ?? ''}` })
    if (ancestor?.hash === ours.at(-1)?.hash) {
      // The node has the newest of our blocks with numbers up to `target`: no fork, but the node lags, or a response was wrong.
      if (target > head.number) throw new Unsettled(`block ${head.number + 1} does not build on block ${head.number}, which the node has`)
      return this.#settled()
    }
    const base = this.#window.upTo(forkPoint)
    const revertTo = forkPoint.hash === this.#window.tip?.hash ? null : forkPoint
    const step = await this.#round(base, this.#span.range(forkPoint.number + 1, target), revertTo, stop)
    if (step === 'fork')
      throw new Unsettled(`block ${forkPoint.number + 1} does not build on block ${forkPoint.number}, which the node has`)
    return step
  }
  #settled(): 'idle' {
    this.#target = null
    return 'idle'
  }
  /** Our newest block that the node has; undefined if it has none of them. */
  async #ancestor(ours: readonly OwnBlock[], stop: AbortSignal): Promise<OwnBlock | undefined> {
    const answers = new Map<number, string>()
    for (;;) {
      const search = searchAncestor(ours, answers)
      if (search.type === 'found') return search.ancestor
      if (search.type === 'none') return undefined
      const blocks = await this.#options.node.blocks(search.numbers, false, stop)
      for (const [place, number] of search.numbers.entries()) {
        const block = blocks[place]
        if (block?.number !== number) throw new Unsettled('')
        answers.set(number, block.hash)
      }
    }
  }
  /** Reads a range on top of `base` and appends it; `fork` if it does not build on `base`. */
  async #round(base: Window, range: Range, revertTo: OwnBlock | null, stop: AbortSignal): Promise<Step | 'fork'> {
    const checked = await this.#reader.read(range, base.head?.hash ?? null, stop).catch((failure: unknown) => {
      if (failure instanceof NodeFailure) this.#span.failed(range)
      throw failure
    })
    if (checked.type === 'fork') return 'fork'
    if (checked.type === 'behind') throw new Unsettled('')
    if (checked.type === 'contradiction') throw new Unsettled(checked.reason)
    this.#span.held(range)
    const step = await this.#take(base, checked.blocks, revertTo, stop)
    this.#isContradicting = false
    return step
  }
  /** Appends the blocks to `base` and makes it our branch. */
  async #take(base: Window, blocks: readonly LoggedBlock[], revertTo: OwnBlock | null, stop: AbortSignal): Promise<Step> {
    const own: OwnBlock[] = []
    const frames: FrameBlock[] = []
    let { tip } = base
    for (const { block, logs } of blocks) {
      const { number, hash, parentHash, time } = block
      const kept = this.#options.keep(number, logs)
      const isFrame = kept.length > 0 || tip === null || time > tip.time
      if (isFrame) frames.push({ block, parent: tip ?? { number: number - 1, hash: parentHash }, logs: kept })
      own.push({ number, hash, time, isFrame })
      if (isFrame) tip = own.at(-1) as OwnBlock
    }
    const whole = await this.#withTransactions(frames, stop)
    for (const block of own) base.push(block)
    this.#window = base
    if (revertTo !== null) this.#tags.revertedTo(revertTo.number)
    return { revertTo, frames: whole, sure: null }
  }
  async #withTransactions(frames: readonly FrameBlock[], stop: AbortSignal): Promise<readonly FrameBlock[]> {
    const logged = frames.filter(({ logs }) => logs.length > 0)
    const blocks = await this.#reader.withTransactions(
      logged.map(({ block }) => block),
      stop,
    )
    const whole = new Map<string, FrameBlock>()
    for (const [place, frame] of logged.entries()) {
      const block = blocks[place]
      if (block?.hash !== frame.block.hash) throw new Unsettled('')
      const checked = withLogs(block, frame.logs)
      if (typeof checked === 'string') throw new Unsettled(checked)
      whole.set(block.hash, { ...frame, block })
    }
    return frames.map((frame) => whole.get(frame.block.hash) ?? frame)
  }
}

const isPassing = (failure: unknown): boolean => failure instanceof NodeFailure || failure instanceof Unsettled
