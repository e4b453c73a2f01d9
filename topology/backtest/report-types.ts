// The types of a backtest's report: each value is one JSON line, and the page draws them. Times are unix seconds of the chain.
import type { Chain } from '../../schemas/types.ts'

/** `hits` of `of` as a share, with its Wilson interval (95 %). Value and bounds are null if `of` is 0. */
export interface Share {
  readonly hits: number
  readonly of: number
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
}

/** Counts of judged flags: flags on launches whose outcome came after the flag and states whether they rugged. */
export interface Judged {
  /** Flagged launches, judged or not. */
  readonly flagged: number
  readonly judged: number
  /** Judged flags whose rug came at least the observation delay after them. */
  readonly hits: number
  /** Judged flags whose launch rugged, but sooner: before the flag, or within the observation delay after it. */
  readonly late: number
  /** Judged flags on launches that graduated. */
  readonly killedWinners: number
  /** Launches that rugged, flagged or not. */
  readonly rugged: number
  /** Launches whose outcome states whether they rugged. */
  readonly launches: number
  /** hits / judged. */
  readonly precision: Share
  /** hits / rugged. */
  readonly recall: Share
  /** rugged / launches. */
  readonly baseRate: Share
}

/** The same counts for a part of all launches: a day (UTC), a regime, or a kind of creator. */
export interface TimeSlice extends Judged {
  readonly by: 'day' | 'regime' | 'creator'
  readonly name: string
}

/** A test window: the setting that did best before it, and its score in the window. */
export interface WalkForward {
  readonly trainFrom: number
  readonly trainTo: number
  readonly testFrom: number
  readonly testTo: number
  /** Name of the setting that did best in the training window; null if no setting found anything. */
  readonly chosen: string | null
  /** In each window: recall minus the share of the launches without a rug that were flagged. */
  readonly trainScore: number | null
  readonly testScore: number | null
}

/** What a buyer of every launch would gain by avoiding the flagged ones. */
export interface Profit {
  readonly ageS: number
  readonly holdS: number
  readonly sizeLamports: number
  readonly feeBps: number
  /** Launches that could be bought at the age `ageS`. */
  readonly bought: number
  readonly avoided: number
  /** Mean result of a launch in lamports, including fees and own price impact: of all launches, of those kept, of those avoided. */
  readonly meanAllLamports: number | null
  readonly meanKeptLamports: number | null
  readonly meanAvoidedLamports: number | null
}

/** What to expect of a detector without information: it flags as many launches at the same counts of events, but picks them at random. */
export interface Placebo {
  readonly expectedHits: number
  readonly precision: number | null
  /** Probability of at least as many hits by chance (Poisson-binomial), one-sided; null without judged flags. */
  readonly p: number | null
  /** `p` adjusted for all settings tried (Benjamini-Hochberg). */
  readonly q: number | null
}

export interface LookAhead {
  /** Repeated calls. */
  readonly checked: number
  /** Repeated calls with another answer. */
  readonly flips: number
  /** The first of each kind, in words. */
  readonly examples: readonly string[]
}

/** The flags of a run that loses one event in twenty at random, compared with those of the run over all events. */
interface LossTest {
  readonly lostShare: number
  readonly flaggedBoth: number
  readonly flaggedOnlyWhole: number
  readonly flaggedOnlyLossy: number
}

/** A flag on a launch that did not rug, or a rug without a flag in time; with the command that explains it. */
export interface Mistake {
  readonly kind: 'false_alarm' | 'killed_winner' | 'missed' | 'late'
  readonly mint: string
  readonly at: number
  readonly findingId: string | null
  readonly explain: string
  /** Severity: the peak in lamports. */
  readonly peakLamports: string
}

/** A detector with one setting of its thresholds. */
export interface Graded extends Judged {
  readonly type: 'setting'
  /** `curve-drained percent=20`. */
  readonly name: string
  readonly detector: {
    readonly id: string
    readonly version: number
    readonly hash: string | null
    readonly tier: 'active' | 'shadow' | 'retired' | 'yours'
    readonly flag: string
    readonly firesWhen: string
  }
  readonly settings: Readonly<Record<string, string>>
  /** True for the setting as shipped, or for the defaults of a detector file. */
  readonly isDefault: boolean
  /** Over the hits: seconds between the end of the observation delay and the rug; null without hits. */
  readonly leadP50S: number | null
  readonly leadP90S: number | null
  /** Hits with a lead up to each bound, seconds; cumulative. */
  readonly leads: readonly { readonly upToS: number; readonly hits: number }[]
  readonly flagsADay: number
  readonly placebo: Placebo
  readonly slices: readonly TimeSlice[]
  readonly profit: Profit | null
  /** Only for detectors of a file; null for shipped ones. */
  readonly lookAhead: LookAhead | null
  readonly loss: LossTest | null
  /** The most costly ones, worst first. */
  readonly mistakes: readonly Mistake[]
}

/** The first line of a report. */
export interface Summary {
  readonly type: 'summary'
  readonly program: string
  readonly chain: Chain
  /** The input, as given on the command line. */
  readonly input: readonly string[]
  /** First and last graded tick. */
  readonly from: number
  readonly to: number
  readonly events: number
  readonly launches: number
  /** Launches whose outcome did not come within the range: not judged. */
  readonly unresolved: number
  readonly delayS: number
  readonly seed: number
  /** Number of settings tried, over all detectors. */
  readonly tried: number
  /** Probability of backtest overfitting, by detector; null with a reason, such as a single setting. */
  readonly overfitting: readonly {
    readonly detector: string
    readonly probability: number | null
    readonly reason: string | null
    readonly blocks: number
  }[]
  readonly walkForward: readonly (WalkForward & { readonly detector: string })[]
  readonly purgeS: number
  readonly embargoS: number
  /** Assumptions behind the figures, one sentence each. */
  readonly assumptions: readonly string[]
  /** True if the run was stopped early: the figures cover the input read so far. */
  readonly isPartial: boolean
  /** Wall time in seconds: printed, not compared. */
  readonly tookS: number
}

export interface Report {
  readonly summary: Summary
  readonly settings: readonly Graded[]
}
