// The blocks of a curve's card except structure and flow, each a pure function of rows and a moment.
import { subtract } from '../../../schemas/amount.ts'
import { keyText } from '../../../schemas/keys.ts'
import type { CurveFiguresRow, CurveLaunchRow, CurveState } from '../../../schemas/types.ts'
import type { ChainFacts } from '../../chains/chain.ts'
import { statsPart } from '../../creator/record.ts'
import { shareOf } from '../../mint/card/amounts.ts'
import { rugFlagsPart } from '../../mint/card/card-parts.ts'
import { explain } from '../../mint/card/explain.ts'
import type { DetectorSet } from '../../mint/detectors/set.ts'
import type { CurveDetector } from '../detectors/detector.ts'
import { isNative } from '../rows.ts'
import { TAX_WINDOW_S } from '../thresholds.ts'
import { inNative, inTokens, ratioOf } from './amounts.ts'
import { lifecycleOf } from './labels.ts'
import type { CurveMoment } from './moment.ts'
import { notNativeOf } from './nulls.ts'

/** Progress toward the launch's own threshold, at most 1. */
const progressOf = ({ thresholdUnits }: CurveLaunchRow, { realQuoteUnits }: CurveFiguresRow): number =>
  Math.min(1, Math.max(0, shareOf(realQuoteUnits, thresholdUnits)))

/** Price now over price at launch, (quote / tokens) / (virtual quote / supply), to 12 digits; `quote` is virtual plus real. */
const priceMultipleOf = (launch: CurveLaunchRow, figures: CurveFiguresRow): number | null => {
  if (!isNative(launch)) return null
  const virtual = BigInt(launch.virtualQuoteUnits)
  const quote = virtual + BigInt(figures.realQuoteUnits)
  return ratioOf(quote * BigInt(launch.supplyUnits), BigInt(figures.tokenUnits) * virtual) ?? null
}

const raisedValues = (launch: CurveLaunchRow, figures: CurveFiguresRow) => ({
  eth: isNative(launch) ? inNative(figures.realQuoteUnits) : null,
  progress: progressOf(launch, figures),
  price_multiple_vs_launch: priceMultipleOf(launch, figures),
})

const raisedReasons = (launch: CurveLaunchRow) => {
  const noEth = notNativeOf(launch)
  return { eth: noEth, price_multiple_vs_launch: isNative(launch) ? 'the curve has no reserve to make a price of' : noEth }
}

/** What the curve holds; once it is complete, what it held at completion. */
export const raisedPart = (launch: CurveLaunchRow, figures: CurveFiguresRow) => {
  const { eth, ...rest } = raisedValues(launch, figures)
  return explain(
    {
      quote_units: String(figures.realQuoteUnits),
      eth,
      ...rest,
      threshold_units: String(launch.thresholdUnits),
      peak_quote_units: String(figures.peakQuoteUnits),
      quote_decimals: launch.quoteDecimals,
    },
    { ...raisedReasons(launch), quote_decimals: launch.quoteDecimalsReason ?? 'the decimals of the pair are not known' },
  )
}

export const raisedInShort = (launch: CurveLaunchRow, figures: CurveFiguresRow) =>
  explain(raisedValues(launch, figures), raisedReasons(launch))

export const snipeTaxPart = (launch: CurveLaunchRow, figures: CurveFiguresRow, { asOf }: CurveMoment) =>
  explain(
    {
      in_tax_window: Math.floor(asOf) - launch.at < TAX_WINDOW_S,
      n_taxed_buys: figures.taxedBuys,
      tax_total_eth: isNative(launch) ? inNative(figures.taxUnits) : null,
      tax_total_units: String(figures.taxUnits),
      n_exempt_accounts: launch.exemptions,
    },
    { tax_total_eth: notNativeOf(launch) },
  )

/** The steps of a curve, from rows or from a stub. */
type Steps = Pick<CurveFiguresRow, 'completeNumber' | 'graduatedNumber' | 'graduatedAt' | 'refunds'>

