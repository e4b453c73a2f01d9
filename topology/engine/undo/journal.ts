// Values of rows before each frame wrote them: the undo for forks, one journal for all stores of a task.
import type { Chain } from '../../../schemas/types.ts'
import type { Row } from '../rows/row.ts'
import type { Kind } from '../rows/state-type.ts'

/** Rows of one key before a frame wrote them, in the order of the first write of each. */
export interface UndoGroup {
  /** Processor that owns the rows; empty for the task's own rows. */
  readonly store: string
  readonly key: string
  /** Parallel lists: index of the kind, id, and the row before the frame (undefined if it was absent). */
  readonly kinds: number[]
  readonly ids: (string | number | undefined)[]
  readonly before: (Row | undefined)[]
}
/** A group while its frame is open. */
interface OpenGroup extends UndoGroup {
  /** Serial number of the frame in the journal. */
  readonly serial: number
  /** Ids of rows removed in the frame, by kind: later writes of these rows are not noted. */
  removed: Map<number, Set<string | number | undefined>> | undefined
}
/** All rows of a key, which remember their newest group. */
export interface Noted {
  readonly key: string
  noted: OpenGroup | undefined
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
  readonly groups: UndoGroup[]
  /** Estimated memory. */
  bytes: number
  /** Where its undo is on the changelog; undefined until it is written. */
  stored: StoredUndo | undefined
}

/** Undo of one or several consecutive frames on the changelog. `sequence` is that of the first frame. */
export interface StoredUndo {
  readonly sequence: number
  /** Number of records. */
  readonly pages: number
  /** Number of its frames that are still kept: at 0 the records are deleted. */
  frames: number
}

export interface JournalLimits {
  /** 0 disables undo. */
  readonly undoFramesMax: number
  readonly undoBytesMax: number
}

/** Three slots of lists, and half as much again that they grow ahead. */
const ENTRY_BYTES = 36
/** A group, its lists, and the slots that they begin with. */
const GROUP_BYTES = 200

