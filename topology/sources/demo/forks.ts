// Forks around a market that does not change by them: slots of branches that die, reverts, and how far back nothing can be taken any more.
import { deadBranch } from './dead-branch.ts'
import type { DemoSlot } from './market-types.ts'
import { Random } from './random.ts'

/** Slots that one revert takes back at most; a slot is final when so many stand on it. */
export const FORK_DEPTH_MAX = 32
const FINALITY_EVERY_SLOTS = 16
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

/**
 * The market's slots with forks between them. Undoing the reverts leaves the market's own slots; the same options and slots give the same
 * steps. Slots that are not sent have no part in any fork. No revert goes behind what was said to be final.
 */
export function* forkSteps(
  slots: Iterable<DemoSlot>,
  { seed, perHour, fromMs }: ForkOptions,
  isSent: (slot: DemoSlot) => boolean = () => true,
): Generator<DemoStep> {
  const random = new Random(seed, RANDOM_STREAM)
  const ahead = new Ahead(slots)
  const newest: number[] = []
  let branch = 0
  for (let slot = ahead.take(), n = 1; slot !== undefined; slot = ahead.take(), n++) {
    yield { type: 'slot', slot, branch: 0 }
    newest.push(slot.number)
    const finalized = newest.length > FORK_DEPTH_MAX ? newest.shift() : undefined
    if (slot.timeMs < fromMs) continue
    if (finalized !== undefined && n % FINALITY_EVERY_SLOTS === 0) yield { type: 'finality', confirmed: finalized, finalized }
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
