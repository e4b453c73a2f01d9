// A mint in a compact check: findings, and the few figures that a decision needs, with the same names as on the card.
import type { Amount } from '../../../schemas/amount.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { CurveRow, HolderRow, LaunchRow, MintState } from '../../../schemas/types.ts'
import type { ChainFacts } from '../../chains/chain.ts'
import { type Holdings, holdingsOf } from '../fold/holdings.ts'
import { DEMAND_WINDOW_S } from '../thresholds.ts'
import { lifecycleAfter, type WatchEvents } from '../watch-events.ts'
import { shareOf } from './amounts.ts'
import { afterGap, curvePart, demandPart, rugFlagsPart } from './card-parts.ts'
import { explain } from './explain.ts'
import { unknownInsiders, unseenInsiders } from './holders-part.ts'
import { areHoldersKnown, riskLabelOf } from './labels.ts'
import { coverageOf, type Moment } from './moment.ts'

/** Number of wallets that bought within the last 60 s: those whose newest buy lies in this window. */
export const buyersWithin = (holders: readonly HolderRow[], { asOf }: Moment): number => {
  const until = Math.floor(asOf)
  let buyers = 0
  for (const { lastBuyAt } of holders) if (lastBuyAt <= until && lastBuyAt > until - DEMAND_WINDOW_S) buyers += 1
  return buyers
}

const concentrationPart = (launch: LaunchRow, curve: CurveRow, state: MintState, holdings: Holdings, moment: Moment) => {
  const unseenReason = unseenInsiders(launch, moment)
  const isKnown = areHoldersKnown(curve)
  const share = (units: Amount): number | null => (isKnown ? shareOf(units, launch.supplyUnits) : null)
  const reason = afterGap(curve)
  return {
    ...explain(
      {
        top5_share: share(holdings.topFiveUnits),
        dev_share: share(holdings.devUnits),
        bundle_share: share(holdings.bundleUnits),
        insider_share: unseenReason === undefined ? share(holdings.insiderUnits) : null,
      },
      { top5_share: reason, dev_share: reason, bundle_share: reason, insider_share: unseenReason ?? reason },
    ),
    ...(isKnown ? unknownInsiders(launch, state, moment) : {}),
  }
}

const buyerFlowPart = (launch: LaunchRow, curve: CurveRow, state: MintState, moment: Moment, chain: ChainFacts) => {
  const { buys_60s, sells_60s, net_sol_60s, net_sol_60s_reason, inflow_stalled } = demandPart(launch, curve, state, moment, chain)
  return {
    unique_buyers_60s: buyersWithin(state.holders, moment),
    buys_60s,
    sells_60s,
    net_sol_60s,
    ...(net_sol_60s_reason !== undefined && { net_sol_60s_reason }),
    inflow_stalled,
  }
}

/** A close that is not confirmed yet does not decide whether the curve graduated. */
const shortCurvePart = (launch: LaunchRow, curve: CurveRow, lifecycle: string, chain: ChainFacts) => {
  const { rs_sol, rs_sol_reason, peak_rs_sol, peak_rs_sol_reason, ...rest } = curvePart(launch, curve, chain)
  const { drawdown_from_peak, drawdown_from_peak_reason, graduated, graduated_reason } = rest
  const isOpenYet = lifecycle === 'live_curve' && graduated === false
  return {
    rs_sol,
    ...(rs_sol_reason !== undefined && { rs_sol_reason }),
    peak_rs_sol,
    ...(peak_rs_sol_reason !== undefined && { peak_rs_sol_reason }),
    drawdown_from_peak,
    ...(drawdown_from_peak_reason !== undefined && { drawdown_from_peak_reason }),
    graduated: isOpenYet ? null : graduated,
    ...(isOpenYet
      ? { graduated_reason: 'the close of the curve is not confirmed yet' }
      : graduated_reason !== undefined && { graduated_reason }),
  }
}

/** The flags that fired: for each its evidence, whether it is new to the caller, and the finality of its slot. */
const findingsPart = (flags: MintState['flags'], news: number, { events, finalityOf, options: { chain } }: CheckContext) => {
  const numbers = new Map(flags.map(({ findingId, number }) => [findingId, number]))
  return rugFlagsPart(flags, chain).map(({ flag, first_seen_at, finding_id, evidence }) => ({
    code: flag,
    first_seen_at,
    finding_id,
    finality: finalityOf(numbers.get(finding_id) ?? 0),
    is_new: events.has(news, flag),
    evidence,
  }))
}

/** Inputs of a check other than the mint and the moment. */
export interface CheckContext {
  readonly options: { readonly chain: ChainFacts }
  readonly events: WatchEvents
  readonly finalityOf: (number: number) => string
}

export interface CheckedMint {
  readonly mint: Key
  readonly launch: LaunchRow
  readonly curve: CurveRow
  /** Rows of a mint with full coverage, with only confirmed flags and steps. */
  readonly state: MintState
  /** The mint's confirmed events that are not in the caller's cursor, as bits (see `WatchEvents`); all its events without a cursor. */
  readonly news: number
}

/** The same rows and moment give the same item. */
export const checkItem = ({ mint, launch, curve, state, news }: CheckedMint, moment: Moment, context: CheckContext) => {
  const holdings = holdingsOf(state)
  const lifecycle = lifecycleAfter(state.steps)
  return {
    mint: keyText(mint),
    status: state.flags.length === 0 ? ('no_flags_observed' as const) : ('flags_observed' as const),
    lifecycle,
    risk_label: riskLabelOf(state, moment, coverageOf(state, moment), holdings),
    new_events: context.events.namesIn(news),
    findings: findingsPart(state.flags, news, context),
    ...explain(
      { snapshot_slot: curve.lastNumber, last_trade_at: curve.lastTradeAt === 0 ? null : curve.lastTradeAt },
      { last_trade_at: 'no trade was seen yet' },
    ),
    concentration: concentrationPart(launch, curve, state, holdings, moment),
    buyer_flow: buyerFlowPart(launch, curve, state, moment, context.options.chain),
    curve: shortCurvePart(launch, curve, lifecycle, context.options.chain),
  }
}
