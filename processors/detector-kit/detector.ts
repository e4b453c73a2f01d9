// The interface of a detector in a file of your own (`import { mintDetector } from 'mintfold/detector'`), with the helpers that shipped
// detectors use.
//
// A detector is a pure function of rows: the same rows give the same answer, at any time and after any earlier calls. It runs without
// clock, randomness, files, network, timers, promises or memory between calls. Refused, each with a reason, are Date.now(), new Date()
// without a number, local time, Math.random, Intl and locale-dependent text, process, require, import(), fetch, console, timers, async
// functions, WeakRef, eval and code from text, changes of globals and prototypes, and writes to rows or settings.
//
// `backtest` calls the detector again on the same rows: in a fresh instance, with other addresses and names, at other slots and dates, in
// another order. A different answer counts as a flip, and no flip is allowed. So a detector may not use addresses, words of names, or
// absolute slots and dates. It may use differences of times and slots, hours and weekdays (UTC), lengths and shapes of text, and every
// amount and count.

import type { CurveLaunchRow, CurveRow, PoolRow } from '../../schemas/types.ts'
import type { CurveRowsSeen } from '../curve/detectors/detector.ts'
import type { DetectorRows, Evidence } from '../mint/detectors/detector.ts'

export type { CurveFiguresRow, CurveLaunchRow, CurveRow, LaunchRow, PoolRow } from '../../schemas/types.ts'
export type { CurveRowsSeen } from '../curve/detectors/detector.ts'
export type { DetectorRows, Evidence } from '../mint/detectors/detector.ts'
export * from './helpers.ts'

/** Setting names and defaults: finite numbers, 16 at most. `--set percent=40,50` tries other values. */
export type Settings = Readonly<Record<string, number>>

interface Named<Given extends Settings> {
  /** Part of every finding's id: a lower-case letter, then lower-case letters, digits, `-` and `_`; at most 40 characters. */
  readonly id: string
  /** A whole number from 1; raise it when the detector's answer for the same rows changes. */
  readonly version: number
  /** The name on cards: a lower-case letter, then lower-case letters, digits and `_`; at most 40 characters. */
  readonly flag: string
  /** The condition in plain text: at most 400 characters. */
  readonly firesWhen: string
  readonly settings?: Given
}

/** A detector of mints; it fires once per mint. It gets the same rows as shipped detectors, read-only. */
export interface MintDetectorSpec<Given extends Settings = Settings> extends Named<Given> {
  /** Why mints like this one are not judged. Absent: every mint is judged. */
  notJudged?(curve: Readonly<CurveRow>, pool: Readonly<PoolRow> | undefined): string | undefined
  /**
   * Evidence, or undefined while the detector does not fire. Called after every event of a mint until it fires, so keep it cheap. Evidence
   * is a plain object of at most 32 finite numbers, texts (1,000 characters) and nulls; a null `x` needs its reason in `x_reason`.
   */
  find(rows: DetectorRows, settings: { readonly [Name in keyof Given]: number }): Evidence | undefined
}

/** A detector of curves of the alt chain; otherwise like one of mints. */
export interface CurveDetectorSpec<Given extends Settings = Settings> extends Named<Given> {
  /** Why curves like this one are not judged. Absent: every curve is judged. */
  notJudged?(launch: Readonly<CurveLaunchRow>): string | undefined
  /** Like `find` of mints. */
  find(rows: CurveRowsSeen, settings: { readonly [Name in keyof Given]: number }): Evidence | undefined
}

/** The default export of a detector file. */
export type MintDetectorDefinition<Given extends Settings = Settings> = MintDetectorSpec<Given> & { readonly of: 'mint' }
export type CurveDetectorDefinition<Given extends Settings = Settings> = CurveDetectorSpec<Given> & { readonly of: 'curve' }

/** Defines a detector of mints, for `export default`. */
export const mintDetector = <const Given extends Settings>(spec: MintDetectorSpec<Given>): MintDetectorDefinition<Given> => ({
  ...spec,
  of: 'mint',
})
/** Defines a detector of curves, for `export default`. */
export const curveDetector = <const Given extends Settings>(spec: CurveDetectorSpec<Given>): CurveDetectorDefinition<Given> => ({
  ...spec,
  of: 'curve',
})
