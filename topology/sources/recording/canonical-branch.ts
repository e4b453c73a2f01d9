// Follows the canonical branch of a forking chain, for files of one branch: a frame is emitted once no fork can roll it back.
import { EngineError } from '../../../schemas/errors.ts'
import type { Finality, RawFrame, Revert } from '../../../schemas/types.ts'

/** Limit of buffered frames; beyond it the oldest are emitted although they are not final. Forks are at most 64 deep. */
const HELD_MAX = 128

interface Held {
  readonly number: number
  readonly hash: string
  readonly parts: RawFrame[]
}

const finalOf = (frame: Held): Held => ({ ...frame, parts: frame.parts.map((part) => ({ ...part, status: 'finalized' })) })

/** Takes a source's records in order. Frames that arrive finalized are emitted at once. */
export class CanonicalBranch {
  readonly #take: (frame: RawFrame) => Promise<void>
  #held: Held[] = []
  #newest: Held | null = null

  /** `take` receives frames and parts of frames, in order; the next one only after `take` has resolved. */
  constructor(take: (frame: RawFrame) => Promise<void>) {
    this.#take = take
  }
  async frame(frame: RawFrame): Promise<void> {
    const tip = this.#held.at(-1)
    if (frame.part > 0 && tip?.hash === frame.hash) {
      tip.parts.push(frame)
      return
    }
    if (frame.status === 'finalized') await this.end()
    this.#held.push({ number: frame.number, hash: frame.hash, parts: [frame] })
    await this.#keep(frame.status === 'finalized' ? 0 : HELD_MAX)
  }
  /** @throws EngineError `undo_exhausted` if frames to roll back were already emitted */
  revert({ number, hash }: Pick<Revert, 'number' | 'hash'>): void {
    const isIt = (one: Held): boolean => one.number === number && one.hash === hash
    const index = this.#held.findLastIndex(isIt)
    if (index < 0 && this.#newest !== null && !isIt(this.#newest))
      throw new EngineError(
        'undo_exhausted',
        `a fork goes back to slot ${number}, before slot ${this.#newest.number}, which is already written`,
      )
    this.#held = this.#held.slice(0, index + 1)
  }
  /** Emits frames up to `finalized`, with status finalized. */
  async finality({ finalized }: Pick<Finality, 'finalized'>): Promise<void> {
    const firstOpen = this.#held.findIndex(({ number }) => number > finalized)
    this.#held = this.#held.map((frame, at) => (firstOpen >= 0 && at >= firstOpen ? frame : finalOf(frame)))
    await this.#keep(firstOpen < 0 ? 0 : this.#held.length - firstOpen)
  }
  /** Ends the input: buffered frames are canonical. */
  async end(): Promise<void> {
    await this.#keep(0)
  }
  /** Emits the oldest frames until `left` remain. */
  async #keep(left: number): Promise<void> {
    for (const frame of this.#held.splice(0, Math.max(0, this.#held.length - left))) {
      this.#newest = frame
      for (const part of frame.parts) await this.#take(part)
    }
  }
}
