// Values of rows before each frame wrote them: the undo for forks, one journal for all stores of a task.
import type { Chain } from '../../../schemas/types.ts'
import type { Row } from '../rows/row.ts'

/** One row before its first write in a frame; `before` undefined: it was absent. Later entries of the same row in a frame are ignored. */
export interface Entry {
  /** Processor that owns the row; empty for the task's own rows. */
  readonly store: string
  readonly key: string
  readonly kind: number
  readonly id: string | number | undefined
  readonly before: Row | undefined
}

/** Identifies a frame: its number and the first 8 characters of its hash. */
export interface FrameName {
  readonly number: number
  readonly hash8: string
}

/** A frame that can be rolled back. */
export interface UndoFrame extends FrameName {
  readonly sequence: number
  readonly time: number
  /** The frame folded before it; undefined for the first one. */
  readonly parent: FrameName | undefined
  /** Names of the topics to which it wrote. */
  topics: readonly string[]
  readonly entries: Entry[]
  /** Estimated memory. */
  bytes: number
  /** Number of its records on the changelog. */
  pages: number
}
/** A frame whose records are to be deleted from the changelog. */
export type GoneFrame = Pick<UndoFrame, 'sequence' | 'pages'>

export interface JournalLimits {
  /** 0 disables undo. */
  readonly undoFramesMax: number
  readonly undoBytesMax: number
}

/** Headers of two strings and an object of five fields. */
const ENTRY_BYTES = 96

/** Keeps the newest frames that are not final, within its limits; the oldest are dropped first. */
export class Journal {
  readonly #limits: JournalLimits
  #frames: UndoFrame[] = []
  #open: UndoFrame | undefined
  #bytes = 0
  #gone: GoneFrame[] = []

  constructor(limits: JournalLimits) {
    this.#limits = limits
  }
  /** True if writes have to be noted: a frame is open and kept. */
  get keeps(): boolean {
    return this.#open !== undefined
  }
  /** Estimated memory of all frames kept. */
  get bytes(): number {
    return this.#bytes
  }
  get frames(): readonly UndoFrame[] {
    return this.#frames
  }
  /** Sequence of the oldest frame that can be rolled back; Infinity if there is none. */
  get oldest(): number {
    return this.#frames[0]?.sequence ?? Number.POSITIVE_INFINITY
  }
  /** Opens a frame. A final frame is not kept and drops the undo of all frames before it. */
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
  /** `rowBytes` is the estimated memory of the row's earlier value. */
  note(entry: Entry, rowBytes: number): void {
    if (this.#open === undefined) return
    this.#open.entries.push(entry)
    this.#open.bytes += ENTRY_BYTES + rowBytes
  }
  /** Adds memory that the frame holds elsewhere. */
  charge(bytes: number): void {
    if (this.#open !== undefined) this.#open.bytes += bytes
  }
  /** Closes the frame: writes until the next one are outside of all frames and never rolled back. */
  end(topics: readonly string[]): void {
    if (this.#open === undefined) return
    this.#open.topics = topics
    this.#bytes += this.#open.bytes
    this.#open = undefined
  }
  /** Number of frames to roll back until the named frame is the newest; undefined if it is not (or no longer) known. */
  depthTo({ number, hash8 }: FrameName): number | undefined {
    for (let i = this.#frames.length - 1; i >= 0; i--) {
      const { parent } = this.#frames[i] as UndoFrame
      if (parent?.number === number && parent.hash8 === hash8) return this.#frames.length - i
    }
    return undefined
  }
  /** Removes the newest frame; its entries are to be restored newest first. */
  pop(): UndoFrame | undefined {
    const frame = this.#frames.pop()
    if (frame === undefined) return undefined
    this.#bytes -= frame.bytes
    if (frame.pages > 0) this.#gone.push(frame)
    return frame
  }
  /** Drops frames up to this number: they are final. */
  finalize(number: number): void {
    let final = 0
    while (final < this.#frames.length && (this.#frames[final] as UndoFrame).number <= number) final++
    this.#dropOldest(final)
  }
  /** Restores a frame from the changelog; call oldest first. Frames beyond the limits are dropped. */
  restore(frame: Omit<UndoFrame, 'entries' | 'bytes'>, entries: readonly (readonly [entry: Entry, rowBytes: number])[]): void {
    this.begin(frame, false)
    if (this.#open === undefined) this.#gone.push(frame)
    else this.#open.pages = frame.pages
    for (const [entry, rowBytes] of entries) this.note(entry, rowBytes)
    this.end(frame.topics)
  }
  /** Frames that are not on the changelog yet, oldest first: the caller writes them and sets their `pages`. */
  fresh(): readonly UndoFrame[] {
    let from = this.#frames.length
    while (from > 0 && this.#frames[from - 1]?.pages === 0) from--
    return this.#frames.slice(from)
  }
  /** Frames on the changelog that were dropped or rolled back since the last call. */
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

/** A fork: the named frame is the newest of the new branch. */
export interface Revert extends FrameName {
  readonly chain: Chain
  readonly sequence: number
  /** The frames to roll back, newest first, if the input names them. */
  readonly dead?: readonly FrameName[]
}