export const lifecycleInShort = (launchAt: number, steps: Steps) => {
  const { completeNumber, graduatedNumber, graduatedAt, refunds } = steps
  const notGraduated = 'its pool was not seen to open'
  return explain(
    {
      state: lifecycleOf(steps),
      completed_block: completeNumber === -1 ? null : completeNumber,
      graduated_block: graduatedNumber === -1 ? null : graduatedNumber,
      graduated_after_s: graduatedNumber === -1 ? null : Math.max(0, graduatedAt - launchAt),
      n_refunds: refunds,
    },
    { completed_block: 'it was not seen to complete', graduated_block: notGraduated, graduated_after_s: notGraduated },
  )
}

export const lifecyclePart = (launch: CurveLaunchRow, figures: CurveFiguresRow) => {
  const { sweptNumber, isForceSwept, graduationsFailed, buybacks, lockedUnits, rescues } = figures
  return {
    ...lifecycleInShort(launch.at, figures),
    n_failed_graduations: graduationsFailed,
    ...explain({ swept_block: sweptNumber === -1 ? null : sweptNumber }, { swept_block: 'not taken over apart from a completion' }),
    is_force_swept: isForceSwept,
    n_buybacks: buybacks,
    locked_tokens: inTokens(lockedUnits),
    n_rescues: rescues,
  }
}

const NOT_SOLD = 'the deployer was not seen selling on the curve'

/** What the deployer did with its tokens. `given`: tokens that it transferred away without selling them on the curve. */
export const deployerPart = (launch: CurveLaunchRow, figures: CurveFiguresRow) => {
  const { deployerOutUnits: out, deployerSoldUnits: sold, deployerFirstSellAt, deployerSentAt } = figures
  const given = out > sold ? subtract(out, sold) : 0
  return explain(
    {
      bought_share: shareOf(figures.deployerBoughtUnits, launch.supplyUnits),
      launch_buy_eth: isNative(launch) ? inNative(figures.deployerBuyQuoteUnits) : null,
      n_sells: figures.deployerSells,
      sold_share: shareOf(sold, launch.supplyUnits),
      first_sell_after_s: deployerFirstSellAt === 0 ? null : Math.max(0, deployerFirstSellAt - launch.at),
      given_share: shareOf(given, launch.supplyUnits),
      first_given_after_s: deployerSentAt === 0 ? null : Math.max(0, deployerSentAt - launch.at),
    },
    {
      launch_buy_eth: notNativeOf(launch),
      first_sell_after_s: NOT_SOLD,
      first_given_after_s: 'the deployer was not seen giving tokens to another wallet',
    },
  )
}

const WORDS = {
  noneResolved: 'no launch of the deployer had resolved before this one',
  noSell: 'in no resolved launch of the deployer before this one did it sell',
}

/** The deployer's record as of the launch. */
export const priorPart = ({ prior }: Pick<CurveState, 'prior'>) =>
  explain(
    { deployer_prior_at_launch: prior && statsPart(prior, prior.observedSince, WORDS) },
    { deployer_prior_at_launch: 'pending: the record of the deployer is known a few seconds after the launch' },
  )

/** Findings, oldest first, and whether each flag fired; null where the curve was not judged. */
export const findingsPart = (
  { flags }: CurveState,
  launch: CurveLaunchRow,
  { published }: DetectorSet<CurveDetector>,
  chain: ChainFacts,
) => {
  const fired = new Set(flags.map(({ flag }) => flag))
  const values: Record<string, boolean | null> = {}
  const reasons: Record<string, string> = {}
  for (const { flag, notJudged } of published) {
    const reason = notJudged?.(launch)
    values[flag] = reason === undefined ? fired.has(flag) : null
    if (reason !== undefined) reasons[flag] = reason
  }
  return { findings: rugFlagsPart(flags, chain), flags: explain(values, reasons) }
}

/** The addresses of a launch. */
export const addressesPart = (token: string, { curve, deployer }: Pick<CurveLaunchRow, 'curve' | 'deployer'>) => ({
  curve: keyText(curve),
  token,
  deployer: keyText(deployer),
})
