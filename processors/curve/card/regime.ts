// The regime of the launchpad over a window, from counts that the caller gives.
import { medianOf } from '../../creator/rows.ts'
import { explain } from '../../mint/card/explain.ts'

const HOUR_S = 3_600
const MINUTE_S = 60

/** Counts of events in a window. */
export interface CurveRegimeCounts {
  /** Length of the window, and how much of it was observed, seconds. */
  readonly windowS: number
  readonly observedS: number
  readonly launches: number
  readonly graduations: number
  /** Seconds from launch to graduation, of graduations whose launch was seen. */
  readonly graduationS: readonly number[]
  /** Counts of trades, from the history; null where it has none. */
  readonly trades: CurveRegimeTrades | null
}
interface CurveRegimeTrades {
  /** The history counts trades in a window of its own, of the same length: its observed part, seconds. */
  readonly observedS: number
  readonly buys: number
  readonly sells: number
  /** Number of different wallets that bought, of trades whose wallet is known. */
  readonly uniqueBuyers: number
}

const perMinute = (n: number, { observedS }: CurveRegimeTrades): number | null => (observedS === 0 ? null : (n * MINUTE_S) / observedS)

/**
 * `noTrades`: the reason where `trades` is null. Rates are over the observed part; the graduation rate is graduations / launches of the
 * window.
 */
export const curveRegime = (counts: CurveRegimeCounts, noTrades = '') => {
  const { windowS, observedS, launches, graduations, trades } = counts
  const per = (n: number, seconds: number): number | null => (observedS === 0 ? null : (n * seconds) / observedS)
  const unobserved = 'no second of the window was observed'
  return explain(
    {
      window_s: windowS,
      observed_s: observedS,
      launches,
      launches_per_hour: per(launches, HOUR_S),
      graduations,
      graduations_per_hour: per(graduations, HOUR_S),
      graduation_rate: launches === 0 ? null : graduations / launches,
      median_graduation_s: medianOf(counts.graduationS),
      buys_per_minute: trades && perMinute(trades.buys, trades),
      sells_per_minute: trades && perMinute(trades.sells, trades),
      unique_buyers: trades?.uniqueBuyers ?? null,
    },
    {
      launches_per_hour: unobserved,
      graduations_per_hour: unobserved,
      graduation_rate: 'nothing was launched in the window',
      median_graduation_s: 'no graduation of the window was of a launch that was seen',
      buys_per_minute: trades === null ? noTrades : unobserved,
      sells_per_minute: trades === null ? noTrades : unobserved,
      unique_buyers: noTrades,
    },
  )
}
