// Turns a feed's blocks and finality into raw records: orders frames, rolls back forks, records gaps, tracks finality.
import { assert, EngineError } from '../../../schemas/errors.ts'
import type { Finality, Missing, RawFrame, Revert } from '../../../schemas/types.ts'
import type { Notice } from '../../ports/notice.ts'
import { BRANCH_FRAMES_MAX, Branch } from './branch.ts'
import type { FeedLevel, FeedNotice, FrameReader, LiveFrame, SlotHead } from './feed.ts'
import { SideFrames } from './side-frames.ts'

/** Missing parents fetched one by one at most; earlier frames then count as missing. Forks are at most 32 deep, and streams lose few. */
const PARENTS_ASKED_MAX = 64
/** Sent frames kept so that an abandoned branch can become canonical again. */
const RECENT_FRAMES_MAX = 64
const LOST_KEPT_MAX = 256
const HEARD_MAX = 128
const REASONS_MAX = 3
const NOT_DELIVERED = 'the source did not deliver them'
const FORK_NOT_DELIVERED = 'a fork began before them, and the source did not deliver its first frames'

/** A record for the raw topic. */
export type ChainStep = LiveFrame | Revert | Finality

/** Consecutive frames of one branch, oldest first. */
type Path = readonly [LiveFrame, ...LiveFrame[]]

/** A branch that forks off below a final block, accepted by an operator. */
export interface Acceptance {
  /** Hash of a frame of that branch; null: no branch is accepted. */
  readonly hash: string | null
  readonly notice: Notice
}

/** The state of capturing one chain. Its methods must be called one at a time, each awaited before the next. */
export class LiveChain {
  readonly #branch = new Branch()
  readonly #side = new SideFrames()
  readonly #level: FeedLevel
  readonly #ask: FrameReader | null
  readonly #accepted: Acceptance
  #recent: LiveFrame[] = []
  #lost: { readonly from: number; readonly to: number; readonly reason: string }[] = []
  readonly #reported = { confirmed: [] as number[], finalized: [] as number[] }
  #finality = { confirmed: -1, finalized: -1 }

