// Time windows for training and testing, without look-ahead.
import { assert } from '../../schemas/errors.ts'

/** Unix seconds; the end is excluded. */
export interface Window {
  readonly fromS: number
  readonly toS: number
}

/** The launches that may be used for training when a test window is graded. */
export interface Fold {
  readonly test: Window
  /** Launched from `fromS` on, with an outcome known at `knownByS` or before. */
  readonly before: { readonly fromS: number; readonly knownByS: number }
  /** Launched in this window after the test; null where only the past may be used. */
  readonly after: Window | null
}

export interface WalkForward extends Window {
  readonly folds: number
  /** Length of each test, seconds. */
  readonly testS: number
  /** Length of the training window, seconds: it slides. Null: it grows from the beginning of the range. */
  readonly trainS: number | null
  /** Seconds between the last outcome used for training and the test. */
  readonly purgeS: number
}

/**
 * Walk-forward folds, oldest first: the tests are the last `folds` x `testS` seconds of the range; each trains on what was known `purgeS`
 * before it. The rows are those of `WalkForwardSplit` of PyPI `purgedcv` where each test begins with a launch. An embargo would change
 * nothing: it excludes rows after a test, which are never used here (`purgedcv` and Lopez de Prado 2018, "Advances in Financial Machine
 * Learning", 7.4, agree).
 */
export const walkForward = ({ fromS, toS, folds, testS, trainS, purgeS }: WalkForward): Fold[] => {
  assert(folds >= 1 && testS > 0 && purgeS >= 0 && (trainS ?? 1) > 0, 'the number of folds and all lengths must be positive')
  assert(folds * testS < toS - fromS, 'the tests leave no time for training')
  return Array.from({ length: folds }, (_, fold) => {
    const test = { fromS: toS - (folds - fold) * testS, toS: toS - (folds - fold - 1) * testS }
    const knownByS = test.fromS - purgeS
    return { test, before: { fromS: trainS === null ? fromS : Math.max(fromS, knownByS - trainS), knownByS }, after: null }
  })
}

export interface PurgedFolds extends Window {
  readonly folds: number
  /** Maximum seconds from a launch to its outcome. */
  readonly horizonS: number
  readonly purgeS: number
  /** Launches within this many seconds after the last outcome of the test are not used for training. */
  readonly embargoS: number
}

/**
 * Folds of equal length that cover the range, oldest first; each trains on both sides, purged before the test, purged and under embargo
 * after it (Lopez de Prado 2018, 7.4). Every launch that these windows allow is also allowed by `trainingRows`; that function knows when
 * the outcomes of the test became known, and allows a few more.
 */
export const purgedFolds = ({ fromS, toS, folds, horizonS, purgeS, embargoS }: PurgedFolds): Fold[] => {
  assert(folds >= 2 && toS > fromS && Math.min(horizonS, purgeS, embargoS) >= 0, 'at least two folds and no negative lengths are needed')
  const edge = (fold: number): number => fromS + ((toS - fromS) * fold) / folds
  return Array.from({ length: folds }, (_, fold) => {
    const test = { fromS: edge(fold), toS: edge(fold + 1) }
    const openS = test.toS + horizonS + Math.max(purgeS, embargoS)
    return { test, before: { fromS, knownByS: test.fromS - purgeS }, after: openS < toS ? { fromS: openS, toS } : null }
  })
}

/** Whether a fold may train on a launch; never on one whose outcome is unknown (null). */
export const mayTrain = ({ test, before, after }: Fold, atS: number, knownAtS: number | null): boolean => {
  if (knownAtS === null) return false
  if (atS < test.fromS) return atS >= before.fromS && knownAtS <= before.knownByS
  return after !== null && atS >= after.fromS && atS < after.toS
}