/** Keeps the newest frames that are not final, within its limits; the oldest are dropped first. */
export class Journal {
  readonly #limits: JournalLimits
  #frames: UndoFrame[] = []
  #open: UndoFrame | undefined
  /** Groups of the open frame with removed rows. */
  #removing: OpenGroup[] = []
  /** Counts the frames opened. */
  #serial = 0
  #bytes = 0
  #gone: StoredUndo[] = []
  /** Number of undo records on the changelog: who writes or restores some adds them. */
  records = 0

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
  begin(frame: Pick<UndoFrame, 'sequence' | 'number' | 'hash8' | 'time'>, parent: FrameName | undefined, final: boolean): void {
    if (final) this.#dropOldest(this.#frames.length)
    if (final || this.#limits.undoFramesMax === 0) return
    let over = Math.max(0, this.#frames.length + 1 - this.#limits.undoFramesMax)
    for (let bytes = this.#bytes; over < this.#frames.length && bytes > this.#limits.undoBytesMax; over++)
      bytes -= this.#frames[over]?.bytes ?? 0
    this.#dropOldest(over)
    const { sequence, number, hash8, time } = frame
    this.#open = { sequence, number, hash8, time, parent, topics: [], groups: [], bytes: GROUP_BYTES, stored: undefined }
    this.#serial++
    this.#frames.push(this.#open)
  }
  /** Notes a row before its first write in the open frame; `before` undefined: it was absent. */
  note(of: Noted, store: string, { index, rowBytes }: Pick<Kind, 'index' | 'rowBytes'>, id: UndoGroup['ids'][number], before?: Row): void {
    if (this.#open === undefined) return
    const group = this.#groupOf(this.#open, of, store)
    if (group.removed?.get(index)?.has(id)) return
    group.kinds.push(index)
    group.ids.push(id)
    group.before.push(before)
    this.#open.bytes += before === undefined ? ENTRY_BYTES : ENTRY_BYTES + rowBytes
  }
  /** Call when a noted row is removed: it may be created again in the same frame. */
  remove(of: Noted, store: string, { index }: Pick<Kind, 'index'>, id: UndoGroup['ids'][number]): void {
    if (this.#open === undefined) return
    const group = this.#groupOf(this.#open, of, store)
    if (group.removed === undefined) {
      group.removed = new Map()
      this.#removing.push(group)
    }
    const ids = group.removed.get(index)
    if (ids === undefined) group.removed.set(index, new Set([id]))
    else ids.add(id)
  }
  /** Adds memory that the frame holds elsewhere. */
  charge(bytes: number): void {
    if (this.#open !== undefined) this.#open.bytes += bytes
  }
  /** Closes the frame: writes until the next one are outside of all frames and never rolled back. */
  end(topics: readonly string[]): void {
    if (this.#open === undefined) return
    for (const group of this.#removing) group.removed = undefined
    this.#removing = []
    this.#open.topics = topics
    this.#bytes += this.#open.bytes
    this.#open = undefined
  }
  /** Number of frames to roll back until the named frame is the newest; undefined if no kept frame has it as parent. */
  depthTo({ number, hash8 }: FrameName): number | undefined {
    for (let i = this.#frames.length - 1; i >= 0; i--) {
      const { parent } = this.#frames[i] as UndoFrame
      if (parent?.number === number && parent.hash8 === hash8) return this.#frames.length - i
    }
    return undefined
  }
  /** Removes the newest frame; the caller restores the rows in its groups. */
  pop(): UndoFrame | undefined {
    const frame = this.#frames.pop()
    if (frame === undefined) return undefined
    this.#bytes -= frame.bytes
    if (frame.stored !== undefined) this.#unstore(frame.stored)
    return frame
  }
  /** Drops frames up to this number: they are final. */
  finalize(number: number): void {
    let final = 0
    while (final < this.#frames.length && (this.#frames[final] as UndoFrame).number <= number) final++
    this.#dropOldest(final)
  }
  /** Restores a frame from the changelog; call oldest first. Frames beyond the limits are dropped. */
  restore(
    frame: Omit<UndoFrame, 'groups' | 'bytes' | 'stored'>,
    stored: StoredUndo,
    groups: readonly UndoGroup[],
    rowsBytes: number,
  ): void {
    this.begin(frame, frame.parent, false)
    if (this.#open === undefined) {
      this.#release(stored)
      return
    }
    this.#open.stored = stored
    this.#open.groups.push(...groups)
    for (const { kinds } of groups) this.#open.bytes += GROUP_BYTES + ENTRY_BYTES * kinds.length
    this.charge(rowsBytes)
    this.end(frame.topics)
  }
  /** Frames that are not on the changelog yet, oldest first: the caller writes them and sets `stored`. */
  fresh(): readonly UndoFrame[] {
    let from = this.#frames.length
    while (from > 0 && this.#frames[from - 1]?.stored === undefined) from--
    return this.#frames.slice(from)
  }
  /** Undo on the changelog to delete, since the last call: it is not needed any more, or its frames will be written again. */
  takeGone(): readonly StoredUndo[] {
    const gone = this.#gone
    this.#gone = []
    for (const { pages } of gone) this.records -= pages
    return gone
  }
  #dropOldest(count: number): void {
    for (const frame of this.#frames.splice(0, count)) {
      this.#bytes -= frame.bytes
      if (frame.stored !== undefined) this.#release(frame.stored)
    }
  }
  #groupOf({ groups }: UndoFrame, of: Noted, store: string): OpenGroup {
    const { noted, key } = of
    if (noted?.serial === this.#serial) return noted
    const group: OpenGroup = { store, key, kinds: [], ids: [], before: [], serial: this.#serial, removed: undefined }
    of.noted = group
    groups.push(group)
    if (this.#open !== undefined) this.#open.bytes += GROUP_BYTES
    return group
  }
  #release(stored: StoredUndo): void {
    if (--stored.frames === 0) this.#gone.push(stored)
  }
  /** One of its frames was rolled back: the older ones are written again. */
  #unstore(stored: StoredUndo): void {
    this.#gone.push(stored)
    for (let i = this.#frames.length - 1; this.#frames[i]?.stored === stored; i--) (this.#frames[i] as UndoFrame).stored = undefined
  }
}

/** A fork: the named frame is the fork point, the newest frame that stays. */
export interface Revert extends FrameName {
  readonly chain: Chain
  readonly sequence: number
  /** The frames to roll back, newest first, if the input names them. */
  readonly dead?: readonly FrameName[]
}