  /** `ask` fetches parents that the feed did not deliver; null: they are then missing. */
  constructor(level: FeedLevel, ask: FrameReader | null, accepted: Acceptance = { hash: null, notice: () => {} }) {
    this.#level = level
    this.#ask = ask
    this.#accepted = accepted
  }
  get head(): SlotHead | null {
    return this.#branch.head
  }
  /** True for a frame of our branch, as far back as a fork may reach. */
  has(hash: string): boolean {
    return this.#branch.has(hash)
  }
  /** Restores the records of an earlier start, oldest first. */
  restore(body: RawFrame | Revert | Finality): void {
    if (body.type === 'frame') this.#branch.push(body)
    else if (body.type === 'finality') this.#finality = { confirmed: body.confirmed, finalized: body.finalized }
    else if (this.#branch.has(body.hash)) this.#branch.cutTo(body)
  }
  /** @throws EngineError `finality_broken`, whenever the node follows a branch that forks off below a final frame; nothing is then changed */
  async frame(frame: LiveFrame): Promise<readonly ChainStep[]> {
    const { head } = this.#branch
    if (this.#branch.has(frame.hash)) return []
    if (head !== null && frame.number <= head.number) {
      if (frame.number > this.#finality.finalized) this.#side.keep(frame)
      return []
    }
    if (head === null) return [this.#next(frame, []), ...this.#newFinality()]
    const path = await this.#pathTo([frame], { floor: this.#finality.finalized, max: PARENTS_ASKED_MAX })
    if (!this.#isBehindFinality(path, head)) return [...this.#follow(path, head), ...this.#newFinality()]
    if (this.#isAccepted(path)) return [...(await this.#accept(path, head)), ...this.#newFinality()]
    // At `processed` a node may still announce a branch that never becomes canonical: only its finality counts.
    if (this.#level === 'confirmed') throw finalityBroken(path, head, this.#finality.finalized)
    this.#side.keep(frame)
    return []
  }
  /** @throws as `frame` */
  feedNotice(notice: FeedNotice): readonly ChainStep[] {
    if (notice.type === 'lost') this.#lose(notice)
    else if (notice.type === 'dead') return this.#dead(notice.number)
    else {
      const { confirmed, finalized } = notice
      insert(this.#reported.confirmed, confirmed)
      insert(this.#reported.finalized, finalized)
      return [...this.#switchTo(confirmed, finalized), ...this.#newFinality()]
    }
    return []
  }

  /** Prepends the ancestors above `floor` that are not on our branch, as far as they can be fetched, at most `max`. */
  async #pathTo(from: Path, { floor, max }: { readonly floor: number; readonly max: number }): Promise<Path> {
    let path = from
    while (path.length <= max && !this.#branch.has(path[0].parentHash)) {
      const parent = this.#side.get(path[0].parentHash) ?? (await this.#parentOf(path[0], floor))
      if (parent === undefined) break
      path = [parent, ...path]
    }
    return path
  }
  async #parentOf({ parentNumber, parentHash }: LiveFrame, floor: number): Promise<LiveFrame | undefined> {
    if (this.#ask === null || parentNumber <= floor) return undefined
    const answer = await this.#ask(parentNumber)
    if (typeof answer !== 'string' && answer.hash === parentHash) return answer
    const reason = typeof answer === 'string' ? answer : 'the node has another block there'
    this.#lose({ from: parentNumber, to: parentNumber, reason })
    return undefined
  }
  #lose(lost: { readonly from: number; readonly to: number; readonly reason: string }): void {
    this.#lost = [...this.#lost, lost].slice(-LOST_KEPT_MAX)
  }
  /** True for a branch that forks off below a final frame, or below all known frames of ours. */
  #isBehindFinality([first]: Path, head: SlotHead): boolean {
    const { finalized } = this.#finality
    const parent = this.#branch.find(first.parentHash)
    if (this.#level === 'processed' && (parent?.number ?? first.parentNumber - 1) < finalized) return true
    const ancestor = parent ?? this.#ancestorOf(first, head)
    return ancestor === undefined || ancestor.number < finalized
  }
  /** Our newest frame that can be an ancestor of a frame whose parent is not known. */
  #ancestorOf({ parentNumber }: LiveFrame, head: SlotHead): SlotHead | undefined {
    return parentNumber > head.number ? head : this.#branch.newestUpTo(parentNumber - 1)
  }
  #isAccepted(path: Path): boolean {
    return path.some(({ hash }) => hash === this.#accepted.hash)
  }
  /** Rolls back final frames to the common ancestor; if that cannot be found, to our oldest known frame, with a gap. */
  async #accept(path: Path, head: SlotHead): Promise<readonly ChainStep[]> {
    const oldest = this.#branch.oldest ?? head
    const whole = await this.#pathTo(path, { floor: oldest.number, max: BRANCH_FRAMES_MAX })
    const later = whole.slice(whole.findIndex(({ number }) => number > oldest.number)) as unknown as Path
    const { finalized } = this.#finality
    const ancestor = this.#branch.find(later[0].parentHash) ?? this.#ancestorOf(later[0], head) ?? oldest
    this.#finality = { confirmed: Math.min(this.#finality.confirmed, ancestor.number), finalized: Math.min(finalized, ancestor.number) }
    this.#accepted.notice('fork_accepted', { finalized, head: head.number, to: ancestor.number, branch: nameOf(later[0]) })
    const [revert, ...frames] = this.#follow(later, head)
    return revert === undefined ? frames : [revert, { type: 'finality', chain: 'solana', ...this.#finality }, ...frames]
  }
  #follow([first, ...rest]: Path, head: SlotHead): ChainStep[] {
    const parent = this.#branch.find(first.parentHash)
    const ancestor = parent ?? this.#ancestorOf(first, head) ?? this.#branch.oldest ?? head
    const back = ancestor.hash === head.hash ? [] : [this.#revertTo(ancestor)]
    const from = ancestor.number + 1
    const missing = parent === undefined ? [this.#missing(from, Math.max(from, first.parentNumber), back.length > 0)] : []
    return [...back, this.#next(first, missing), ...rest.map((frame) => this.#next(frame, []))]
  }
  #next(frame: LiveFrame, missing: readonly Missing[]): LiveFrame {
    this.#branch.push(frame)
    this.#side.drop(frame.hash)
    this.#lost = this.#lost.filter(({ to }) => to > frame.number)
    this.#recent = [...this.#recent, frame].slice(-RECENT_FRAMES_MAX)
    return missing.length === 0 ? frame : { ...frame, missing: [...missing, ...frame.missing] }
  }
  #missing(from: number, to: number, isFork: boolean): Missing {
    const reasons = new Set(this.#lost.filter((lost) => lost.from <= to && lost.to >= from).map(({ reason }) => reason))
    const reason = [...reasons].slice(0, REASONS_MAX).join('; ') || (isFork ? FORK_NOT_DELIVERED : NOT_DELIVERED)
    return { from, to, reason, signature: null, mints: [] }
  }
  #revertTo(ancestor: SlotHead): Revert {
    assert(ancestor.number >= this.#finality.finalized, `slot ${ancestor.number} is below the final slot`)
    for (const frame of this.#recent) if (frame.number > ancestor.number) this.#side.keep(frame)
    this.#recent = this.#recent.filter(({ number }) => number <= ancestor.number)
    this.#branch.cutTo(ancestor)
    this.#finality.confirmed = Math.min(this.#finality.confirmed, ancestor.number)
    return { type: 'revert', chain: 'solana', number: ancestor.number, hash: ancestor.hash }
  }
  /** Switches to the confirmed branch, if ours is another. @throws as `frame`, if the final branch forks off below a final frame of ours */
  #switchTo(confirmed: number, finalized: number): readonly ChainStep[] {
    const { head } = this.#branch
    if (head === null) return []
    const final = this.#branch.hasNumber(finalized) ? undefined : this.#pathAside(finalized)
    if (final !== undefined && this.#isBehindFinality(final, head)) throw finalityBroken(final, head, this.#finality.finalized)
    if (confirmed > head.number || this.#branch.hasNumber(confirmed)) return []
    const path = this.#pathAside(confirmed)
    const isLinked = path !== undefined && this.#branch.has(path[0].parentHash)
    return isLinked && !this.#isBehindFinality(path, head) ? this.#follow(path, head) : []
  }
  #pathAside(number: number): Path | undefined {
    return this.#side.pathTo(number, (hash) => this.#branch.has(hash))
  }
  #dead(number: number): readonly ChainStep[] {
    const { head } = this.#branch
    const ancestor = this.#branch.newestUpTo(number - 1)
    const isOurs = head !== null && ancestor !== undefined && number > this.#finality.finalized && this.#branch.hasNumber(number)
    const steps = isOurs ? [this.#revertTo(ancestor)] : []
    this.#side.dropNumber(number)
    return steps
  }
  #newFinality(): readonly Finality[] {
    const finalized = Math.max(this.#finality.finalized, this.#sureUpTo(this.#reported.finalized))
    const newest = this.#level === 'confirmed' ? (this.head?.number ?? -1) : this.#sureUpTo(this.#reported.confirmed)
    const confirmed = Math.max(this.#finality.confirmed, finalized, newest)
    if (confirmed === this.#finality.confirmed && finalized === this.#finality.finalized) return []
    this.#finality = { confirmed, finalized }
    this.#side.forgetUpTo(finalized)
    return [{ type: 'finality', chain: 'solana', ...this.#finality }]
  }
  /** Our newest frame with this finality. At level `confirmed` there is only one branch; at `processed` ours must have the slot itself. */
  #sureUpTo(reported: readonly number[]): number {
    if (this.#level === 'confirmed') return this.#branch.newestUpTo(reported.at(-1) ?? -1)?.number ?? -1
    return reported.findLast((number) => this.#branch.hasNumber(number)) ?? -1
  }
}

/**
 * Inserts in ascending order and keeps the newest numbers. One number is not enough: a block may arrive after its slot is final, and a
 * backfill is behind the stream.
 */
const insert = (reported: number[], number: number): void => {
  const before = reported.findLastIndex((one) => one <= number)
  if (reported[before] === number) return
  reported.splice(before + 1, 0, number)
  if (reported.length > HEARD_MAX) reported.shift()
}

const nameOf = ({ number, hash }: SlotHead): string => `${number}:${hash}`

const finalityBroken = ([first]: Path, head: SlotHead, finalized: number): EngineError =>
  new EngineError(
    'finality_broken',
    `the node follows another branch than ours from slot ${first.number} on, although it had reported our branch as final up to slot ${finalized}`,
    { facts: { finalized, head: head.number, branch: nameOf(first) } },
  )
