// Runs a backtest: the production folds over a tape, with a probe among their detectors that passes the rows to every candidate.

import type { ChainEvent } from '../../schemas/record-forms.ts'
import type { Chain, Conclusion } from '../../schemas/types.ts'
import type { TaskStanding } from '../runtime/replay-state.ts'
import { type GradeOptions, gradesOf } from './judge/grade.ts'
import { Ledger, type LedgerState } from './judge/ledger.ts'
import { overfittingOf, walkForward } from './judge/windows.ts'
import { mixed } from './look-ahead/sample.ts'
import type { Graded, LookAhead, Report, Summary } from './report-types.ts'
import type { Candidate } from './trials/candidate.ts'
import type { Market, SeenRows } from './trials/market.ts'
import type { Trial } from './trials/trial.ts'
import { Trials, type TrialsState } from './trials/trials.ts'

/** A frame of the tape. */
export interface TapeFrame {
  readonly number: number
  readonly hash8: string
  readonly time: number
  readonly events: readonly ChainEvent[]
}

/** Folds that call the probe with the rows of a launch after each of its events. */
export interface ProbedFolds<Frame extends TapeFrame> {
  readonly standing: readonly TaskStanding[]
  restore(standing: readonly TaskStanding[]): void
  batch(frame: Frame): { readonly conclusions: readonly Conclusion[] }
}
export type FoldsWith<Rows, Frame extends TapeFrame> = (probe: (rows: Rows) => void) => ProbedFolds<Frame>

export interface BacktestOptions<Rows extends SeenRows, Frame extends TapeFrame> extends Pick<GradeOptions, 'buyer' | 'explain'> {
  readonly chain: Chain
  readonly market: Market<Rows>
  readonly candidates: readonly Candidate<Rows>[]
  readonly folds: FoldsWith<Rows, Frame>
  /** Launches at or after `from` and before `to` are graded; unix seconds. */
  readonly from: number
  readonly to: number
  readonly delayS: number
  readonly purgeS: number
  readonly seed: number
  /** Indexes of the candidates whose flags are compared with those of a run that loses events; may be empty. */
  readonly lossTested: ReadonlySet<number>
}

interface RunState {
  readonly folds: readonly TaskStanding[]
  readonly trials: TrialsState
}
/** The state of a backtest between two frames, as plain values. */
export interface BacktestState {
  readonly whole: RunState
  readonly lossy: RunState | null
  readonly ledger: LedgerState
  readonly losses: ReadonlyMap<number, Loss>
  readonly events: number
  readonly first: number
  readonly last: number
  /** Number of the newest frame that was taken. */
  readonly number: number
}
interface Loss {
  both: number
  whole: number
  lossy: number
}

/** Share of the events that the lossy run loses. */
const LOST_SHARE = 0.05
const HASHES = 2 ** 32

export class Backtest<Rows extends SeenRows, Frame extends TapeFrame> {
  readonly #options: BacktestOptions<Rows, Frame>
  readonly #ledger: Ledger
  readonly #whole: Run<Rows, Frame>
  readonly #lossy: Run<Rows, Frame> | undefined
  readonly #losses = new Map<number, Loss>()
  #number = -1
  #events = 0
  #first = 0
  #last = 0

