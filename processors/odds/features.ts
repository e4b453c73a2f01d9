// The features of the odds models: the inputs that a model takes from a judgement, the same in training and live.
//
// A tidy rule keeps outcomes out of this file and of its imports: a feature contains nothing later than its judgement.
import { hash } from 'node:crypto'
import type { Amount } from '../../schemas/amount.ts'
import type { Judgement } from '../../schemas/types.ts'
import { GRADUATION_BUYS_MIN, JUDGED_AGES_S, type OddsHead, RUG_AGE_S_MAX } from './heads.ts'

const MILLION = 1_000_000n

/** Part of the whole in millionths, rounded down; NaN where the whole is 0. */
const ppm = (part: Amount, whole: Amount): number => (whole > 0 ? Number((BigInt(part) * MILLION) / BigInt(whole)) : Number.NaN)
/** Mean, rounded down; NaN where the count is 0. */
const per = (total: Amount, count: number): number => (count > 0 ? Number(BigInt(total) / BigInt(count)) : Number.NaN)
const known = (value: Amount | null): number => (value === null ? Number.NaN : Number(value))
const flag = (bits: number, bit: number): number => ((bits & bit) === 0 ? 0 : 1)

/** Bits of flags that can fire while the curve is open. */
const [CREATOR_SOLD, BUNDLE_DUMPED, CURVE_DRAINED, DEV_UNLOADED] = [1, 2, 4, 512]

/** The features by name, in the order of the columns. Whole numbers; NaN where the judgement has no value. */
const FEATURES = {
  real_quote_units: (j) => Number(j.realQuoteUnits),
  peak_quote_units: (j) => Number(j.peakQuoteUnits),
  of_peak_ppm: (j) => ppm(j.realQuoteUnits, j.peakQuoteUnits),
  buys: (j) => j.buys,
  sells: (j) => j.sells,
  sells_of_trades_ppm: (j) => ppm(j.sells, j.buys + j.sells),
  unique_buyers: (j) => j.uniqueBuyers,
  buys_60: (j) => j.buys60,
  sells_60: (j) => j.sells60,
  net_60_quote_units: (j) => Number(j.net60QuoteUnits),
  unique_buyers_60: (j) => j.uniqueBuyers60,
  quote_units_per_buyer: (j) => per(j.realQuoteUnits, j.uniqueBuyers),
  last_buy_age_s: (j) => known(j.lastBuyAgeS),
  last_new_buyer_age_s: (j) => known(j.lastNewBuyerAgeS),
  holders: (j) => j.holders,
  top1_ppm: (j) => ppm(j.top1Units, j.supplyUnits),
  top5_ppm: (j) => ppm(j.top5Units, j.supplyUnits),
  hhi_ppm: (j) => j.hhiPpm,
  dev_ppm: (j) => ppm(j.devUnits, j.supplyUnits),
  bundle_ppm: (j) => ppm(j.bundleUnits, j.supplyUnits),
  insider_ppm: (j) => ppm(j.insiderUnits, j.supplyUnits),
  circulating_ppm: (j) => ppm(j.circulatingUnits, j.supplyUnits),
  dev_buy_quote_units: (j) => Number(j.devBuyQuoteUnits),
  dev_sold_ppm: (j) => ppm(j.devSoldUnits, j.devBoughtUnits),
  bundle_wallets: (j) => j.bundleWallets,
  bundle_bought_ppm: (j) => ppm(j.bundleBoughtUnits, j.supplyUnits),
  bundle_sold_ppm: (j) => ppm(j.bundleSoldUnits, j.bundleBoughtUnits),
  creator_sold: (j) => flag(j.flagBits, CREATOR_SOLD),
  bundle_dumped: (j) => flag(j.flagBits, BUNDLE_DUMPED),
  curve_drained: (j) => flag(j.flagBits, CURVE_DRAINED),
  dev_unloaded: (j) => flag(j.flagBits, DEV_UNLOADED),
  mayhem: (j) => (j.mayhem ? 1 : 0),
  prior_launches: (j) => known(j.priorLaunches),
  prior_resolved: (j) => known(j.priorResolved),
  prior_graduated: (j) => known(j.priorGraduated),
  prior_rugged_ppm: (j) => ppm(j.priorRugged ?? 0, j.priorResolved ?? 0),
  warm_quote_units: (j) => known(j.warmQuoteUnits),
  warm_before_s: (j) => known(j.warmBeforeS),
  funder_launches: (j) => known(j.funderLaunches),
  funder_rugged_ppm: (j) => ppm(j.funderRugged ?? 0, j.funderResolved ?? 0),
} as const satisfies Readonly<Record<string, (judgement: Judgement) => number>>

const COLUMNS = Object.values(FEATURES)

/** Names of the columns of `featuresOf`, in their order. */
export const FEATURE_NAMES: readonly string[] = Object.keys(FEATURES)

/** One number per column: whole, or NaN where the judgement has no value. Uses only the judgement's body. */
export const featuresOf = (judgement: Judgement): number[] => COLUMNS.map((column) => column(judgement))

/** Heads that score a judgement: rug at ages up to 30 s, graduation with 5 buys or more. */
export const headsOf = ({ ageS, buys }: Pick<Judgement, 'ageS' | 'buys'>): readonly OddsHead[] => {
  const heads: OddsHead[] = []
  if (ageS <= RUG_AGE_S_MAX) heads.push('rug_within_300s')
  if (ageS <= (JUDGED_AGES_S.at(-1) as number) && buys >= GRADUATION_BUYS_MIN) heads.push('true_graduation')
  return heads
}

/** SHA-256, hex, of the body of a judgement in Avro (`judgementBytesOf` of schemas/codecs.ts). */
export const inputsHashOf = (judgementBytes: Uint8Array): string => hash('sha256', judgementBytes)
