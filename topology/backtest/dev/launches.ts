// Reads a stretch record by record: its launches, and their rows after each event.
import type { Of } from '../../../processors/detector-kit/fields.ts'
import { assert } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { SeenRows } from '../trials/market.ts'
import { type CreatorKind, classOf, type Firing, type Trial } from '../trials/trial.ts'
import { ByteReader } from './bytes.ts'
import { Columns, type RowsRead } from './columns.ts'
import { type KeptChunks, type Label, RECORD } from './records.ts'

/** A launch, its rows and its finding. */
export interface LaunchRead {
  readonly number: number
  readonly name: string
  readonly symbol: string
  readonly trial: Trial
  readonly rows: RowsRead
  /** Evidence of its finding, as JSON; `trial.fired` has the position. */
  evidence: string | undefined
  label: Label | undefined
  /** A copy of the trial at the time of the label. Later events change `trial` only. */
  judged: Trial | undefined
}

/** Called with the rows of a launch that has not fired yet; returns evidence as JSON, or undefined. */
export type RowsEvaluation<Rows> = (rows: Rows) => string | undefined

/** Each read continues where the last one stopped. Rows are valid only during a call of `evaluate`. */
export class LaunchReader<Rows extends SeenRows> {
  readonly #columns: Columns
  readonly #evaluate: RowsEvaluation<Rows>
  readonly #reader = new ByteReader()
  readonly #launches = new Map<number, LaunchRead>()
  #chunk = 0
  #at = 0
  #time = 0
  #hash8 = ''
  #records = 0

  constructor(of: Of, evaluate: RowsEvaluation<Rows>) {
    this.#columns = new Columns(of)
    this.#evaluate = evaluate
  }
  get records(): number {
    return this.#records
  }
  /** Launches read so far, oldest first. */
  get launches(): Iterable<LaunchRead> {
    return this.#launches.values()
  }
  /** Reads to the end and returns true. Calls `isWanted` after each record; stops and returns false as soon as it returns false. */
  read(kept: KeptChunks, isWanted: () => boolean): boolean {
    this.#begin(kept)
    for (; this.#chunk < kept.first + kept.chunks.length; this.#chunk++, this.#at = 0) {
      const bytes = Buffer.from(kept.chunks[this.#chunk - kept.first] as SharedArrayBuffer)
      const used = kept.used[this.#chunk - kept.first] as number
      while (this.#at < used) {
        this.#readRecord(bytes, kept)
        if (!isWanted()) return false
      }
      if (this.#chunk === kept.first + kept.chunks.length - 1) break
    }
    return true
  }
  #begin({ first, firstLaunch, from }: KeptChunks): void {
    if (this.#chunk < first) [this.#chunk, this.#at] = [first, 0]
    for (const [number, { trial }] of this.#launches) {
      if (number >= firstLaunch && trial.launchedAt >= from) break
      this.#launches.delete(number)
    }
  }
  #readRecord(bytes: Buffer, kept: KeptChunks): void {
    const reader = this.#reader
    reader.point(bytes, this.#at)
    const kind = reader.byte()
    const length = reader.natural()
    const end = reader.at + length
    this.#at = end
    this.#records++
    if (kind === RECORD.frame) {
      this.#time = reader.double()
      this.#hash8 = reader.value() as string
      return
    }
    const number = reader.natural()
    const launch = this.#launches.get(number)
    if (kind === RECORD.opened) this.#open(number, kept)
    else if (launch !== undefined && kind === RECORD.seen) this.#see(launch, end)
    else if (launch !== undefined) this.#settle(launch)
  }
  #open(number: number, { firstLaunch, from }: KeptChunks): void {
    const reader = this.#reader
    const launchedAt = reader.double()
    if (number < firstLaunch || launchedAt < from) return
    const [mint, creatorKind, name, symbol] = [reader.value(), reader.value(), reader.value(), reader.value()]
    const trial: Trial = {
      ...{ mint: mint as Key, creator: mint as Key, creatorKind: creatorKind as CreatorKind, launchedAt, events: 0, reachedAt: [] },
      ...{ lastAt: launchedAt, peakUnits: 0, fired: [], entry: null, exit: null, isJudged: false },
    }
    const words = { name: name as string, symbol: symbol as string }
    this.#launches.set(number, {
      ...{ number, ...words, trial, rows: this.#columns.newRows() },
      ...{ evidence: undefined, label: undefined, judged: undefined },
    })
  }
  #see(launch: LaunchRead, end: number): void {
    const { trial } = launch
    const at = this.#time + this.#reader.step()
    trial.events += 1
    trial.lastAt = at
    if (trial.reachedAt.length <= classOf(trial.events)) trial.reachedAt.push(at)
    if (launch.evidence !== undefined) return
    this.#columns.read(this.#reader, end, launch.rows)
    const rows = launch.rows.rows as unknown as Rows
    launch.evidence = this.#evaluate(rows)
    if (launch.evidence !== undefined) trial.fired[0] = this.#firingOf(rows, trial.events, at)
  }
  #firingOf({ position: { number, tx, outer, inner } }: Rows, events: number, at: number): Firing {
    return { at, events, position: { number, tx, outer, inner, hash8: this.#hash8 } }
  }
  #settle(launch: LaunchRead): void {
    const peakUnits = this.#reader.value()
    assert(typeof peakUnits === 'number' || typeof peakUnits === 'bigint', 'a peak must be an amount')
    launch.label = JSON.parse(this.#reader.value() as string) as Label
    const { trial } = launch
    launch.judged = { ...trial, reachedAt: [...trial.reachedAt], fired: [...trial.fired], peakUnits }
  }
}