  constructor(options: BacktestOptions<Rows, Frame>) {
    const { chain, candidates, delayS, buyer, lossTested } = options
    this.#options = options
    this.#ledger = new Ledger({ chain, delayS, buyer, detectors: candidates.map(({ detector }) => detector.id) })
    const over = (trial: Trial): void => {
      if (this.#isGraded(trial)) this.#ledger.over(trial)
      this.#compare(trial)
    }
    this.#whole = new Run(options, candidates, {
      judge: (trial, outcome) => {
        if (this.#isGraded(trial)) this.#ledger.judge(trial, outcome)
      },
      over,
    })
    if (lossTested.size > 0) {
      this.#lossy = new Run(
        options,
        candidates.map((one, i) => (lossTested.has(i) ? one : { ...one, find: () => undefined })),
        {
          judge: () => {},
          over: () => {},
        },
      )
      for (const i of lossTested) this.#losses.set(i, { both: 0, whole: 0, lossy: 0 })
    }
  }
  get state(): BacktestState {
    return {
      ...{ whole: this.#whole.state, lossy: this.#lossy?.state ?? null, ledger: this.#ledger.state, losses: this.#losses },
      ...{ events: this.#events, first: this.#first, last: this.#last, number: this.#number },
    }
  }
  /** Restores the state of another backtest with the same options. `take` then skips the frames that the other one took. */
  restore({ whole, lossy, ledger, losses, events, first, last, number }: BacktestState): void {
    this.#whole.restore(whole)
    if (lossy !== null) this.#lossy?.restore(lossy)
    this.#ledger.restore(ledger)
    for (const [i, loss] of losses) this.#losses.set(i, loss)
    this.#events = events
    this.#first = first
    this.#last = last
    this.#number = number
  }
  take(frame: Frame): void {
    if (frame.number <= this.#number) return
    this.#number = frame.number
    if (this.#first === 0) this.#first = frame.time
    this.#last = frame.time
    this.#events += frame.events.length
    this.#whole.take(frame)
    this.#lossy?.take({ ...frame, events: frame.events.filter((event) => !this.#isLost(frame, event)) })
    this.#whole.trials.leave()
    this.#lossy?.trials.leave()
  }
  /** Ends the run and reports it. `lookAhead`: by index of the candidate. */
  report(
    lookAhead: readonly (LookAhead | null)[],
    summary: Pick<Summary, 'program' | 'input' | 'assumptions' | 'isPartial' | 'tookS'>,
  ): Report {
    this.#whole.trials.end()
    this.#lossy?.trials.end()
    const { candidates, chain, delayS, seed, purgeS } = this.#options
    const ledger = this.#ledger
    const range = { from: Math.max(this.#first, this.#options.from), to: Math.min(this.#last, this.#options.to) }
    const counted = candidates.map(
      (_, i): Pick<Graded, 'lookAhead' | 'loss'> => ({ lookAhead: lookAhead[i] ?? null, loss: this.#lossOf(i) }),
    )
    const byDetector = this.#booksByDetector()
    return {
      summary: {
        type: 'summary',
        ...summary,
        ...{ chain, ...range, events: this.#events, launches: ledger.launches, unresolved: ledger.unresolved, delayS, seed },
        tried: candidates.length,
        overfitting: [...byDetector].map(([id, named]) =>
          overfittingOf(
            id,
            named.map(({ book }) => book),
            ledger,
          ),
        ),
        walkForward: [...byDetector].flatMap(([id, named]) => walkForward(id, named, ledger, purgeS)),
        ...{ purgeS, embargoS: 0 },
      },
      settings: gradesOf(candidates, ledger, counted, { ...this.#options, ...range }),
    }
  }
  #booksByDetector() {
    const named = new Map<string, { readonly name: string; readonly book: Ledger['books'][number] }[]>()
    for (const [i, { name, detector }] of this.#options.candidates.entries()) {
      const book = this.#ledger.books[i] as Ledger['books'][number]
      named.set(detector.id, [...(named.get(detector.id) ?? []), { name, book }])
    }
    return named
  }
  #isGraded({ launchedAt }: Trial): boolean {
    return launchedAt >= this.#options.from && launchedAt < this.#options.to
  }
  /** A launch itself is never lost: without it nothing about the coin is known. */
  #isLost({ number }: TapeFrame, event: ChainEvent): boolean {
    if (this.#options.market.openedBy(event) !== undefined) return false
    const { tx, outer, inner } = event
    return mixed(mixed(mixed(mixed(this.#options.seed, number), tx), outer), inner) / HASHES < LOST_SHARE
  }
  #compare({ mint, fired }: Trial): void {
    const lossy = this.#lossy?.trials.trialOf(mint)
    for (const [i, loss] of this.#losses) {
      const [inWhole, inLossy] = [fired[i] !== undefined, lossy?.fired[i] !== undefined]
      if (inWhole && inLossy) loss.both += 1
      else if (inWhole) loss.whole += 1
      else if (inLossy) loss.lossy += 1
    }
  }
  #lossOf(i: number): Graded['loss'] {
    const loss = this.#losses.get(i)
    if (loss === undefined) return null
    return { lostShare: LOST_SHARE, flaggedBoth: loss.both, flaggedOnlyWhole: loss.whole, flaggedOnlyLossy: loss.lossy }
  }
}

/** One pass over the tape, with all events or without the lost ones: its own folds and trials. */
class Run<Rows extends SeenRows, Frame extends TapeFrame> {
  readonly trials: Trials<Rows>
  readonly #folds: ProbedFolds<Frame>

  constructor(
    { market, buyer, folds }: BacktestOptions<Rows, Frame>,
    candidates: readonly Candidate<Rows>[],
    listener: ConstructorParameters<typeof Trials<Rows>>[3],
  ) {
    this.trials = new Trials(market, candidates, buyer ?? { ageS: 0, holdS: 0 }, listener)
    this.#folds = folds((rows) => this.trials.see(rows))
  }
  get state(): RunState {
    return { folds: this.#folds.standing, trials: this.trials.state }
  }
  restore({ folds, trials }: RunState): void {
    this.#folds.restore(folds)
    this.trials.restore(trials)
  }
  take(frame: Frame): void {
    this.trials.enter(frame)
    for (const { body } of this.#folds.batch(frame).conclusions) if (body.type === 'outcome') this.trials.settle(body)
  }
}
