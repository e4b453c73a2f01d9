// What checks of blocks came to, and which frame carries it: the next that is written once the verdict is there, so that no block waits for
// its check. A fork may take the carrier back and leave the block: then the next frame of the living branch carries it again.
import type { Missing, RawFrame } from '../../../schemas/types.ts'
import { BRANCH_FRAMES_MAX } from './branch.ts'

/** What the check of one block came to. */
export interface Verdict {
  readonly slot: number
  readonly hash: string
  /** Transactions that are missing, or that the block was not checked. */
  readonly missing: readonly Missing[]
  /** False where something is missing that a frame would keep. */
  readonly isWhole: boolean
}

interface Held {
  readonly verdict: Verdict
  /** Hash of the newest frame that carried it. */
  carrier: string | null
}

export class Verdicts {
  #held: Held[] = []

  /** Those that found nothing are done with. The oldest go first, once they lie behind what a fork reaches. */
  add(verdicts: readonly Verdict[]): void {
    for (const verdict of verdicts) if (verdict.missing.length > 0) this.#held.push({ verdict, carrier: null })
    this.#held = this.#held.sort((a, b) => a.verdict.slot - b.verdict.slot).slice(-BRANCH_FRAMES_MAX)
  }
  /** The frame with what it carries: verdicts on it and on frames before it that stand, and that no frame that stands carries. */
  carriedBy<Frame extends RawFrame>(frame: Frame, stands: (hash: string) => boolean): Frame {
    const due = this.#held.filter(
      ({ verdict, carrier }) =>
        verdict.slot <= frame.number && stands(verdict.hash) && (carrier === null || carrier === frame.hash || !stands(carrier)),
    )
    if (due.length === 0) return frame
    for (const held of due) held.carrier = frame.hash
    return {
      ...frame,
      whole: frame.whole && due.every(({ verdict }) => verdict.isWhole),
      missing: [...frame.missing, ...joined(due.flatMap(({ verdict }) => verdict.missing))],
    }
  }
}

/** Neighbours with one reason and no transaction of their own are one range. */
const joined = (missing: readonly Missing[]): readonly Missing[] => {
  const ranges: Missing[] = []
  for (const one of missing) {
    const last = ranges.at(-1)
    if (last?.signature === null && one.signature === null && last.reason === one.reason)
      ranges[ranges.length - 1] = { ...last, to: one.to }
    else ranges.push(one)
  }
  return ranges
}
