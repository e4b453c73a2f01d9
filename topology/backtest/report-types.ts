// What a backtest reports: JSON lines have these values, one a line, and the page draws them. Times are unix seconds of the chain.
import type { Chain } from '../../schemas/types.ts'

/** A share of n with its Wilson interval (95 %); null of nothing. */
export interface Share {
  readonly hits: number
  readonly of: number
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
}

/** Counts of judged flags: those on launches whose outcome came after the flag and says whether they rugged. */
export interface Judged {
  /** Launches flagged, judged or not. */
  readonly flagged: number
  readonly judged: number
  /** Judged flags whose rug came at least the observation delay after them. */
  readonly hits: number
  /** Judged flags on a rug that came sooner, or before the flag. */
  readonly late: number
  /** Judged flags on launches that graduated. */
  readonly killedWinners: number
  /** Launches that rugged, flagged or not. */
  readonly rugged: number
  /** Launches whose outcome says whether they rugged. */
  readonly launches: number
  /** hits / judged. */
  readonly precision: Share
  /** hits / rugged. */
  readonly recall: Share
  /** rugged / launches. */
  readonly baseRate: Share
}

/** The same counts of a part of all launches: those of a day (UTC), of a regime, or of a kind of creator. */
export interface Slice extends Judged {
  readonly by: 'day' | 'regime' | 'creator'
  readonly name: string
}

/** One of the test windows: the setting that did best before it, and how it did in it. */
export interface WalkForward {
  readonly trainFrom: number
  readonly trainTo: number
  readonly testFrom: number
  readonly testTo: number
  /** Name of the setting that did best in the training window; null where none found anything. */
  readonly chosen: string | null
  /** recall - share of the launches that did not rug and were flagged, in each window. */
  readonly trainScore: number | null
  readonly testScore: number | null
}

/** What avoiding flagged launches would have changed for a buyer of every launch. */
export interface Profit {
  readonly ageS: number
  readonly holdS: number
  readonly sizeLamports: number
  readonly feeBps: number
  /** Launches that could be bought at that age. */
  readonly bought: number
  readonly avoided: number
  /** Mean result of a launch in lamports, fees and the curve's own price impact in it: of all, of those left, of those avoided. */
  readonly meanAllLamports: number | null
  readonly meanKeptLamports: number | null
  readonly meanAvoidedLamports: number | null
}

/** Random launches flagged as many times, at the same count of events: what the counts would be if the detector knew nothing. */
export interface Placebo {
  readonly expectedHits: number
  readonly precision: number | null
  /** Of at least as many hits by chance (Poisson-binomial), one-sided; null without judged flags. */
  readonly p: number | null
  /** Benjamini-Hochberg over everything that was tried. */
  readonly q: number | null
}

export interface LookAhead {
  /** Calls that were asked again. */
  readonly checked: number
  readonly flips: number
  /** In words, the first of each kind. */
  readonly examples: readonly string[]
}

/** With one event in twenty lost at random: what stayed of the hits and came of flags that were not there. */
interface LossTest {
  readonly lostShare: number
  readonly flaggedBoth: number
  readonly flaggedOnlyWhole: number
  readonly flaggedOnlyLossy: number
}

/** A flag on a launch that did not rug, or a rug without a flag in time; with what to type to look at it. */
export interface Mistake {
  readonly kind: 'false_alarm' | 'killed_winner' | 'missed' | 'late'
  readonly mint: string
  readonly at: number
  readonly findingId: string | null
  readonly explain: string
  /** How bad: lamports of the peak. */
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
  /** From flag and delay to the rug, seconds, of the hits; null without. */
  readonly leadP50S: number | null
  readonly leadP90S: number | null
  /** Hits with a lead up to each bound, seconds: each count has those before it in it. */
  readonly leads: readonly { readonly upToS: number; readonly hits: number }[]
  readonly flagsADay: number
  readonly placebo: Placebo
  readonly slices: readonly Slice[]
  readonly profit: Profit | null
  /** Of detectors of one's own. */
  readonly lookAhead: LookAhead | null
  readonly loss: LossTest | null
  /** The worst, most costly first. */
  readonly mistakes: readonly Mistake[]
}

/** The first line. */
export interface Summary {
  readonly type: 'summary'
  readonly program: string
  readonly chain: Chain
  /** What was read, in words of the command line. */
  readonly input: readonly string[]
  /** First and last tick that were graded. */
  readonly from: number
  readonly to: number
  readonly events: number
  readonly launches: number
  /** Launches whose outcome did not come within the range: judged by nothing. */
  readonly unresolved: number
  readonly delayS: number
  readonly seed: number
  /** How many settings were tried, over all detectors. */
  readonly tried: number
  /** Probability of backtest overfitting by detector that had several settings; null with the reason. */
  readonly overfitting: readonly {
    readonly detector: string
    readonly probability: number | null
    readonly reason: string | null
    readonly blocks: number
  }[]
  readonly walkForward: readonly (WalkForward & { readonly detector: string })[]
  readonly purgeS: number
  readonly embargoS: number
  /** What the figures rest on, each a sentence. */
  readonly assumptions: readonly string[]
  /** Stopped before the end: what was read so far. */
  readonly isPartial: boolean
  /** Seconds of wall time, and events a second: printed, compared with nothing. */
  readonly tookS: number
}

export interface Report {
  readonly summary: Summary
  readonly settings: readonly Graded[]
}
