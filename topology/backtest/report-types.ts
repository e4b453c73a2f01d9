// The types of a backtest's report: each value is one JSON line, and the page draws them. Times are unix seconds of the chain.
import type { Chain } from '../../schemas/types.ts'

/** A share of n with its Wilson interval (95 %); null for n = 0. */
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
  /** Judged flags whose rug came earlier than that, or before the flag. */
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
  /** Name of the setting that did best in the training window; null if none found anything. */
  readonly chosen: string | null
  /** recall - share of the launches that did not rug and were flagged, in each window. */
  readonly trainScore: number | null
  readonly testScore: number | null
}

/** The effect of avoiding flagged launches for a buyer of every launch. */
export interface Profit {
  readonly ageS: number
  readonly holdS: number
  readonly sizeLamports: number
  readonly feeBps: number
  /** Launches that could be bought at that age. */
  readonly bought: number
  readonly avoided: number
  /** Mean result of a launch in lamports, including fees and own price impact: of all launches, of those kept, of those avoided. */
  readonly meanAllLamports: number | null
  readonly meanKeptLamports: number | null
  readonly meanAvoidedLamports: number | null
}

/** Random launches, flagged as often at the same count of events: the expected counts of a detector without information. */
export interface Placebo {
  readonly expectedHits: number
  readonly precision: number | null
  /** Probability of at least as many hits by chance (Poisson-binomial), one-sided; null without judged flags. */
  readonly p: number | null
  /** Benjamini-Hochberg over all settings tried. */
  readonly q: number | null
}

export interface LookAhead {
  /** Repeated calls. */
  readonly checked: number
  readonly flips: number
  /** The first of each kind, in words. */
  readonly examples: readonly string[]
}

/** Flags with one event in twenty lost at random, compared with the whole run. */
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
  /** The setting as shipped, or the defaults of the file. */
  readonly isDefault: boolean
  /** For hits: seconds from flag plus delay to the rug; null without hits. */
  readonly leadP50S: number | null
  readonly leadP90S: number | null
  /** Hits with a lead up to each bound, seconds; cumulative. */
  readonly leads: readonly { readonly upToS: number; readonly hits: number }[]
  readonly flagsADay: number
  readonly placebo: Placebo
  readonly slices: readonly TimeSlice[]
  readonly profit: Profit | null
  /** For user-supplied detectors. */
  readonly lookAhead: LookAhead | null
  readonly loss: LossTest | null
  /** The worst, costliest first. */
  readonly mistakes: readonly Mistake[]
}

/** The first line. */
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
