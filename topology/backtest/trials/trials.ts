// Tracks the launches of a run and, for each, the first firing of every candidate. A probe, which the fold runs like a detector, passes the
// rows.
import type { Key } from '../../../schemas/keys.ts'
import { isTick } from '../../../schemas/position.ts'
import type { ChainEvent } from '../../../schemas/record-forms.ts'
import type { Outcome } from '../../../schemas/types.ts'
import type { Candidate } from './candidate.ts'
import { Creators } from './creators.ts'
import type { Market, SeenRows } from './market.ts'
import { classOf, type Trial } from './trial.ts'

/** After so many seconds without an event the fold has removed the launch: it can have no more findings. */
const SILENT_S = 8 * 3_600
/** Interval of the search for silent launches, in seconds of the chain. */
const SWEEP_S = 600

/** Seconds after the launch at which the buyer of the profit column buys, and how long it holds. */
export interface BuyerTimes {
  readonly ageS: number
  readonly holdS: number
}

/** The current frame. */
interface Frame {
  readonly time: number
  readonly hash8: string
  readonly events: readonly ChainEvent[]
}

interface TrialListener {
  /** Called once, when the outcome comes. */
  judge(trial: Trial, outcome: Outcome): void
  /** Called when the launch is removed, or the run ends: it can have no more findings. */
  over(trial: Trial): void
}

/** The state as plain values. */
export interface TrialsState {
  readonly creators: ReadonlyMap<Key, boolean>
  readonly followed: ReadonlyMap<Key, { readonly trial: Trial; readonly curve: Key }>
  readonly sweepAt: number
}

export class Trials<Rows extends SeenRows> {
  readonly #market: Market<Rows>
  readonly #candidates: readonly Candidate<Rows>[]
  readonly #buyer: BuyerTimes
  readonly #listener: TrialListener
  readonly #creators = new Creators()
  /** By curve, which identifies a launch in rows, and by mint, which identifies it in outcomes. */
  readonly #byCurve = new Map<Key, Trial>()
  readonly #byMint = new Map<Key, { readonly trial: Trial; readonly curve: Key }>()
  #frame: Frame = { time: 0, hash8: '', events: [] }
  #sweepAt = 0

  constructor(market: Market<Rows>, candidates: readonly Candidate<Rows>[], buyer: BuyerTimes, listener: TrialListener) {
    this.#market = market
    this.#candidates = candidates
    this.#buyer = buyer
    this.#listener = listener
  }
  get state(): TrialsState {
    return { creators: this.#creators.state, followed: this.#byMint, sweepAt: this.#sweepAt }
  }
  restore({ creators, followed, sweepAt }: TrialsState): void {
    this.#creators.restore(creators)
    for (const [mint, { trial, curve }] of followed) {
      this.#byMint.set(mint, { trial, curve })
      this.#byCurve.set(curve, trial)
    }
    this.#sweepAt = sweepAt
  }
  /** Called before the frame is folded. */
  enter(frame: Frame): void {
    this.#frame = frame
    for (const event of frame.events) {
      const opened = this.#market.openedBy(event)
      if (opened !== undefined && !this.#byMint.has(opened.mint)) this.#open(opened)
    }
  }
  /** Called by the probe with the rows of a launch after an event. */
  see(rows: Rows): void {
    const trial = this.#byCurve.get(this.#market.curveOf(rows))
    if (trial === undefined) return
    const at = isTick(rows.position) ? this.#frame.time : this.#market.secondOf(rows)
    this.#count(trial, rows, at)
    const { fired } = trial
    const candidates = this.#candidates
    for (let i = 0; i < candidates.length; i++) {
      if (fired[i] !== undefined || (candidates[i] as Candidate<Rows>).find(rows) === undefined) continue
      const { number, tx, outer, inner } = rows.position
      fired[i] = { at, events: trial.events, position: { number, tx, outer, inner, hash8: this.#frame.hash8 } }
    }
  }
  settle(outcome: Outcome): void {
    const followed = this.#byMint.get(outcome.mint)
    if (followed === undefined || followed.trial.isJudged) return
    this.#listener.judge(followed.trial, outcome)
    followed.trial.isJudged = true
    if (outcome.rugged === true) this.#creators.rugged(followed.trial.creator)
  }
  /** Called after the frame is folded. */
  leave(): void {
    const { time } = this.#frame
    if (time < this.#sweepAt) return
    this.#sweepAt = time + SWEEP_S
    for (const [mint, { trial, curve }] of this.#byMint) if (trial.lastAt + SILENT_S < time) this.#drop(mint, trial, curve)
  }
  end(): void {
    for (const [mint, { trial, curve }] of this.#byMint) this.#drop(mint, trial, curve)
  }
  trialOf(mint: Key): Trial | undefined {
    return this.#byMint.get(mint)?.trial
  }
  #open({ mint, curve, creator }: { readonly mint: Key; readonly curve: Key; readonly creator: Key }): void {
    const trial: Trial = {
      ...{ mint, creator, creatorKind: this.#creators.launched(creator), launchedAt: this.#frame.time, events: 0, reachedAt: [] },
      ...{ lastAt: this.#frame.time, peakUnits: 0, fired: [], entry: null, exit: null, isJudged: false },
    }
    this.#byCurve.set(curve, trial)
    this.#byMint.set(mint, { trial, curve })
  }
  #count(trial: Trial, rows: Rows, at: number): void {
    trial.events += 1
    trial.lastAt = at
    trial.peakUnits = this.#market.peakOf(rows)
    const reached = classOf(trial.events)
    if (trial.reachedAt.length <= reached) trial.reachedAt.push(at)
    const age = at - rows.launch.at
    if (age > this.#buyer.ageS + this.#buyer.holdS) return
    const reserves = this.#market.reservesOf(rows)
    if (age <= this.#buyer.ageS) trial.entry = reserves
    // A closed curve takes no trades: the buyer sells at its last reserves.
    if (reserves !== null) trial.exit = reserves
  }
  #drop(mint: Key, trial: Trial, curve: Key): void {
    this.#byMint.delete(mint)
    this.#byCurve.delete(curve)
    this.#listener.over(trial)
  }
}
