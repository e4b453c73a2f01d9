// Blocks of a node's gRPC stream as they are processed; a JSON-RPC node fills in blocks that the stream can no longer replay.
import type { SubscribeUpdateBlock } from '@triton-one/yellowstone-grpc'
import { EngineError, messageOf } from '../../../../schemas/errors.ts'
import type { Notice } from '../../../ports/notice.ts'
import { Backoff } from '../../../waiting/retry.ts'
import type { BlockReader, Feed, FeedStep, PlacedBlock, SlotHead } from '../feed.ts'
import { firstReplayed, type StreamAddress, streamOf } from './stream.ts'
import { blockOf, leftOut, noticeOf } from './updates.ts'

/** How many slots before the newest frame the stream resumes: a fork may start there. */
const RESUME_SLOTS = 8
/** The feed fills a gap of at least this many slots in order; in a smaller gap the source fetches missing parents one by one. */
const FILL_SLOTS_MIN = 32
const RETRY_MS_MIN = 250
const RETRY_MS_MAX = 15_000
/** A stream with this many slot updates but no block is reopened. */
const BLOCKLESS_UPDATES_MAX = 400
/** After this many refusals, the stream starts at the current slot: `fill` delivers the slots in between, or they are missing. */
const REFUSED_MAX = 3
const WORDS_MAX = 200

/** Fetches the blocks of a range of slots in order, from another node. */
type Fill = (from: number, to: number, stop: AbortSignal) => AsyncIterable<FeedStep>

export interface YellowstoneOptions extends StreamAddress {
  /** Another source of old blocks; null if there is none. */
  readonly fill: Fill | null
  /** Fetches blocks that arrived without some of their transactions; null if there is none. */
  readonly reader: BlockReader | null
  readonly notice: Notice
  readonly silentMsMax?: number
  readonly retryMsMin?: number
}

export class YellowstoneFeed implements Feed {
  readonly level = 'processed'
  readonly #options: YellowstoneOptions
  readonly #standing = { confirmed: -1, finalized: -1 }
  #isWell = true
  /** Consecutive streams with replay that ended before the first message: some nodes refuse replay only in this way. */
  #refused = 0

  constructor(options: YellowstoneOptions) {
    this.#options = options
  }
  async *steps(head: () => SlotHead | null, stop: AbortSignal): AsyncIterable<FeedStep> {
    const backoff = new Backoff({ firstMs: this.#options.retryMsMin ?? RETRY_MS_MIN, maxMs: RETRY_MS_MAX })
    for (; !stop.aborted; await backoff.wait(stop)) {
      try {
        for await (const step of this.#once(head, stop)) {
          if (step.type === 'block') backoff.reset()
          yield step
        }
        this.#tell('the node ended the stream')
      } catch (failure) {
        if (failure instanceof EngineError) throw failure
        this.#tell(messageOf(failure))
      }
    }
  }

  async *#once(head: () => SlotHead | null, stop: AbortSignal): AsyncIterable<FeedStep> {
    const fromSlot = this.#refused < REFUSED_MAX ? await this.#resumeSlot(head()) : null
    const { silentMsMax } = this.#options
    const updates = streamOf(this.#options, { fromSlot, stop, ...(silentMsMax === undefined ? {} : { silentMsMax }) })
    let blockless = 0
    this.#refused = fromSlot === null ? 0 : this.#refused + 1
    for await (const { block, slot } of updates) {
      this.#refused = 0
      if (++blockless > BLOCKLESS_UPDATES_MAX) throw new Error('slots came without their blocks')
      const notice = slot === undefined ? undefined : noticeOf(slot, this.#standing)
      if (notice !== undefined) yield notice
      if (block === undefined) continue
      blockless = 0
      this.#tell(null)
      yield* this.#blocks(block, head, stop)
    }
  }
  /** The slot to resume at: shortly before the newest frame, or the oldest that the node can replay; null without a frame. */
  async #resumeSlot(head: SlotHead | null): Promise<number | null> {
    if (head === null) return null
    const first = await firstReplayed(this.#options)
    const wanted = Math.max(0, head.number - RESUME_SLOTS)
    if (first === null) return wanted
    return Math.max(wanted, first)
  }
  /** The block, preceded by the blocks that fill a large gap. */
  async *#blocks(update: SubscribeUpdateBlock, head: () => SlotHead | null, stop: AbortSignal): AsyncIterable<FeedStep> {
    const block = await blockOf(update)
    if (block === undefined) {
      const number = Number(update.slot)
      yield { type: 'lost', from: number, to: number, reason: 'the block of the stream could not be read' }
      return
    }
    const newest = head()
    const { fill } = this.#options
    if (newest !== null && fill !== null && block.parentSlot - newest.number >= FILL_SLOTS_MIN)
      yield* fill(newest.number + 1, block.parentSlot, stop)
    yield { type: 'block', block: leftOut(update) === 0 ? block : await this.#whole(block, leftOut(update), stop) }
  }
  /** The same block from elsewhere, or with an error that says what it lacks. */
  async #whole(block: PlacedBlock, missing: number, stop: AbortSignal): Promise<PlacedBlock> {
    this.#options.notice('block_without_transactions', { slot: block.slot, transactions: missing })
    const answer = await this.#options.reader?.block(block.slot, stop)
    if (answer?.ok && answer.block.hash === block.hash) return answer.block
    const reason = `the stream left ${missing} transactions of the block out`
    return { ...block, whole: false, errors: [...block.errors, { index: null, code: 'bad_transaction', reason }] }
  }
  /** Reports when the stream fails, and when it delivers blocks again. */
  #tell(trouble: string | null): void {
    const { notice, url } = this.#options
    if (trouble === null && !this.#isWell) notice('chain_streams_again', {})
    if (trouble !== null && this.#isWell) {
      const why = trouble
        .replaceAll(url, 'the address')
        .replace(/\w+:\/\/\S+/g, 'the address')
        .slice(0, WORDS_MAX)
      const words = `SOLANA_GRPC_URL (${new URL(url).origin}) does not stream (${why}): check the address, and SOLANA_GRPC_TOKEN. Retrying`
      notice('chain_stream_broken', { words })
    }
    this.#isWell = trouble === null
  }
}
