// Blocks of a JSON-RPC node in slot order: several are fetched ahead, and every missing one is reported.
import * as z from 'zod'
import type { BlockAnswer, Feed, FeedStep, SlotHead } from '../feed.ts'
import type { RpcBlocks } from './blocks.ts'
import type { RpcClient } from './client.ts'
import type { Wake } from './wake.ts'

/** Concurrent block requests: a block takes 0.3-0.6 s, and there are 2.5 a second. */
const AHEAD_BLOCKS_MAX = 8
/** Slots per getBlocks request. */
const RANGE_SLOTS_MAX = 128
/** When lagging by more than this, the feed first asks for the node's oldest block. */
const BEHIND_SLOTS = 64
const FINALIZED_EVERY_MS = 2_000

/** JSON-RPC codes for a request that the node does not support. */
const REFUSED_QUESTIONS: ReadonlySet<unknown> = new Set([-32_600, -32_601, -32_602])

const slotSchema = z.number().int().nonnegative()
const slotsSchema = z.array(slotSchema)
const CONFIRMED = { commitment: 'confirmed' }
const FINALIZED = { commitment: 'finalized' }

export class RpcFeed implements Feed {
  readonly level = 'confirmed'
  readonly #client: RpcClient
  readonly #blocks: RpcBlocks
  readonly #wake: Wake
  #finalizedAtMs = Number.NEGATIVE_INFINITY
  /** True if the node does not support getBlocks. */
  #listsNone = false

  constructor(client: RpcClient, blocks: RpcBlocks, wake: Wake) {
    this.#client = client
    this.#blocks = blocks
    this.#wake = wake
  }
  async *steps(head: () => SlotHead | null, stop: AbortSignal): AsyncIterable<FeedStep> {
    let next = head() === null ? null : (head() as SlotHead).number + 1
    while (!stop.aborted) {
      const tip = await this.#slot('getSlot', [CONFIRMED], stop)
      next ??= tip
      if (tip === null || next === null || tip < next) {
        if (tip !== null) yield* await this.#finality(tip, stop)
        await this.#wake.wait(stop)
        continue
      }
      if (tip - next > BEHIND_SLOTS) {
        const kept = await this.#slot('getFirstAvailableBlock', [], stop)
        if (kept !== null && kept > next)
          yield { type: 'lost', from: next, to: kept - 1, reason: `the node keeps blocks from slot ${kept} on` }
        next = Math.max(next, kept ?? next)
      }
      const to: number = Math.min(tip, next + RANGE_SLOTS_MAX - 1)
      yield* this.range(next, to, stop)
      yield* await this.#finality(tip, stop)
      next = to + 1
    }
  }
  /** The blocks of an inclusive range of slots, and the slots whose block cannot be fetched. */
  async *range(from: number, to: number, stop: AbortSignal): AsyncIterable<FeedStep> {
    const slots = await this.#produced(from, to, stop)
    const ahead: { slot: number; answer: Promise<BlockAnswer> }[] = []
    for (let index = 0; index < slots.length || ahead.length > 0; ) {
      while (ahead.length < AHEAD_BLOCKS_MAX && index < slots.length) {
        const slot = slots[index++] as number
        ahead.push({ slot, answer: this.#blocks.block(slot, stop) })
      }
      const { slot, answer } = ahead.shift() as (typeof ahead)[number]
      const got = await answer
      if (stop.aborted) return
      yield got.ok ? { type: 'block', block: got.block } : { type: 'lost', from: slot, to: slot, reason: got.reason }
    }
  }
  /** As `range`, but also yields finality: the blocks are on the one confirmed branch. For feeds that yield no finality meanwhile. */
  async *fill(from: number, to: number, stop: AbortSignal): AsyncIterable<FeedStep> {
    for await (const step of this.range(from, to, stop)) {
      yield step
      if (step.type !== 'block') continue
      const { slot } = step.block
      const finalized = await this.#finalizedSlot(stop)
      if (finalized !== null) yield { type: 'standing', confirmed: slot, finalized: Math.min(finalized, slot) }
    }
  }

  /** Slots that have a block according to the node; all slots if it does not answer. A block that it omits shows up as a missing parent. */
  async #produced(from: number, to: number, stop: AbortSignal): Promise<readonly number[]> {
    const answer = this.#listsNone ? null : await this.#client.ask('getBlocks', [from, to, CONFIRMED], stop)
    const slots = answer?.ok ? slotsSchema.safeParse(answer.result) : undefined
    if (slots?.success) return slots.data.filter((slot) => slot >= from && slot <= to).sort((a, b) => a - b)
    this.#listsNone ||= answer?.ok === false && REFUSED_QUESTIONS.has(answer.code)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  }
  async #finality(confirmed: number, stop: AbortSignal): Promise<readonly FeedStep[]> {
    const finalized = await this.#finalizedSlot(stop)
    return finalized === null ? [] : [{ type: 'standing', confirmed, finalized }]
  }
  /** Null if it was requested less than FINALIZED_EVERY_MS ago, or is not available. */
  async #finalizedSlot(stop: AbortSignal): Promise<number | null> {
    if (performance.now() - this.#finalizedAtMs < FINALIZED_EVERY_MS) return null
    this.#finalizedAtMs = performance.now()
    return this.#slot('getSlot', [FINALIZED], stop)
  }
  /** Null if the node refuses, or the request was cancelled. */
  async #slot(method: string, params: readonly unknown[], stop: AbortSignal): Promise<number | null> {
    const answer = await this.#client.ask(method, params, stop, (result) => slotSchema.safeParse(result).success)
    const slot = answer.ok ? slotSchema.safeParse(answer.result) : undefined
    return slot?.success ? slot.data : null
  }
}
