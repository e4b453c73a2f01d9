// `import { mintDetector } from 'mintfold/detector'`: what a detector in a file of one's own is, and the helpers that shipped ones use.
//
// A detector is a pure function of rows: the same rows, the same answer, whenever it is asked and whatever it was asked before. It runs
// where there is no clock, chance, file, network, timer, promise or memory between calls: Date.now(), new Date() without a number, local
// time, Math.random, Intl and locale-dependent text, process, require, import(), fetch, console, timers, async functions, WeakRef, eval and
// code from text, changes of globals and prototypes, and writing to rows or settings are refused, each with the reason. `backtest` then
// asks again about the same rows: in a fresh instance, under other addresses and names, at other slots and dates, in another order. A
// different answer counts as a flip, and none is allowed: so addresses, words of names, and absolute slots and dates are no features.
// Differences of times and slots, hours and weekdays (UTC), lengths and shapes of text, and every amount and count are.

import type { CurveLaunchRow, CurveRow, PoolRow } from '../../schemas/types.ts'
import type { CurveRowsSeen } from '../curve/detectors/detector.ts'
import type { DetectorRows, Evidence } from '../mint/detectors/detector.ts'

export type { CurveFiguresRow, CurveLaunchRow, CurveRow, LaunchRow, PoolRow } from '../../schemas/types.ts'
export type { CurveRowsSeen } from '../curve/detectors/detector.ts'
export type { DetectorRows, Evidence } from '../mint/detectors/detector.ts'
export * from './helpers.ts'

/** Names and defaults: finite numbers, 16 at most. `--set percent=40,50` tries others. */
export type Settings = Readonly<Record<string, number>>

interface Named<Given extends Settings> {
  /** Part of every finding's id: a letter, then letters, digits, `-` and `_`, all small, 40 at most. */
  readonly id: string
  /** A whole number from 1; raise it when the detector finds otherwise in the same rows. */
  readonly version: number
  /** What it is called on cards: a letter, then letters, digits and `_`, all small, 40 at most. */
  readonly flag: string
  /** What has to happen, in words: 400 characters at most. */
  readonly firesWhen: string
  readonly settings?: Given
}

/** A detector of mints; it fires once per mint. Rows as those of shipped detectors, read-only. */
export interface MintDetectorSpec<Given extends Settings = Settings> extends Named<Given> {
  /** Why mints like this one are not judged. Absent: every mint is. */
  notJudged?(curve: Readonly<CurveRow>, pool: Readonly<PoolRow> | undefined): string | undefined
  /**
   * Evidence, or undefined while there is nothing. Called after every event of a mint until it fires, so be cheap. Evidence is a plain
   * object of at most 32 finite numbers, texts (1,000 characters) and nulls; a null `x` has the reason beside it, in `x_reason`.
   */
  find(rows: DetectorRows, settings: { readonly [Name in keyof Given]: number }): Evidence | undefined
}

/** A detector of curves of the alt chain; otherwise as that of mints. */
export interface CurveDetectorSpec<Given extends Settings = Settings> extends Named<Given> {
  /** Why curves like this one are not judged. Absent: every curve is. */
  notJudged?(launch: Readonly<CurveLaunchRow>): string | undefined
  /** As that of mints. */
  find(rows: CurveRowsSeen, settings: { readonly [Name in keyof Given]: number }): Evidence | undefined
}

/** What a detector file exports by default. */
export type MintDetectorDefinition<Given extends Settings = Settings> = MintDetectorSpec<Given> & { readonly of: 'mint' }
export type CurveDetectorDefinition<Given extends Settings = Settings> = CurveDetectorSpec<Given> & { readonly of: 'curve' }

/** A detector of mints, for `export default`. */
export const mintDetector = <const Given extends Settings>(spec: MintDetectorSpec<Given>): MintDetectorDefinition<Given> => ({
  ...spec,
  of: 'mint',
})
/** A detector of curves, for `export default`. */
export const curveDetector = <const Given extends Settings>(spec: CurveDetectorSpec<Given>): CurveDetectorDefinition<Given> => ({
  ...spec,
  of: 'curve',
})
