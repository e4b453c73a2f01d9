// The simulated market: launches, trades, graduations and all other activity, slot by slot, from a seed.

import { createHash } from 'node:crypto'
import { assert } from '../../../schemas/errors.ts'
import { keyOf, toBase58 } from '../../../schemas/keys.ts'
import { once } from '../../../schemas/once.ts'
import { Random } from '../random.ts'
import { RATE_MAX } from './defaults.ts'
import { Arrivals, LEAD_MS } from './market/arrivals.ts'
import { Bystanders, OldPools } from './market/background.ts'
import { ActorQueue } from './market/queue.ts'
import { SlotBuilder } from './market/slot-builder.ts'
import { Population } from './market/wallets.ts'
import type { DemoOptions, DemoSlot, DemoTruth } from './market-types.ts'

const SLOT_MS = 400
/** Number of the slot at the start of the demo's calendar, near that of the real chain at the time. */
const FIRST_NUMBER = 440_000_000
const FIRST_MS = Date.UTC(2026, 9, 1)
/** Share of slots that their leader skips. */
const SKIPPED_SHARE = 0.05
/** Other transactions of a block, votes included, and the number of them that fail. */
const OTHERS: readonly [number, number] = [700, 1_500]
const FAILED_OTHERS: readonly [number, number] = [15, 60]

/** What a slot needs of its parent: no content, so that slots do not keep all earlier ones alive. */
interface SlotRef {
  readonly number: number
  readonly hash: () => string
}

/** Options of the market that are not part of its identity. */
export interface MarketSwitches {
  /** Milliseconds after the start when the mix of launches changes: fewer traps, more successful ones. */
  readonly regimeAfterMs?: number
  /** Called once per launch, when its story is over: its last trade is in this slot or an earlier one. */
  readonly onTruth?: (truth: DemoTruth) => void
}

const checked = ({ seed, startMs, rate }: DemoOptions): void => {
  assert(Number.isSafeInteger(seed) && Number.isSafeInteger(startMs), 'seed and start must be integers')
  assert(rate > 0 && rate <= RATE_MAX, `the rate must be above 0 and at most ${RATE_MAX}`)
  assert(startMs >= FIRST_MS - FIRST_NUMBER * SLOT_MS, 'the demo must start after the chain did')
}

/** An endless market. The same options give the same slots on every machine; memory is proportional to the live coins. */
export class Market implements Iterable<DemoSlot> {
  readonly #options: DemoOptions
  readonly #queue = new ActorQueue()
  readonly #random: Random
  readonly #population: Population
  #timeMs: number

  constructor(options: DemoOptions, switches: MarketSwitches = {}) {
    checked(options)
    this.#options = options
    const { seed, startMs, rate } = options
    this.#random = new Random(seed)
    this.#population = new Population(seed, new Random(seed, 0x0a), rate)
    this.#timeMs = Math.floor(startMs / SLOT_MS) * SLOT_MS
    const { regimeAfterMs = Number.POSITIVE_INFINITY, onTruth = () => undefined } = switches
    const scene = { random: new Random(seed, 0x0b), population: this.#population, onTruth }
    const arrivals = { startMs, rate, changesMs: startMs + regimeAfterMs }
    this.#queue.add(new Arrivals(arrivals, new Random(seed, 0x0c), scene, this.#queue))
    this.#queue.add(new OldPools(startMs, rate, new Random(seed, 0x0d), this.#population))
    this.#queue.add(new Bystanders(startMs, rate, new Random(seed, 0x0e), this.#population))
    const before = new SlotBuilder(this.#numberAt(startMs) - 1, startMs - LEAD_MS, new Random(seed, 0x0f), this.#population)
    this.#queue.runUntil(startMs, before)
    assert(before.transactions.length === 0, 'nothing may happen before the start')
  }
  /** Number of launches whose story is planned or running; three other actors are excluded. */
  get live(): number {
    return this.#queue.size - 3
  }
  *[Symbol.iterator](): Generator<DemoSlot> {
    const first = this.#numberAt(this.#timeMs) - 1
    let parent: SlotRef = { number: first, hash: this.#hashOf(first) }
    for (;;) {
      const number = this.#numberAt(this.#timeMs)
      const slotRef = { number, hash: this.#hashOf(number) }
      yield this.#slot(slotRef, parent)
      parent = slotRef
      do this.#timeMs += SLOT_MS
      while (this.#random.chance(SKIPPED_SHARE))
    }
  }
  #numberAt(timeMs: number): number {
    return FIRST_NUMBER + Math.floor((timeMs - FIRST_MS) / SLOT_MS)
  }
  #slot({ number, hash }: SlotRef, { number: parentNumber, hash: parentHash }: SlotRef): DemoSlot {
    const timeMs = this.#timeMs
    const builder = new SlotBuilder(number, timeMs, this.#random, this.#population)
    this.#queue.runUntil(timeMs + SLOT_MS, builder)
    return {
      number,
      get hash() {
        return hash()
      },
      parentNumber,
      get parentHash() {
        return parentHash()
      },
      timeMs,
      transactions: builder.transactions,
      failedOthers: Math.round(this.#random.between(...FAILED_OTHERS)),
      transactionsTotal: builder.end + Math.round(this.#random.between(...OTHERS)),
    }
  }
  #hashOf(number: number): () => string {
    const { seed } = this.#options
    // Hashes are a tenth of a simulation's cost, and those of most slots are never read.
    return once(() => toBase58(keyOf(createHash('sha256').update(`${seed}:${number}`).digest())))
  }
}

/** The slots of a market from its start; endless. */
export const simulateMarket = (options: DemoOptions, switches: MarketSwitches = {}): Iterable<DemoSlot> => new Market(options, switches)
