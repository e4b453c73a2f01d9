// Bins of a feature: quantiles of the values seen, and edges at some thresholds of flags, outcomes and bands.

/** Maximum bins that quantiles make; own edges, a common value and unknown values add more. */
const BINS_MAX = 10
/** Minimum rows from one quantile to the next; a bin can have fewer where values are equal or another edge cuts it. */
const BIN_ROWS_MIN = 40

/**
 * Some values at which a flag, an outcome or a band of launches changes, in the feature's unit (millionths, lamports or counts): no bin
 * spans these.
 */
const OWN_EDGES: Readonly<Record<string, readonly number[]>> = {
  of_peak_ppm: [250_000, 750_000],
  dev_sold_ppm: [1, 500_000, 800_000],
  bundle_sold_ppm: [1, 500_001],
  peak_quote_units: [1_000_000_000, 5_000_000_000],
  dev_buy_quote_units: [1],
  prior_launches: [1],
  prior_graduated: [1],
  bundle_wallets: [1, 5],
}

/** Ascending and distinct: a value belongs to the bin after the last edge at or below it. `values` in any order; NaN is ignored. */
export const edgesOf = (feature: string, values: Float64Array): number[] => {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort()
  if (sorted.length === 0) return []
  const bins = Math.max(1, Math.min(BINS_MAX, Math.floor(sorted.length / BIN_ROWS_MIN)))
  const edges = new Set(OWN_EDGES[feature])
  for (let bin = 1; bin < bins; bin++) edges.add(sorted[Math.floor((sorted.length * bin) / bins)] as number)
  // One value that more than a quarter of the rows with a known value have, if there is one, gets its own bin.
  const common = modeOf(sorted)
  if (common !== undefined) edges.add(common).add(common + 1)
  const [least, most] = [sorted[0] as number, sorted[sorted.length - 1] as number]
  return [...edges].filter((edge) => edge > least && edge <= most && Number.isSafeInteger(edge)).sort((a, b) => a - b)
}

const COMMON_SHARE = 4
/**
 * A value that more than a quarter of the rows with a known value have; undefined if there is none. It fills more than `step` consecutive
 * places of `sorted`, so it is at one of the indexes that the loop visits.
 */
const modeOf = (sorted: Float64Array): number | undefined => {
  const step = Math.floor(sorted.length / COMMON_SHARE)
  if (step === 0) return undefined
  for (let at = step; at < sorted.length; at += step) {
    const value = sorted[at] as number
    if (sorted.lastIndexOf(value) - sorted.indexOf(value) >= step) return value
  }
  return undefined
}
