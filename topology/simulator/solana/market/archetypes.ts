// The kinds of launches: their shares, how they trade and how they end. Fitted to recorded markets (test/tools/market-check).
import type { Archetype } from '../market-types.ts'

/** `[median, sigma]` of a log-normal. */
type LogNormal = readonly [median: number, sigma: number]

export interface ArchetypeShape {
  readonly archetype: Archetype
  /** Share of all launches. */
  readonly share: number
  /** Share after a change of regime: fewer rugs, more successful launches. */
  readonly shareAfter: number
  readonly trades: LogNormal
  readonly peakSol: LogNormal
  /** Shares of launches that rug, and of creators that sell. */
  readonly rugShare: number
  readonly devSoldShare: number
  /** Chances of 0, and of 5 or more bundle wallets; the rest has 1 to 4. */
  readonly bundleNone: number
  readonly bundleMany: number
  /** Part of the trades before the peak. */
  readonly rise: readonly [low: number, high: number]
  /** Multiplies the duration of a launch with the same number of trades. */
  readonly pace: number
}

/**
 * Figures of recorded markets, adjusted where the simulated market would otherwise differ from the recorded one:
 * - Near misses have 1 % of the launches (recorded: 0.9 %), or too many of the curves that reach 60 SOL would graduate.
 * - Peaks are a few percent lower, because a simulated price path reaches its peak exactly.
 * - Slow drains and insiders have a few more trades, because the longest launches are cut off.
 *
 * By the bundle columns 44 % of launches have no bundle wallets, 40 % 1 to 4, and 16 % 5 or more (recorded: 38, 47 and 15 %).
 * `shareAfter` is assumed.
 */
export const ARCHETYPES: readonly ArchetypeShape[] = [
  {
    archetype: 'mayhem',
    share: 0.28,
    shareAfter: 0.2,
    trades: [18, 1.5],
    peakSol: [0.35, 2],
    rugShare: 0.57,
    devSoldShare: 0.56,
    bundleNone: 0.4,
    bundleMany: 0.02,
    rise: [0.2, 0.6],
    pace: 1,
  },
  {
    archetype: 'dead_on_arrival',
    share: 0.229,
    shareAfter: 0.2,
    trades: [2.6, 0.65],
    peakSol: [0.012, 2.2],
    rugShare: 0.44,
    devSoldShare: 0.45,
    bundleNone: 1,
    bundleMany: 0,
    rise: [0.3, 0.6],
    pace: 1,
  },
  {
    archetype: 'organic_fade',
    share: 0.14,
    shareAfter: 0.34,
    trades: [28, 1.5],
    peakSol: [1.3, 1.45],
    rugShare: 0.55,
    devSoldShare: 0.6,
    bundleNone: 0.35,
    bundleMany: 0.02,
    rise: [0.3, 0.7],
    pace: 1,
  },
  {
    archetype: 'bundle_and_dump',
    share: 0.14,
    shareAfter: 0.1,
    trades: [34, 1.35],
    peakSol: [4, 0.85],
    rugShare: 0.95,
    devSoldShare: 0.88,
    bundleNone: 0,
    bundleMany: 0.72,
    rise: [0.2, 0.5],
    pace: 0.7,
  },
  {
    archetype: 'slow_drain',
    share: 0.06,
    shareAfter: 0.04,
    trades: [90, 1.4],
    peakSol: [3, 1.1],
    rugShare: 0.8,
    devSoldShare: 0.75,
    bundleNone: 0.2,
    bundleMany: 0.05,
    rise: [0.25, 0.45],
    pace: 2,
  },
  {
    archetype: 'serial_rugger',
    share: 0.09,
    shareAfter: 0.03,
    trades: [16, 1.25],
    peakSol: [2.5, 0.9],
    rugShare: 1,
    devSoldShare: 1,
    bundleNone: 0.2,
    bundleMany: 0.2,
    rise: [0.3, 0.6],
    pace: 0.6,
  },
  {
    archetype: 'funded_insiders',
    share: 0.028,
    shareAfter: 0.02,
    trades: [125, 1.4],
    peakSol: [4.8, 1],
    rugShare: 0.85,
    devSoldShare: 0.7,
    bundleNone: 0,
    bundleMany: 0.8,
    rise: [0.3, 0.6],
    pace: 1,
  },
  {
    archetype: 'near_miss',
    share: 0.01,
    shareAfter: 0.015,
    trades: [450, 1.1],
    peakSol: [50, 0],
    rugShare: 0.5,
    devSoldShare: 0.6,
    bundleNone: 0.3,
    bundleMany: 0.2,
    rise: [0.4, 0.7],
    pace: 1,
  },
  {
    archetype: 'self_graduation',
    share: 0.0105,
    shareAfter: 0.0105,
    trades: [3, 0.4],
    peakSol: [85, 0],
    rugShare: 0.6,
    devSoldShare: 0.6,
    bundleNone: 1,
    bundleMany: 0,
    rise: [0, 1],
    pace: 1,
  },
  {
    archetype: 'organic_graduate',
    share: 0.0125,
    shareAfter: 0.0445,
    trades: [650, 1.4],
    peakSol: [85, 0],
    rugShare: 0.3,
    devSoldShare: 0.45,
    bundleNone: 0.3,
    bundleMany: 0.4,
    rise: [1, 1],
    pace: 1,
  },
]
