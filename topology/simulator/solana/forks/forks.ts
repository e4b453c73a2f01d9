// Adds forks around an unchanged market: slots of branches that get orphaned, reverts, and finality.

import { Random } from '../../random.ts'
import type { DemoSlot } from '../market-types.ts'
import { deadBranch } from './dead-branch.ts'

/** A revert rolls back at most this many slots; a slot is final once this many slots follow it. */
export const FORK_DEPTH_MAX = 32
/** A slot is confirmed once this many slots follow it. */
const CONFIRMED_DEPTH = 1
/** Finality is reported every second slot, so a slot is reported as confirmed when one or two slots follow it. */
const FINALITY_EVERY_SLOTS = 2
/** For the demo's slots: 400 ms, one in twenty skipped. */
const SLOTS_PER_HOUR = 8_550
const RANDOM_STREAM = 0x10
/** Share and depth limit of shallow forks; the others go up to FORK_DEPTH_MAX, deeper ones being rarer. */
const SHALLOW_SHARE = 0.8
const SHALLOW_DEPTH = 3
/** Shares of forks with two successive orphaned branches, and of forks in which the canonical branch is reverted and comes back. */
const TWICE_SHARE = 0.15
const RETURN_SHARE = 0.25

export interface ForkOptions {
  readonly seed: number
  /** Mean number of forks in an hour of stream time. */
  readonly perHour: number
  /** No forks before this time, unix milliseconds. */
  readonly fromMs: number
}

/** The branches that come before a fork's canonical slots, in order, with their lengths. `lives`: canonical slots, which come back. */
export type ForkPlan = readonly { readonly lives: boolean; readonly depth: number }[]

/** Output of a source with forks, in order. `branch` is 0 for canonical slots, else the number of a branch that will be reverted. */
export type DemoStep =
  | { readonly type: 'slot'; readonly slot: DemoSlot; readonly branch: number }
  | { readonly type: 'revert'; readonly number: number; readonly hash: string }
  | { readonly type: 'finality'; readonly confirmed: number; readonly finalized: number }

/** Draws the shape of a fork. */
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

/** Slots of a market with lookahead. */
class Ahead {
  readonly #slots: Iterator<DemoSlot>
  readonly #seen: DemoSlot[] = []

  constructor(slots: Iterable<DemoSlot>) {
    this.#slots = slots[Symbol.iterator]()
  }
  take(): DemoSlot | undefined {
    return this.peek(1).length === 0 ? undefined : this.#seen.shift()
  }
  /** Up to `count` slots; fewer at the end. */
  peek(count: number): readonly DemoSlot[] {
    while (this.#seen.length < count) {
      const { value, done } = this.#slots.next()
      if (done) break
      this.#seen.push(value)
    }
    return this.#seen.slice(0, count)
  }
}

/** Finality of canonical slots. */
class Sureness {
  /** The slots that are not final, preceded by the newest final one. */
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
 * The market's slots with forks, from `fromMs` on; a first finality step marks everything before as final. Applying the reverts leaves the
 * market's own slots; the same options and slots give the same steps. Slots that are not sent take part in no fork. No revert goes
 * behind a slot that was reported as confirmed.
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
