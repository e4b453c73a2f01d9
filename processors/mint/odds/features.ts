// The inputs of the odds models: pure integers from the rows of a mint at a tick. Training and live use the same ones, because both read
// them from the log. No label is among these rows, and this file imports nothing about how launches settle
// (test/tools/tidy/imports.ts).
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Conclusion, CurveRow, FlowRow, HolderRow, LaunchRow, MintState, PoolRow, WarmRow } from '../../../schemas/types.ts'
import { demandOf } from '../card/labels.ts'
import { type Holdings, holdingsOf } from '../fold/holdings.ts'
import { knownPrior } from '../fold/prior.ts'
import { DEMAND_WINDOW_S } from '../thresholds.ts'

type Judgement = Extract<Conclusion['body'], { type: 'judgement' }>

/** Rows of a witnessed mint. */
export interface FeatureRows extends Pick<MintState, 'folded' | 'prior' | 'warm'> {
  readonly mint: Key
  readonly launch: Readonly<LaunchRow>
  readonly curve: Readonly<CurveRow>
  /** In any order; walked twice. */
  readonly holders: Iterable<Readonly<HolderRow>>
  readonly flows: Iterable<Readonly<FlowRow>>
  readonly pools: readonly Readonly<PoolRow>[]
}

const PPM = 1_000_000n

/** At most 1,000,000, even where wallets that were summed up have sold coins since; 0 without holders. */
const hhiPpmOf = ({ squares, circulatingUnits }: Pick<Holdings, 'squares' | 'circulatingUnits'>): number => {
  const whole = BigInt(circulatingUnits) * BigInt(circulatingUnits)
  return squares >= whole ? (squares === 0n ? 0 : Number(PPM)) : Number((squares * PPM) / whole)
}

/** Whole seconds since a moment of the chain's clock, which may be ahead of the tick: never negative. Null where it did not happen. */
const sinceOrNull = (second: number, now: number): number | null => (second === 0 ? null : Math.max(0, now - second))

const buyersWithin = (holders: FeatureRows['holders'], now: number): number => {
  let buyers = 0
  for (const { lastBuyAt } of holders) if (lastBuyAt <= now && lastBuyAt > now - DEMAND_WINDOW_S && lastBuyAt !== 0) buyers += 1
  return buyers
}

const NO_FUNDER = { warmBeforeS: null, funderLaunches: null, funderResolved: null, funderRugged: null }
const warmPart = (launch: Readonly<LaunchRow>, warm: Readonly<WarmRow> | null) => {
  if (warm === null) return { warmQuoteUnits: null, ...NO_FUNDER }
  if (warm.funder === null) return { warmQuoteUnits: 0 as Amount, ...NO_FUNDER }
  const hasAnswered = warm.priorLaunches >= 0
  return {
    warmQuoteUnits: warm.amountLamports,
    warmBeforeS: Math.max(0, launch.at - warm.at),
    funderLaunches: hasAnswered ? warm.priorLaunches : null,
    funderResolved: hasAnswered ? warm.priorResolved : null,
    funderRugged: hasAnswered ? warm.priorRugged : null,
  }
}

/**
 * The judgement of a mint at a tick (`now`, unix seconds), after all events of its frame. Amounts in base units, shares in millionths,
 * times in whole seconds. For a coin with more wallets than have rows (HOLDER_ROWS_MAX) `holders` is an upper bound, and `uniqueBuyers60`
 * counts only wallets with rows. One object literal: spreads of parts took as long as the walk over the holders.
 */
export const judgementOf = (rows: FeatureRows, ageS: number, now: number): Judgement => {
  const { launch, curve, holders, flows, folded } = rows
  const holdings = holdingsOf(rows)
  const { buys, sells, netQuoteUnits } = demandOf(flows, { asOf: now })
  const known = knownPrior(rows)
  const warm = warmPart(launch, rows.warm)
  return {
    type: 'judgement',
    mint: rows.mint,
    t0: launch.at,
    slot0: launch.number,
    ageS,
    realQuoteUnits: curve.realQuoteUnits,
    peakQuoteUnits: curve.peakQuoteUnits,
    buys: curve.buys,
    sells: curve.sells,
    uniqueBuyers: curve.uniqueBuyers,
    buys60: buys,
    sells60: sells,
    net60QuoteUnits: netQuoteUnits,
    uniqueBuyers60: buyersWithin(holders, now),
    lastBuyAgeS: sinceOrNull(curve.lastBuyAt, now),
    lastNewBuyerAgeS: sinceOrNull(curve.lastNewBuyerAt, now),
    holders: holdings.holders + (folded?.wallets ?? 0),
    top1Units: holdings.topUnits,
    top5Units: holdings.topFiveUnits,
    hhiPpm: hhiPpmOf(holdings),
    devUnits: holdings.devUnits,
    bundleUnits: holdings.bundleUnits,
    insiderUnits: holdings.insiderUnits,
    circulatingUnits: holdings.circulatingUnits,
    supplyUnits: launch.supplyUnits,
    devBuyQuoteUnits: curve.devBuyQuoteUnits,
    devBoughtUnits: curve.devBoughtUnits,
    devSoldUnits: curve.devSoldUnits,
    bundleWallets: curve.bundleWallets,
    bundleBoughtUnits: curve.bundleBoughtUnits,
    bundleSoldUnits: curve.bundleSoldUnits,
    flagBits: curve.flagBits,
    mayhem: curve.mayhem,
    priorLaunches: known?.launches ?? null,
    priorResolved: known?.resolved ?? null,
    priorGraduated: known?.graduated ?? null,
    priorRugged: known?.rugged ?? null,
    warmQuoteUnits: warm.warmQuoteUnits,
    warmBeforeS: warm.warmBeforeS,
    funderLaunches: warm.funderLaunches,
    funderResolved: warm.funderResolved,
    funderRugged: warm.funderRugged,
  }
}
