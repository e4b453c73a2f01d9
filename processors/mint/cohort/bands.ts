// Bands by which launches are grouped for comparison. They use no data later than the create slot. deploy/clickhouse/views/93-cohorts.sql
// computes the same bands in SQL; a test compares both for every launch of a demo.
import { type Amount, compareAmounts } from '../../../schemas/amount.ts'
import { LAMPORTS_PER_SOL } from '../thresholds.ts'

/** The dev set's spending in the create slot. 17 % of launches spend nothing, a third up to 0.5 SOL, a tenth 3 SOL or more (2026-09). */
export type DevBuyBand = 'none' | 'under_1_sol' | '1_to_5_sol' | 'over_5_sol'
/** Wallets outside the dev set that bought in the create slot. 38 % of launches have none, 15 % five or more (2026-09). */
export type BundleBand = 'none' | '1_to_4' | '5_or_more'
/** By the record of the dev set as of the launch. 38 % of launches are by first-timers (2026-09). */
export type CreatorKind = 'first_time' | 'mixed' | 'serial_rugger' | 'has_graduated'

const ONE_SOL = LAMPORTS_PER_SOL
const FIVE_SOL = 5 * LAMPORTS_PER_SOL
const BUNDLE_LARGE = 5
/** serial_rugger: at least this many resolved launches, none graduated, and at least half of them rugged. */
const SERIAL_RESOLVED_MIN = 3

/** 1 SOL to 5 SOL, both included, is one band. `lamports` is never negative. */
export const devBuyBandOf = (lamports: Amount): DevBuyBand => {
  if (lamports <= 0) return 'none'
  if (compareAmounts(lamports, ONE_SOL) < 0) return 'under_1_sol'
  return compareAmounts(lamports, FIVE_SOL) <= 0 ? '1_to_5_sol' : 'over_5_sol'
}

export const bundleBandOf = (wallets: number): BundleBand => {
  if (wallets === 0) return 'none'
  return wallets < BUNDLE_LARGE ? '1_to_4' : '5_or_more'
}

/** The dev set's record before the launch. `resolved`: settled launches of which both labels, graduated and rugged, are known. */
export interface CreatorPrior {
  readonly launches: number
  readonly resolved: number
  readonly graduated: number
  readonly rugged: number
}

/** The first kind that applies. A creator whose earlier launches are all unresolved is `mixed`. */
export const creatorKindOf = ({ launches, resolved, graduated, rugged }: CreatorPrior): CreatorKind => {
  if (launches === 0) return 'first_time'
  if (graduated > 0) return 'has_graduated'
  return resolved >= SERIAL_RESOLVED_MIN && rugged * 2 >= resolved ? 'serial_rugger' : 'mixed'
}
