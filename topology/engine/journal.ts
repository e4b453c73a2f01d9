// What rows were before each frame wrote them: the undo of a fork.
import type { Aggregate, Row } from './store.ts'

/** One row before its first write in a frame; `before` undefined: it was absent. */
export interface Entry {
  readonly aggregate: Aggregate
  readonly kind: number
  readonly id: string | number | undefined
  readonly before: Row | undefined
}

interface Frame {
  readonly sequence: number
  entries: Entry[]
}

/** Keeps entries of the newest frames, at most `framesMax`; 0 keeps none. */
export class Journal {
  readonly #framesMax: number
  readonly #frames: Frame[] = []
  #open: Entry[] | undefined

  constructor(framesMax: number) {
    this.#framesMax = framesMax
  }
  /** True when writes of the open frame are to be kept. */
  get keeps(): boolean {
    return this.#open !== undefined
  }
  begin(sequence: number, final: boolean): void {
    this.#open = undefined
    if (final) this.#frames.length = 0
    if (final || this.#framesMax === 0) return
    if (this.#frames.length >= this.#framesMax) this.#frames.shift()
    this.#open = []
    this.#frames.push({ sequence, entries: this.#open })
  }
  note(entry: Entry): void {
    this.#open?.push(entry)
  }
  /** Takes the newest frame off; undefined when none is kept. Entries are to be put back newest first. */
  pop(): Frame | undefined {
    const frame = this.#frames.pop()
    this.#open = undefined
    return frame
  }
  /** Sequences that can still be undone, oldest first. */
  sequences(): readonly number[] {
    return this.#frames.map((frame) => frame.sequence)
  }
}
