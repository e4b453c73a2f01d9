// Status, risk label and signals of a mint at a moment.
import { type Amount, add, times } from '../../../schemas/amount.ts'
import type { CurveRow, FlowRow, LaunchRow, MintState } from '../../../schemas/types.ts'
import { curveDrained } from '../detectors/curve-drained.ts'
import { type Holdings, holdingsOf } from '../fold/holdings.ts'
import { GAP_CLEARED, isOpen } from '../rows.ts'
import {
  ALIVE_S,
  CONCENTRATED_BUNDLE_SHARE,
  CONCENTRATED_INSIDER_SHARE,
  CONCENTRATED_TOP5_SHARE,
  DEMAND_WINDOW_S,
  GRADUATION_LAMPORTS,
  NEW_BUYER_WINDOW_S,
  REVERSED_PERCENT,
  STALL_AGE_S,
} from '../thresholds.ts'
import { shareOf } from './amounts.ts'
import { type Coverage, coverageOf, type Moment } from './moment.ts'

export type Status =
  | 'live_curve'
  | 'curve_complete'
  | 'migrated_graduated'
  | 'migrated_below_grad'
  | 'historical'
  | 'onchain_only'
  | 'not_launchpad'
  | 'not_observed'
export type RiskLabel = 'unknown' | 'rug_flagged' | 'mayhem' | 'concentrated' | 'stalled' | 'active'

/** True: witnessed at 84 SOL or above; false: complete or migrated without that; null: still open, or not paired with SOL. */
export const graduatedOf = (curve: Readonly<CurveRow>): boolean | null => {
  if (curve.quoteMint !== null) return null
  if (curve.peakQuoteUnits >= GRADUATION_LAMPORTS) return true
  return isOpen(curve) ? null : false
}

/** The lifecycle of a curve without missed trades. */
export const lifecycleOf = (curve: Readonly<CurveRow>): Status => {
  if (curve.migratedAt !== 0) return graduatedOf(curve) === true ? 'migrated_graduated' : 'migrated_below_grad'
  return curve.completeAt === 0 ? 'live_curve' : 'curve_complete'
}

/**
 * The status of a mint. A thin mint is `historical` if it has a settled record; otherwise `onchain_only` if its launch is not stored or its
 * curve has migrated; otherwise it keeps its last known status. `not_launchpad` needs an account read, so it never comes from rows alone.
 */
export const statusOf = (state: MintState, moment: Moment, coverage: Coverage = coverageOf(state, moment)): Status => {
  const { launch, curve, outcome, stub } = state
  if (curve === null && stub === null) return 'not_observed'
  if (coverage.coverage === 'full' && curve !== null) return lifecycleOf(curve)
  if (outcome !== null || (stub !== null && stub.outcome !== null)) return 'historical'
  if (launch === null || curve === null || curve.migratedAt !== 0) return 'onchain_only'
  return lifecycleOf(curve)
}

/** Trades of the last 60 s, without the agent's. */
export interface Demand {
  readonly buys: number
  readonly sells: number
  readonly netQuoteUnits: Amount
}
export const demandOf = (flows: Iterable<Readonly<FlowRow>>, moment: Pick<Moment, 'asOf'>): Demand => {
  const until = Math.floor(moment.asOf)
  let [buys, sells] = [0, 0]
  let netQuoteUnits: Amount = 0
  for (const flow of flows) {
    if (flow.second > until || flow.second <= until - DEMAND_WINDOW_S) continue
    buys += flow.buys
    sells += flow.sells
    netQuoteUnits = add(netQuoteUnits, flow.netQuoteUnits)
  }
  return { buys, sells, netQuoteUnits }
}

/** Whole seconds since the launch, never negative. */
export const ageOf = (launch: Pick<LaunchRow, 'at'>, moment: Moment): number => Math.max(0, Math.floor(moment.asOf) - launch.at)
const isWithin = (second: number, windowS: number, moment: Moment): boolean => second !== 0 && Math.floor(moment.asOf) - second < windowS

/** Older than 120 s and no new buyer in the last 30 s. */
export const isInflowStalled = (launch: LaunchRow, curve: CurveRow, moment: Moment): boolean =>
  ageOf(launch, moment) > STALL_AGE_S && !isWithin(curve.lastNewBuyerAt, NEW_BUYER_WINDOW_S, moment)
/** inflow_stalled, or older than 120 s and no buy in the last 60 s. */
export const isStalled = (launch: LaunchRow, curve: CurveRow, moment: Moment): boolean =>
  isInflowStalled(launch, curve, moment) || (ageOf(launch, moment) > STALL_AGE_S && !isWithin(curve.lastBuyAt, DEMAND_WINDOW_S, moment))
/** A wallet that was in the top 5 sold in the last 60 s. */
export const hasTop5Sold = (curve: CurveRow, moment: Moment): boolean => isWithin(curve.lastTop5SellAt, DEMAND_WINDOW_S, moment)
/** The open curve is more than 25 % below its peak. */
export const isReversed = (curve: CurveRow): boolean =>
  isOpen(curve) && curve.realQuoteUnits >= 0 && times(curve.realQuoteUnits, 100) < times(curve.peakQuoteUnits, REVERSED_PERCENT)
/** The curve is open, not drained, and traded in the last 300 s. */
export const isAlive = ({ curve, flags }: Pick<MintState, 'curve' | 'flags'>, moment: Moment): boolean =>
  curve !== null && isOpen(curve) && flags.every(({ flag }) => flag !== curveDrained.flag) && isWithin(curve.lastTradeAt, ALIVE_S, moment)

/** False after a gap in which no trade was missed: transfers may have been. Only for full coverage: else trades may be missing too. */
export const areHoldersKnown = (curve: CurveRow): boolean => curve.gapTrades !== GAP_CLEARED
/** Shares of total supply, named as on cards; null where holders are unknown. */
export interface HeldShares {
  readonly top5_share: number | null
  readonly bundle_share: number | null
  readonly insider_share: number | null
}
/** The rule of the label `concentrated`, whatever other labels apply; null where holders are unknown, or insiders decide and are. */
export const isConcentrated = ({ top5_share: top5, bundle_share: bundle, insider_share: insider }: HeldShares): boolean | null => {
  if (top5 === null || bundle === null) return null
  if (top5 >= CONCENTRATED_TOP5_SHARE || bundle >= CONCENTRATED_BUNDLE_SHARE) return true
  return insider === null ? null : insider >= CONCENTRATED_INSIDER_SHARE
}
const heldShares = (launch: LaunchRow, holdings: Holdings): HeldShares => ({
  top5_share: shareOf(holdings.topFiveUnits, launch.supplyUnits),
  bundle_share: shareOf(holdings.bundleUnits, launch.supplyUnits),
  insider_share: shareOf(holdings.insiderUnits, launch.supplyUnits),
})

/** The first label that applies: unknown, rug_flagged, mayhem, concentrated, stalled, active. */
export const riskLabelOf = (
  state: MintState,
  moment: Moment,
  coverage: Coverage = coverageOf(state, moment),
  holdings: Holdings = holdingsOf(state),
): RiskLabel => {
  const { launch, curve } = state
  if (coverage.coverage === 'thin' || launch === null || curve === null) return 'unknown'
  if (state.flags.length > 0) return 'rug_flagged'
  if (curve.mayhem) return 'mayhem'
  if (areHoldersKnown(curve) && isConcentrated(heldShares(launch, holdings)) === true) return 'concentrated'
  return isStalled(launch, curve, moment) ? 'stalled' : 'active'
}
