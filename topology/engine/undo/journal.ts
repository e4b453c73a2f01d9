// What rows were before each frame wrote them: the undo of forks, one journal for all stores of a task.
import type { Chain } from '../../../schemas/types.ts'
import type { Row } from '../rows/row.ts'

/** One row before its first write in a frame; `before` undefined: it was absent. Later entries of the same row in a frame say nothing. */
export interface Entry {
  /** Processor whose row it is; empty for the task's own. */
  readonly store: string
  readonly key: string
  readonly kind: number
  readonly id: string | number | undefined
  readonly before: Row | undefined
}

/** Which frame: number and the first 8 characters of its hash. */
export interface FrameName {
  readonly number: number
  readonly hash8: string
}

/** A frame that can be taken back. */
export interface UndoFrame extends FrameName {
  readonly sequence: number
  readonly time: number
  /** The frame folded before it; undefined for the first of all. */
  readonly parent: FrameName | undefined
  /** Names of the topics on which something was said in it. */
  topics: readonly string[]
  readonly entries: Entry[]
  /** Memory, by estimate. */
  bytes: number
  /** Records of it on the changelog. */
  pages: number
}
/** A frame whose records are to go from the changelog. */
export type GoneFrame = Pick<UndoFrame, 'sequence' | 'pages'>

export interface JournalLimits {
  /** 0 keeps nothing. */
  readonly undoFramesMax: number
  readonly undoBytesMax: number
}

/** Two strings' headers and an object of five fields. */
const ENTRY_BYTES = 96

/** Keeps the newest frames that are not final, within its limits; the oldest go first. */
export class Journal {
  readonly #limits: JournalLimits
  #frames: UndoFrame[] = []
  #open: UndoFrame | undefined
  #bytes = 0
  #gone: GoneFrame[] = []

  constructor(limits: JournalLimits) {
    this.#limits = limits
  }
  /** True when writes are to be noted: in a frame that is kept. */
  get keeps(): boolean {
    return this.#open !== undefined
  }
  /** Memory of all frames kept, by estimate. */
  get bytes(): number {
    return this.#bytes
  }
  get frames(): readonly UndoFrame[] {
    return this.#frames
  }
  /** Sequence of the oldest frame that can be taken back; Infinity when there is none. */
  get oldest(): number {
    return this.#frames[0]?.sequence ?? Number.POSITIVE_INFINITY
  }
  /** Opens a frame. A final one is not kept and ends the undo of all before it. */
  begin(frame: Pick<UndoFrame, 'sequence' | 'number' | 'hash8' | 'time' | 'parent'>, final: boolean): void {
    if (final) this.#dropOldest(this.#frames.length)
    if (final || this.#limits.undoFramesMax === 0) return
    let over = Math.max(0, this.#frames.length + 1 - this.#limits.undoFramesMax)
    for (let bytes = this.#bytes; over < this.#frames.length && bytes > this.#limits.undoBytesMax; over++)
      bytes -= this.#frames[over]?.bytes ?? 0
    this.#dropOldest(over)
    const { sequence, number, hash8, time, parent } = frame
    this.#open = { sequence, number, hash8, time, parent, topics: [], entries: [], bytes: ENTRY_BYTES, pages: 0 }
    this.#frames.push(this.#open)
  }
  /** `rowBytes` is the memory of the row before, by estimate. */
  note(entry: Entry, rowBytes: number): void {
    if (this.#open === undefined) return
    this.#open.entries.push(entry)
    this.#open.bytes += ENTRY_BYTES + rowBytes
  }
  /** Counts memory that the frame keeps elsewhere. */
  charge(bytes: number): void {
    if (this.#open !== undefined) this.#open.bytes += bytes
  }
  /** Closes the frame: what is written until the next is outside of all frames and never taken back. */
  end(topics: readonly string[]): void {
    if (this.#open === undefined) return
    this.#open.topics = topics
    this.#bytes += this.#open.bytes
    this.#open = undefined
  }
  /** How many frames to take back until the one named is the newest; undefined when it is not (or no longer) known. */
  depthTo({ number, hash8 }: FrameName): number | undefined {
    for (let i = this.#frames.length - 1; i >= 0; i--) {
      const { parent } = this.#frames[i] as UndoFrame
      if (parent?.number === number && parent.hash8 === hash8) return this.#frames.length - i
    }
    return undefined
  }
  /** Takes the newest frame off; its entries are to be put back newest first. */
  pop(): UndoFrame | undefined {
    const frame = this.#frames.pop()
    if (frame === undefined) return undefined
    this.#bytes -= frame.bytes
    if (frame.pages > 0) this.#gone.push(frame)
    return frame
  }
  /** Frames up to this number are final. */
  finalize(number: number): void {
    let final = 0
    while (final < this.#frames.length && (this.#frames[final] as UndoFrame).number <= number) final++
    this.#dropOldest(final)
  }
  /** Puts back a frame read off the changelog; oldest first. What the limits no longer allow goes. */
  restore(frame: Omit<UndoFrame, 'entries' | 'bytes'>, entries: readonly (readonly [entry: Entry, rowBytes: number])[]): void {
    this.begin(frame, false)
    if (this.#open === undefined) this.#gone.push(frame)
    else this.#open.pages = frame.pages
    for (const [entry, rowBytes] of entries) this.note(entry, rowBytes)
    this.end(frame.topics)
  }
  /** Frames that are not on the changelog, oldest first: who writes them sets their `pages`. */
  fresh(): readonly UndoFrame[] {
    let from = this.#frames.length
    while (from > 0 && this.#frames[from - 1]?.pages === 0) from--
    return this.#frames.slice(from)
  }
  /** Frames on the changelog that were dropped or taken back since the last call. */
  takeGone(): readonly GoneFrame[] {
    const gone = this.#gone
    this.#gone = []
    return gone
  }
  #dropOldest(count: number): void {
    for (const frame of this.#frames.splice(0, count)) {
      this.#bytes -= frame.bytes
      if (frame.pages > 0) this.#gone.push(frame)
    }
  }
}

/** A fork: the frame named is the newest that lives. */
export interface Revert extends FrameName {
  readonly chain: Chain
  readonly sequence: number
  /** What is taken back, newest first, where the input says it. */
  readonly dead?: readonly FrameName[]
}
