// Creators of many days, in the fold's store or in the view's records: the part of a process that grows for 90 days.
import type { FactBody } from '../../processors/contract.ts'
import { creatorProcessor } from '../../processors/creator/creator.ts'
import type { TapeHeader } from '../../processors/tape.ts'
import type { Key } from '../../schemas/keys.ts'
import { tickOf } from '../../schemas/position.ts'
import type { Fact, TapeEvent } from '../../schemas/types.ts'
import { Fold } from '../../topology/engine/fold.ts'
import type { PageRecord } from '../../topology/engine/rows/aggregate.ts'
import { TimerHeap } from '../../topology/engine/timers.ts'
import { Journal } from '../../topology/engine/undo/journal.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { KeyedPages, PageStore } from '../../topology/ports/keyed-pages.ts'
import { RecordRows } from '../../topology/views/record-view.ts'
import { randomOf } from '../bench/synthetic-tape.ts'
import { settled } from '../unit/processors/creator/creator-given.ts'

const DAY_S = 86_400
/** A frame represents 20 s. */
const FRAME_S = 20
export const FRAMES_PER_DAY = DAY_S / FRAME_S
const FIRST_TIME = 1_789_948_800
const NEW_CREATOR_SHARE = 0.6
/** Frames from a launch to its outcome. */
const SETTLES_AFTER = 90
const HOT_FRAMES = 12

const keyOf = (kind: number, n: number): Key => {
  const random = randomOf(Math.imul(kind, 0x9e3779b1) ^ n)
  const bytes = Buffer.allocUnsafe(32)
  for (let at = 0; at < 32; at += 4) bytes.writeUInt32LE(Math.floor(random() * 4_294_967_296), at)
  return bytes.toString('latin1') as Key
}

interface Launch {
  readonly mint: Key
  readonly creator: Key
  readonly at: number
}

const definition = LAUNCH_RISK.folds(1).folds.find(({ processor }) => processor.name === creatorProcessor.name)

/** Folds launches and their outcomes with the creator fold; each frame is a commit. */
export class Creators {
  readonly #fold: Fold<TapeEvent, TapeHeader>
  readonly #timers: TimerHeap
  readonly #random: () => number
  readonly #launchesPerDay: number
  readonly #open: Launch[][] = []
  #frame = 0
  #creators = 0
  #launches = 0

  constructor(pages: PageStore, launchesPerDay: number, seed: number) {
    if (definition === undefined) throw new Error('the topology has no creator fold')
    this.#timers = new TimerHeap(pages.open())
    const stored = { journal: new Journal({ undoFramesMax: 0, undoBytesMax: 0 }), hotFrames: HOT_FRAMES, pages }
    this.#fold = new Fold(definition as ConstructorParameters<typeof Fold<TapeEvent, TapeHeader>>[0], {
      ...{ stored, timers: this.#timers, send: () => {} },
    })
    this.#random = randomOf(seed)
    this.#launchesPerDay = launchesPerDay
  }
  get size(): number {
    return this.#fold.store.size
  }
  get timers(): number {
    return this.#timers.size
  }
  /** Folds one frame; returns the pages that its commit writes. */
  next(): readonly PageRecord[] {
    const frame = this.#frame++
    const header = headerOf(frame)
    this.#fold.beginFrame(true)
    this.#timers.popDue(header.time)
    const launches: Launch[] = []
    for (const due = Math.floor(((frame + 1) * this.#launchesPerDay) / FRAMES_PER_DAY); this.#launches < due; )
      launches.push(this.#launch(header.time))
    const over = (this.#open.length >= SETTLES_AFTER && this.#open.shift()) || []
    this.#open.push(launches)
    for (const launch of launches) this.#send(header, launch, { type: 'launched', at: launch.at })
    for (const launch of over)
      this.#send(header, launch, settled(launch.at, header.time, { devFirstSellDtS: 40, devBuyQuoteUnits: 5e8, peakQuoteUnits: 3e10 }))
    return this.#fold.store.takeDirty()
  }
  #launch(at: number): Launch {
    const isNew = this.#creators === 0 || this.#random() < NEW_CREATOR_SHARE
    const creator = keyOf(2, isNew ? this.#creators++ : Math.floor(this.#random() * this.#creators))
    return { mint: keyOf(1, this.#launches++), creator, at }
  }
  #send(header: TapeHeader, { mint, creator }: Launch, body: FactBody): void {
    const position = tickOf(header.chain, header.number)
    const fact: Fact = { ...position, from: 'mint', fromKey: mint, n: 0, to: 'creator', toKey: creator, body }
    this.#fold.onFact(fact, { position, header, since: FIRST_TIME })
  }
}

const headerOf = (frame: number): TapeHeader => ({
  chain: 'solana',
  number: 300_000_000 + frame * 50,
  hash8: String(frame).padStart(8, '0'),
  sequence: frame,
  time: FIRST_TIME + frame * FRAME_S,
  gapFrom: null,
  gapTo: null,
  vouched: false,
  final: true,
  placed: true,
})

/** Stores nothing: with it the fold only makes records for the view. */
class NoPages implements KeyedPages {
  readonly size = 0
  keys = (): Iterable<string> => []
  count = (): number => 0
  put(): void {}
  numbered = (): [] => []
  cut(): void {}
  drop(): void {}
  delete(): void {}
  close(): void {}
}

/** The records of the view, fed by a fold that loses what it evicts: every record counts only a few launches. */
export class ViewedCreators {
  readonly #creators: Creators
  readonly #rows: RecordRows
  #offset = 0

  constructor(pages: PageStore, launchesPerDay: number, seed: number) {
    this.#creators = new Creators({ open: () => new NoPages() }, launchesPerDay, seed)
    this.#rows = new RecordRows(pages)
  }
  get size(): number {
    return this.#rows.size.creators
  }
  readonly timers = 0
  next(): void {
    for (const { key, value } of this.#creators.next()) this.#rows.putCreator({ offset: this.#offset++, key, value })
  }
}
