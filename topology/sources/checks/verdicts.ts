// Assigns verdicts of block checks to frames: a verdict is carried by the next frame written after it arrives, so no block waits for
// its check. If a fork rolls back the carrier but not the block, the next frame of the canonical branch carries it again.
import type { Missing, RawFrame } from '../../../schemas/types.ts'

/** The result of checking one block. */
export interface Verdict {
  readonly number: number
  readonly hash: string
  /** Missing transactions, or that the block was not checked. */
  readonly missing: readonly Missing[]
  /** False if something is missing that a frame would contain. */
  readonly isWhole: boolean
}

interface Held {
  readonly verdict: Verdict
  /** The newest frame that carried it. */
  carrier: Named | null
}

/** A block, identified as in its frame. */
type Named = Pick<RawFrame, 'number' | 'hash'>

export class Verdicts {
  readonly #framesMax: number
  #held: Held[] = []

  /** `framesMax`: frames that a fork may roll back. */
  constructor(framesMax: number) {
    this.#framesMax = framesMax
  }
  /** Verdicts without missing transactions are dropped. The oldest are dropped once no fork can reach them. */
  add(verdicts: readonly Verdict[]): void {
    for (const verdict of verdicts) if (verdict.missing.length > 0) this.#held.push({ verdict, carrier: null })
    this.#held = this.#held.sort((a, b) => a.verdict.number - b.verdict.number).slice(-this.#framesMax)
  }
  /** Adds to a frame the verdicts on it and on earlier canonical blocks that no other canonical frame carries. `stands`: is canonical. */
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

/** Joins neighbours with the same reason and no signature into one range. */
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

/** An unchecked block, and the numbers from `from` up to it. */
interface Unchecked extends Named {
  readonly from: number
}

export const unchecked = ({ from, number, hash }: Unchecked, reason: string): Verdict => ({
  number,
  hash,
  missing: [{ from, to: number, reason, signature: null, mints: [] }],
  isWhole: true,
})

/** The verdict on a block whose check may have been lost with the process. */
export const lostCheck = (block: Unchecked): Verdict => unchecked(block, 'perhaps not checked: capture was started again')

/** Reason for a transaction that we lack and that a frame would contain. */
export const LACKS = 'the second source has this transaction, the first lacks it'
