// Windows of time to learn from and to be graded on, such that nothing learnt was known later.
import { assert } from '../../schemas/errors.ts'

/** Unix seconds; the end is excluded. */
export interface Window {
  readonly fromS: number
  readonly toS: number
}

/** Which launches may be learnt from for the window that is graded. */
export interface Fold {
  readonly test: Window
  /** Launched from `fromS` on, with an outcome known at `knownByS` or before. */
  readonly before: { readonly fromS: number; readonly knownByS: number }
  /** Launched in this window behind the test; null where only the past may be learnt from. */
  readonly after: Window | null
}

export interface WalkForward extends Window {
  readonly folds: number
  /** Length of each test, seconds. */
  readonly testS: number
  /** How far back is learnt from, seconds: a window that slides. Null: from the beginning on, a window that grows. */
  readonly trainS: number | null
  /** Seconds between the last outcome that is learnt from and the test. */
  readonly purgeS: number
}

/**
 * Walk-forward folds, the oldest first: the tests are the last `folds` x `testS` seconds of the range, each learns from what was known
 * `purgeS` before it. The rows are those of `WalkForwardSplit` of PyPI `purgedcv` where each test begins with a launch. An embargo would
 * change nothing: it bars what comes after a test, and nothing of that is learnt from (`purgedcv` and Lopez de Prado 2018, "Advances in
 * Financial Machine Learning", 7.4, agree).
 */
export const walkForward = ({ fromS, toS, folds, testS, trainS, purgeS }: WalkForward): Fold[] => {
  assert(folds >= 1 && testS > 0 && purgeS >= 0 && (trainS ?? 1) > 0, 'folds and lengths are positive')
  assert(folds * testS < toS - fromS, 'tests leave nothing to learn from')
  return Array.from({ length: folds }, (_, fold) => {
    const test = { fromS: toS - (folds - fold) * testS, toS: toS - (folds - fold - 1) * testS }
    const knownByS = test.fromS - purgeS
    return { test, before: { fromS: trainS === null ? fromS : Math.max(fromS, knownByS - trainS), knownByS }, after: null }
  })
}

export interface PurgedFolds extends Window {
  readonly folds: number
  /** At most so many seconds pass from a launch to its outcome. */
  readonly horizonS: number
  readonly purgeS: number
  /** Launches within so many seconds of the last outcome of the test are not learnt from. */
  readonly embargoS: number
}

/**
 * Folds of equal length that cover the range, the oldest first; each learns from both sides, purged before the test and purged and under
 * embargo behind it (Lopez de Prado 2018, 7.4). Every launch that may train by these windows may by `trainingRows` too; that one knows
 * when the outcomes of the test really came, and lets a few more in.
 */
export const purgedFolds = ({ fromS, toS, folds, horizonS, purgeS, embargoS }: PurgedFolds): Fold[] => {
  assert(folds >= 2 && toS > fromS && Math.min(horizonS, purgeS, embargoS) >= 0, 'two folds or more, and no negative lengths')
  const edge = (fold: number): number => fromS + ((toS - fromS) * fold) / folds
  return Array.from({ length: folds }, (_, fold) => {
    const test = { fromS: edge(fold), toS: edge(fold + 1) }
    const openS = test.toS + horizonS + Math.max(purgeS, embargoS)
    return { test, before: { fromS, knownByS: test.fromS - purgeS }, after: openS < toS ? { fromS: openS, toS } : null }
  })
}

/** Whether a launch may be learnt from in a fold; one whose outcome is not known (null) may not. */
export const mayTrain = ({ test, before, after }: Fold, atS: number, knownAtS: number | null): boolean => {
  if (knownAtS === null) return false
  if (atS < test.fromS) return atS >= before.fromS && knownAtS <= before.knownByS
  return after !== null && atS >= after.fromS && atS < after.toS
}
