// Selects the rows that may be used for training next to given test rows: those whose times to the outcome do not overlap.

/** Unix seconds of each row: when it was predicted, and when its outcome became known (at that time or later). */
export interface RowTimes {
  readonly atS: ArrayLike<number>
  readonly knownAtS: ArrayLike<number>
}

export interface Distance {
  /** The time from prediction to outcome of each test row is widened by this many seconds on both sides. */
  readonly purgeS: number
  /** Rows predicted within this many seconds after the outcome of a test row are dropped; 0 drops none. */
  readonly embargoS: number
}

/**
 * Of `candidates` (indices of rows), in their order, those that may be used for training with `test`: the time from prediction to outcome,
 * its end excluded, overlaps with no test row widened by the purge, and the prediction lies in no embargo, both ends included (Lopez de
 * Prado 2018, "Advances in Financial Machine Learning", 7.4). A row whose outcome was known immediately overlaps nothing. Exactly as
 * `purge` and `apply_embargo` of PyPI `purgedcv`.
 */
export const trainingRows = (
  { atS, knownAtS }: RowTimes,
  candidates: readonly number[],
  test: readonly number[],
  { purgeS, embargoS }: Distance,
): number[] => {
  const at = (row: number): number => atS[row] as number
  const known = (row: number): number => knownAtS[row] as number
  const labels = merged(test.map((row) => ({ from: at(row) - purgeS, to: known(row) + purgeS })).filter(({ from, to }) => from < to))
  const embargoes = embargoS === 0 ? [] : merged(test.map((row) => ({ from: known(row), to: known(row) + embargoS })))
  return candidates.filter((row) => {
    const label = lastThat(labels, ({ from }) => from < known(row))
    if (label !== undefined && at(row) < known(row) && label.to > at(row)) return false
    const embargo = lastThat(embargoes, ({ from }) => from <= at(row))
    return embargo === undefined || embargo.to < at(row)
  })
}

interface Stretch {
  readonly from: number
  to: number
}

/** In order; stretches that touch or overlap are merged. */
const merged = (stretches: readonly Stretch[]): readonly Stretch[] => {
  const answer: Stretch[] = []
  for (const { from, to } of [...stretches].sort((a, b) => a.from - b.from)) {
    const last = answer.at(-1)
    if (last === undefined || from > last.to) answer.push({ from, to })
    else last.to = Math.max(last.to, to)
  }
  return answer
}

/** Binary search for the last stretch for which `holds` is true; all of these must precede the others. */
const lastThat = (stretches: readonly Stretch[], holds: (stretch: Stretch) => boolean): Stretch | undefined => {
  let [low, high] = [0, stretches.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(stretches[middle] as Stretch)) low = middle + 1
    else high = middle
  }
  return stretches[low - 1]
}
