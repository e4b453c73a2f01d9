// Windows of launch time for training, calibration and test; none contains anything from a later one.
import type { TrainingRows } from './rows.ts'

/**
 * Launches this close to the end of a window are left out, whatever their outcome: an outcome settles an hour after the last trade, so
 * among the youngest only the short-lived have one.
 */
export const SETTLE_S = 2 * 3_600

export const WINDOWS = ['train', 'calibration', 'test'] as const
type WindowName = (typeof WINDOWS)[number]
/** Shares of the time without the SETTLE_S at the end of each window. */
const SHARES: Readonly<Record<WindowName, number>> = { train: 0.5, calibration: 0.25, test: 0.25 }

/** Launched from `fromS` to before `toS`, unix seconds, with an outcome known by the time the next window begins. */
export interface RowsWindow {
  readonly fromS: number
  readonly toS: number
  /** Rows by their number in the set. */
  readonly rows: Uint32Array
  readonly launches: number
}
export interface Split {
  readonly windows: Readonly<Record<WindowName, RowsWindow>>
  /** Rows whose outcome became known after the end of their window, or that were launched too close to it. */
  readonly purged: number
}

/** `untilS`: when the newest outcome could be known; the set must not hold rows known later. At least one row. */
export const splitOf = (set: TrainingRows, untilS: number): Split => {
  const [fromS, endS] = rangeOf(set, untilS)
  const netS = Math.max(0, endS - fromS - WINDOWS.length * SETTLE_S)
  const calibrationS = fromS + Math.floor(netS * SHARES.train) + SETTLE_S
  const testS = calibrationS + Math.floor(netS * SHARES.calibration) + SETTLE_S
  const cuts = [fromS, calibrationS, testS, endS] as const
  const windows = WINDOWS.map((name, at) => [name, windowOf(set, cuts[at] as number, cuts[at + 1] as number)] as const)
  const taken = windows.reduce((sum, [, { rows }]) => sum + rows.length, 0)
  return { windows: Object.fromEntries(windows) as Record<WindowName, RowsWindow>, purged: set.length - taken }
}

/** From the first launch until the newest one must have settled, at most until `untilS`. */
const rangeOf = (set: TrainingRows, untilS: number): readonly [fromS: number, endS: number] => {
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (let row = 0; row < set.length; row++) {
    first = Math.min(first, set.t0[row] as number)
    last = Math.max(last, set.t0[row] as number)
  }
  return [first, Math.min(untilS, last + SETTLE_S + 1)]
}

const windowOf = (set: TrainingRows, fromS: number, endS: number): RowsWindow => {
  const toS = Math.max(fromS, endS - SETTLE_S)
  const rows: number[] = []
  const launches = new Set<number>()
  for (let row = 0; row < set.length; row++) {
    const t0 = set.t0[row] as number
    if (t0 < fromS || t0 >= toS || (set.knownAtS[row] as number) > endS) continue
    rows.push(row)
    launches.add(set.launch[row] as number)
  }
  return { fromS, toS, rows: Uint32Array.from(rows), launches: launches.size }
}
