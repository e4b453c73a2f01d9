// Follows the logged odds and the outcomes of their launches: the newest values, and whether they may be shown.

import { HeadStates } from '../../processors/odds/standing/head-states.ts'
import { OddsBook } from '../../processors/odds/standing/odds-book.ts'
import type { Log } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { OddsTopology } from '../topology.ts'
import { Offsets } from '../views/offsets.ts'
import { Rounds } from '../views/rounds.ts'
import { FoldedTasks } from '../views/status/folded.ts'
import { MergedConclusions } from './merged.ts'
import type { ModelSet } from './model-set.ts'
import { recordsFrom } from './records-from.ts'

/**
 * An outcome is graded once the folds are this far beyond it, seconds of stream time: odds are logged a moment after the judgement, and
 * every process must grade a launch with all its values.
 */
const LATE_S = 60

export interface GradedOptions {
  readonly topology: OddsTopology
  readonly log: Log
  readonly models: ModelSet
  readonly notice: Notice
  /** Unix milliseconds. */
  readonly wall: () => number
}

/** A process has one instance, shared by the view of the odds and by the trials of models. */
export class GradedOdds {
  readonly book: OddsBook
  readonly headStates: HeadStates
  readonly #options: GradedOptions
  readonly #rounds: Rounds
  readonly #tasks = new FoldedTasks()
  readonly #offsets = new Offsets()
  #merged: MergedConclusions | undefined
  #started: Promise<void> | undefined
  #unsubscribe: () => void = () => {}
  #isWhole = false

  constructor(options: GradedOptions) {
    this.#options = options
    const { topology, models, notice, wall } = options
    this.book = new OddsBook(topology.chain.conclusions)
    this.headStates = new HeadStates(this.book.rows, () => models.records())
    this.#rounds = new Rounds({ name: 'odds', notice, wall }, () => this.#readOn())
  }
  /** Reads everything on the log, then follows each commit. Resolves when everything is read; all calls share one start. */
  start(): Promise<void> {
    this.#started ??= this.#begin()
    return this.#started
  }
  /** Rejects with a failure that no retry can fix; never resolves. */
  get failed(): Promise<never> {
    return this.#rounds.failed
  }
  /** Resolves when everything known at the call is included. */
  async caughtUp(): Promise<void> {
    await this.#rounds.ask()
  }
  async stop(): Promise<void> {
    this.#unsubscribe()
    await this.#rounds.stop()
  }
  /** False until everything that was there at the start is included. */
  get isWhole(): boolean {
    return this.#isWhole
  }
  /** Stream time up to which every task has folded, unix seconds; null until known. */
  get foldedS(): number | null {
    const { log, topology } = this.#options
    return this.#tasks.newest(log.partitions(topology.views.odds.reads.progress))?.time ?? null
  }

  #begin(): Promise<void> {
    const { log, topology } = this.#options
    const names = new Set(Object.values(topology.views.odds.reads).map(({ name }) => name))
    this.#unsubscribe = log.onCommit((topics) => {
      if ([...topics].some((name) => names.has(name))) void this.#rounds.ask().catch(() => {})
    })
    return this.#rounds.ask()
  }
  /** Reads the progress of the folds before their conclusions. */
  async #readOn(): Promise<void> {
    const { log, topology, models, notice } = this.#options
    const { odds, outcomes, progress } = topology.views.odds.reads
    if (!this.#isWhole) await log.refresh()
    await models.readOn()
    for await (const record of recordsFrom(log, progress, this.#offsets)) this.#tasks.hold(record)
    this.#tasks.show()
    this.#merged ??= new MergedConclusions({ log, form: topology.chain.conclusions, notice }, [odds, outcomes])
    const until = (this.foldedS ?? 0) - LATE_S
    await this.#merged.take(outcomes, until, (conclusion, partition, at) => {
      this.headStates.advance(Math.min(at, until))
      this.book.put(conclusion, partition)
    })
    this.headStates.advance(until)
    this.#isWhole = true
  }
}
