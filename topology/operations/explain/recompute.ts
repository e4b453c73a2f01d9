// Recomputes findings: runs the production folds over the tape of the given mints, from their first event on.
//
// Events of other keys are left out: messages between keys (records of creators, payments to wallets) change no row that a detector reads.
// Frames without an event of these mints are folded too, because timers follow ticks.
import type { ChainDefinition } from '../../../processors/chains/chain.ts'
import type { Key } from '../../../schemas/keys.ts'
import { comparePositions, eventId, type FindingParts, type Position, tickOf } from '../../../schemas/position.ts'
import { printWithPosition } from '../../../schemas/print.ts'
import type { BatchOf, ChainEvent } from '../../../schemas/record-forms.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import type { ReplayedFrame } from '../../runtime/replay.ts'
import type { SeenRows, Subject } from './subjects.ts'
import type { Call, Witness } from './witness.ts'

/** How far behind a wanted position, in slots or blocks, its detector may fire: the result then names that position. */
const LATER_NUMBERS_MAX = 1_000

export type Batch = BatchOf<ChainEvent>
type FindingBody = Extract<Conclusion['body'], { type: 'finding' }>
export type FindingConclusion = Conclusion & { readonly body: FindingBody }

/** Folds of one chain. */
export interface KeyFolds {
  batch(tape: Batch): ReplayedFrame<ChainEvent>
}

/** A requested finding. */
export interface Wanted extends FindingParts {
  readonly key: Key
}

/** The rows that the detector saw: before and after the event, or the tick, at which it fired. */
interface SeenAt {
  readonly findingId: string
  readonly before: SeenRows
  readonly after: SeenRows
}

/** An event of the mint, in its frame. */
export interface MintEvent {
  readonly frame: Pick<Batch, 'chain' | 'number' | 'hash8'>
  readonly event: ChainEvent
}

/** What has been collected about a mint from the tape. */
interface Followed {
  readonly events: Map<string, MintEvent>
  readonly found: Map<string, FindingConclusion>
  readonly seen: Map<string, SeenAt>
  isLaunched: boolean
}

export interface Recomputed {
  /** False if the tape has no launch of the mint: nothing can be concluded. */
  readonly isLaunched: boolean
  /** False if the tape ends before the finding. */
  readonly hasReached: boolean
  /** What this detector finds for the mint on this tape; undefined if nothing. */
  readonly found: FindingConclusion | undefined
  readonly seen: SeenAt | undefined
  /** Events of the mint, by id, in the frames taken. */
  readonly events: ReadonlyMap<string, MintEvent>
  /** Hash8 of the finding's block on this tape; null if the tape has no block of that number. */
  readonly hash8: string | null
}

const copied = (rows: SeenRows): SeenRows =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row === null ? null : { ...row }]))

export class Recompute {
  readonly #subject: Subject
  readonly #keyOf: (event: ChainEvent) => Key
  readonly #folds: KeyFolds
  readonly #wanted: readonly Wanted[]
  readonly #followed = new Map<Key, Followed>()
  readonly #hashes = new Map<number, string>()
  #before: SeenRows = {}
  #last: Position | null = null
  #first: Position | null = null
  #isFolding = false
  events = 0

  constructor(
    { tape: { keyOf } }: Pick<ChainDefinition, 'tape'>,
    subject: Subject,
    folds: (witness: Witness<ChainEvent>) => KeyFolds,
    wanted: readonly Wanted[],
  ) {
    this.#subject = subject
    this.#keyOf = keyOf
    this.#wanted = wanted
    for (const { key } of wanted) this.#followed.set(key, { events: new Map(), found: new Map(), seen: new Map(), isLaunched: false })
    this.#folds = folds({ before: (call) => this.#seeBefore(call), after: (call) => this.#seeAfter(call) })
  }
  /** Takes the next frame of the canonical branch: all of it, or the part of one partition. */
  take(batch: Batch): void {
    const { chain, number, hash8 } = batch
    this.#last = tickOf(chain, number)
    this.#first ??= this.#last
    if (this.#wanted.some(({ at }) => at.number === number)) this.#hashes.set(number, hash8)
    const events = batch.events.filter((event) => this.#followed.has(this.#keyOf(event)))
    if (events.length === 0 && !this.#isFolding) return
    this.#isFolding = true
    this.events += events.length
    for (const event of events) this.#note({ frame: { chain, number, hash8 }, event })
    for (const one of this.#folds.batch({ ...batch, events }).conclusions)
      if (one.body.type === 'finding') this.#followed.get(one.body.mint)?.found.set(one.body.detector, one as FindingConclusion)
  }
  /** The ticks of the oldest and the newest frame taken; null before the first. */
  get range(): { readonly first: Position; readonly last: Position } | null {
    return this.#first && this.#last && { first: this.#first, last: this.#last }
  }
  /** True once every wanted position is reached, and its detector has fired or is no longer awaited. */
  get isDone(): boolean {
    return this.#wanted.every(({ key, detector, at }) => {
      const isFound = this.#followed.get(key)?.found.has(detector) === true
      return this.#isPast(isFound ? at : { ...at, number: at.number + LATER_NUMBERS_MAX })
    })
  }
  of({ key, detector, at }: Wanted): Recomputed {
    const { isLaunched, found, seen, events } = this.#followed.get(key) as Followed
    const one = found.get(detector)
    return {
      isLaunched,
      hasReached: this.#isPast(at),
      found: one,
      seen: one && seen.get(one.id),
      events,
      hash8: this.#hashes.get(at.number) ?? null,
    }
  }
  #isPast(at: Position): boolean {
    return this.#last !== null && comparePositions(this.#last, at) >= 0
  }
  #note({ frame, event }: MintEvent): void {
    const followed = this.#followed.get(this.#keyOf(event)) as Followed
    if (event.type === 'launch') followed.isLaunched = true
    const { tx, outer, inner } = event
    followed.events.set(eventId({ ...frame, tx, outer, inner }, frame.hash8), { frame, event })
  }
  #seeBefore({ rows }: Call<ChainEvent>): void {
    if (this.#followed.has(rows.key as Key)) this.#before = copied(this.#subject.see(rows))
  }
  #seeAfter({ rows }: Call<ChainEvent>): void {
    const followed = this.#followed.get(rows.key as Key)
    if (followed === undefined) return
    for (const flag of rows.rows('flags')) {
      const { findingId } = flag as { readonly findingId: string }
      if (!followed.seen.has(findingId))
        followed.seen.set(findingId, { findingId, before: this.#before, after: copied(this.#subject.see(rows)) })
    }
  }
}

/** An event for people: its id, its position, then its fields. */
export const printEvent = (id: string, { frame, event }: MintEvent): Record<string, unknown> => ({
  event_id: id,
  ...printWithPosition(frame, event),
})
