// What checks of blocks came to, and which frame carries it: the next that is written once the verdict is there, so that no block waits for
// its check. A fork may take the carrier back and leave the block: then the next frame of the living branch carries it again.
import type { Missing, RawFrame } from '../../../schemas/types.ts'

/** What the check of one block came to. */
export interface Verdict {
  readonly number: number
  readonly hash: string
  /** Transactions that are missing, or that the block was not checked. */
  readonly missing: readonly Missing[]
  /** False where something is missing that a frame would keep. */
  readonly isWhole: boolean
}

interface Held {
  readonly verdict: Verdict
  /** The newest frame that carried it. */
  carrier: Named | null
}

/** A block as its frame names it. */
type Named = Pick<RawFrame, 'number' | 'hash'>

export class Verdicts {
  readonly #framesMax: number
  #held: Held[] = []

  /** `framesMax`: frames that a fork may take back. */
  constructor(framesMax: number) {
    this.#framesMax = framesMax
  }
  /** Those that found nothing are done with. The oldest go first, once they lie behind what a fork reaches. */
  add(verdicts: readonly Verdict[]): void {
    for (const verdict of verdicts) if (verdict.missing.length > 0) this.#held.push({ verdict, carrier: null })
    this.#held = this.#held.sort((a, b) => a.verdict.number - b.verdict.number).slice(-this.#framesMax)
  }
  /** The frame with what it carries: verdicts on it and on frames before it that stand, and that no frame that stands carries. */
  carriedBy<Frame extends RawFrame>(frame: Frame, stands: (block: Named) => boolean): Frame {
    const due = this.#held.filter(
      ({ verdict, carrier }) =>
        verdict.number <= frame.number && stands(verdict) && (carrier === null || carrier.hash === frame.hash || !stands(carrier)),
    )
    if (due.length === 0) return frame
    for (const held of due) held.carrier = { number: frame.number, hash: frame.hash }
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

/** What is needed to name blocks that were not checked: one, with the numbers before it that it stands for. */
interface Unchecked extends Named {
  readonly from: number
}

export const unchecked = ({ from, number, hash }: Unchecked, reason: string): Verdict => ({
  number,
  hash,
  missing: [{ from, to: number, reason, signature: null, mints: [] }],
  isWhole: true,
})

/** Of a block whose check may have ended with its process. */
export const lostCheck = (block: Unchecked): Verdict => unchecked(block, 'perhaps not checked: capture was started again')

/** Of a transaction that ours lacks and that a frame would keep. */
export const LACKS = 'the second source has this transaction, the first lacks it'
