// Forks around a market that does not change by them: slots of branches that die, reverts, and how far back nothing can be taken any more.

import { Random } from '../../random.ts'
import type { DemoSlot } from '../market-types.ts'
import { deadBranch } from './dead-branch.ts'

/** Slots that one revert takes back at most; a slot is final when so many stand on it. */
export const FORK_DEPTH_MAX = 32
/** A slot is confirmed when so many stand on it. */
const CONFIRMED_DEPTH = 1
/** So a slot is told to be confirmed when it has one or two on it. */
const FINALITY_EVERY_SLOTS = 2
/** Of the demo's slots: 400 ms, one in twenty skipped. */
const SLOTS_PER_HOUR = 8_550
const RANDOM_STREAM = 0x10
/** Most forks are this deep at most; the others up to FORK_DEPTH_MAX, deeper ones less often. */
const SHALLOW_SHARE = 0.8
const SHALLOW_DEPTH = 3
/** Two branches die one after the other; or the living branch is seen, left for one that dies, and comes back. */
const TWICE_SHARE = 0.15
const RETURN_SHARE = 0.25

export interface ForkOptions {
  readonly seed: number
  /** Forks that begin in an hour of stream time, on the mean. */
  readonly perHour: number
  /** Unix milliseconds before which there are none. */
  readonly fromMs: number
}

/** What is seen of one fork before the slots that stay: branches by how many slots each has, in order. */
export type ForkPlan = readonly { readonly lives: boolean; readonly depth: number }[]

/** What a source that sees forks sends, in order. `branch` is 0 for slots that stay, else the number of a branch that will be reverted. */
export type DemoStep =
  | { readonly type: 'slot'; readonly slot: DemoSlot; readonly branch: number }
  | { readonly type: 'revert'; readonly number: number; readonly hash: string }
  | { readonly type: 'finality'; readonly confirmed: number; readonly finalized: number }

/** Draws what a fork looks like. */
export const forkPlan = (random: Random): ForkPlan => {
  const depth = random.chance(SHALLOW_SHARE)
    ? 1 + random.int(SHALLOW_DEPTH)
    : Math.floor(random.logUniform(SHALLOW_DEPTH + 1, FORK_DEPTH_MAX + 1))
  const other = (): number => 1 + random.int(depth)
  const point = random.next()
  if (point < RETURN_SHARE)
    return [
      { lives: true, depth },
      { lives: false, depth: other() },
    ]
  if (point < RETURN_SHARE + TWICE_SHARE)
    return [
      { lives: false, depth },
      { lives: false, depth: other() },
    ]
  return [{ lives: false, depth }]
}

/** Slots of a market with a view of those to come. */
class Ahead {
  readonly #slots: Iterator<DemoSlot>
  readonly #seen: DemoSlot[] = []

  constructor(slots: Iterable<DemoSlot>) {
    this.#slots = slots[Symbol.iterator]()
  }
  take(): DemoSlot | undefined {
    return this.peek(1).length === 0 ? undefined : this.#seen.shift()
  }
  /** As many as asked for, fewer at the end. */
  peek(count: number): readonly DemoSlot[] {
    while (this.#seen.length < count) {
      const { value, done } = this.#slots.next()
      if (done) break
      this.#seen.push(value)
    }
    return this.#seen.slice(0, count)
  }
}

/** How sure the chain is of slots that stay. */
class Sureness {
  /** Those that are not final, and before them the newest that is. */
  readonly #newest: number[]

  constructor(finalized: number) {
    this.#newest = [finalized]
  }
  add(number: number): void {
    this.#newest.push(number)
    if (this.#newest.length > FORK_DEPTH_MAX + 1) this.#newest.shift()
  }
  get step(): Extract<DemoStep, { type: 'finality' }> {
    const [finalized = 0] = this.#newest
    return { type: 'finality', confirmed: this.#newest.at(-1 - CONFIRMED_DEPTH) ?? finalized, finalized }
  }
}

/**
 * The market's slots with forks between them, from `fromMs` on: what came before is told to be final first. Undoing the reverts leaves the
 * market's own slots; the same options and slots give the same steps. Slots that are not sent have no part in any fork. No revert goes
 * behind what was said to be confirmed.
 */
export function* forkSteps(
  slots: Iterable<DemoSlot>,
  { seed, perHour, fromMs }: ForkOptions,
  isSent: (slot: DemoSlot) => boolean = () => true,
): Generator<DemoStep> {
  const random = new Random(seed, RANDOM_STREAM)
  const ahead = new Ahead(slots)
  let sureness: Sureness | undefined
  let branch = 0
  for (let slot = ahead.take(), n = 1; slot !== undefined; slot = ahead.take(), n++) {
    if (slot.timeMs >= fromMs && sureness === undefined) {
      sureness = new Sureness(slot.parentNumber)
      yield sureness.step
    }
    yield { type: 'slot', slot, branch: 0 }
    if (sureness === undefined) continue
    sureness.add(slot.number)
    if (n % FINALITY_EVERY_SLOTS === 0) yield sureness.step
    if (!random.chance(perHour / SLOTS_PER_HOUR)) continue
    const plan = forkPlan(random)
    const depth = Math.max(...plan.map((one) => one.depth))
    const next = ahead.peek(depth)
    if (next.length < depth || ![slot, ...next].every(isSent)) continue
    for (const one of plan) {
      branch++
      const living = next.slice(0, one.depth)
      const seen = one.lives ? living : deadBranch(slot, living, `${seed}:dead:${branch}`, random)
      for (const dying of seen) yield { type: 'slot', slot: dying, branch }
      yield { type: 'revert', number: slot.number, hash: slot.hash }
    }
  }
}
