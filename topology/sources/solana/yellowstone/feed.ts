// Blocks of a node's gRPC stream as they are processed; where it cannot go back far enough, those of a JSON-RPC node fill in.
import type { SubscribeUpdateBlock } from '@triton-one/yellowstone-grpc'
import { EngineError, messageOf } from '../../../../schemas/errors.ts'
import type { Notice } from '../../../ports/notice.ts'
import { Backoff } from '../../../waiting/retry.ts'
import type { BlockReader, Feed, FeedStep, Head, PlacedBlock } from '../feed.ts'
import { firstReplayed, type StreamAddress, streamOf } from './stream.ts'
import { blockOf, leftOut, tidingsOf } from './updates.ts'

/** So many slots before the newest frame are asked for again: a fork may have begun there. */
const RESUME_SLOTS = 8
/** From so many slots on, what lies between is filled in order; the parents of fewer are asked for one by one. */
const FILL_SLOTS_MIN = 32
const RETRY_MS_MIN = 250
const RETRY_MS_MAX = 15_000
/** A stream that gives slots but no block for so many of them is opened again. */
const BLOCKLESS_UPDATES_MAX = 400
/** Then it begins where it is: what lies between is filled from elsewhere or missing. */
const REFUSED_MAX = 3
const WORDS_MAX = 200

/** Blocks in order from one slot to another, from elsewhere. */
type Fill = (from: number, to: number, stop: AbortSignal) => AsyncIterable<FeedStep>

export interface YellowstoneOptions extends StreamAddress {
  /** Another way to old blocks; null where there is none. */
  readonly fill: Fill | null
  /** For blocks that came without some of their transactions; null where there is none. */
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
  /** Streams in a row that were to go back and ended before they said anything: some nodes only refuse so. */
  #refused = 0

  constructor(options: YellowstoneOptions) {
    this.#options = options
  }
  async *steps(head: () => Head | null, stop: AbortSignal): AsyncIterable<FeedStep> {
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

  async *#once(head: () => Head | null, stop: AbortSignal): AsyncIterable<FeedStep> {
    const fromSlot = this.#refused < REFUSED_MAX ? await this.#resumeSlot(head()) : null
    const { silentMsMax } = this.#options
    const updates = streamOf(this.#options, { fromSlot, stop, ...(silentMsMax === undefined ? {} : { silentMsMax }) })
    let blockless = 0
    this.#refused = fromSlot === null ? 0 : this.#refused + 1
    for await (const { block, slot } of updates) {
      this.#refused = 0
      if (++blockless > BLOCKLESS_UPDATES_MAX) throw new Error('slots came without their blocks')
      const told = slot === undefined ? undefined : tidingsOf(slot, this.#standing)
      if (told !== undefined) yield told
      if (block === undefined) continue
      blockless = 0
      this.#tell(null)
      yield* this.#blocks(block, head, stop)
    }
  }
  /** Where the stream shall begin: a little before the newest frame, or as far back as the node goes; null without one. */
  async #resumeSlot(head: Head | null): Promise<number | null> {
    if (head === null) return null
    const first = await firstReplayed(this.#options)
    const wanted = Math.max(0, head.number - RESUME_SLOTS)
    if (first === null) return wanted
    return Math.max(wanted, first)
  }
  /** The block, and before it what is far behind. */
  async *#blocks(update: SubscribeUpdateBlock, head: () => Head | null, stop: AbortSignal): AsyncIterable<FeedStep> {
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
  /** The same block from elsewhere, or a word about what it lacks. */
  async #whole(block: PlacedBlock, missing: number, stop: AbortSignal): Promise<PlacedBlock> {
    this.#options.notice('block_without_transactions', { slot: block.slot, transactions: missing })
    const answer = await this.#options.reader?.block(block.slot, stop)
    if (answer?.ok && answer.block.hash === block.hash) return answer.block
    const reason = `the stream left ${missing} transactions of the block out`
    return { ...block, whole: false, errors: [...block.errors, { index: null, code: 'bad_transaction', reason }] }
  }
  /** Once when the stream fails, and once when it gives blocks again. */
  #tell(trouble: string | null): void {
    const { notice, url } = this.#options
    if (trouble === null && !this.#isWell) notice('chain_streams_again', {})
    if (trouble !== null && this.#isWell) {
      const why = trouble
        .replaceAll(url, 'the address')
        .replace(/\w+:\/\/\S+/g, 'the address')
        .slice(0, WORDS_MAX)
      const words = `SOLANA_GRPC_URL (${new URL(url).origin}) does not stream (${why}): check the address, and SOLANA_GRPC_TOKEN. It is tried again`
      notice('chain_stream_broken', { words })
    }
    this.#isWell = trouble === null
  }
}
