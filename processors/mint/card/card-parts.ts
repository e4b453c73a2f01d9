// The blocks of a card, each a pure function of rows and a moment.
import { type Amount, greaterOf, subtract } from '../../../schemas/amount.ts'
import { keyText } from '../../../schemas/keys.ts'
import { comparePositions, formatPosition } from '../../../schemas/position.ts'
import type { CurveRow, FlagRow, LaunchRow, MintState, PoolRow } from '../../../schemas/types.ts'
import type { ChainFacts } from '../../chains/chain.ts'
import type { DetectorSet } from '../detectors/set.ts'
import { COMPLETION_LAMPORTS } from '../thresholds.ts'
import { shareOf, solOf, tokensOf } from './amounts.ts'
import { explain } from './explain.ts'
import { areHoldersKnown, demandOf, graduatedOf, hasTop5Sold, isInflowStalled, isReversed } from './labels.ts'
import type { Moment } from './moment.ts'
import { NO_RESERVES, NOT_MIGRATED, noPoolOf, notQuoteOf, quoteMintOf } from './nulls.ts'

/** What this version cannot know without reading accounts, for buyers. */
export const UNSEEN = {
  onchain: 'accounts on the chain were not read for this',
} as const

/** Why holders are unknown. */
export const afterGap = (curve: CurveRow): string =>
  curve.gapCall !== null
    ? `coins may have moved by ${curve.gapCall} in slot ${curve.gapFrom}, whose event is missing in the record of the node`
    : `coins may have moved between wallets in slots ${curve.gapFrom} to ${curve.gapNumber}, which were not delivered`

/**
 * Progress toward completion: real SOL relative to the launchpad's own completion level; for mayhem and other quotes the share of coins
 * sold. Null where reserves are unknown.
 */
const progressOf = (launch: LaunchRow, curve: CurveRow): number | null => {
  if (curve.quoteMint === null && !curve.mayhem)
    return curve.realQuoteUnits < 0 ? null : Math.min(1, shareOf(curve.realQuoteUnits, COMPLETION_LAMPORTS))
  if (curve.realTokenUnits < 0) return null
  return Math.min(1, Math.max(0, shareOf(subtract(launch.realTokenUnits, curve.realTokenUnits), launch.realTokenUnits)))
}

const solOrNull = (curve: CurveRow, lamports: Amount): number | null => (curve.quoteMint === null && lamports >= 0 ? solOf(lamports) : null)

/** What the curve holds now: nothing once it has migrated. Null where unknown, and on curves with another quote. */
export const curveSolOf = (curve: Readonly<CurveRow>): number | null => solOrNull(curve, curve.migratedAt === 0 ? curve.realQuoteUnits : 0)

/** The curve's figures. After a migration `rs_sol` is 0, and the others stay as they were at the migration. */
export const curvePart = (launch: LaunchRow, curve: CurveRow, chain: ChainFacts) => {
  const reason = curve.quoteMint === null ? NO_RESERVES : notQuoteOf(curve, chain)
  const real = curve.realQuoteUnits
  return explain(
    {
      rs_sol: curveSolOf(curve),
      rs_at_migration_sol: curve.migratedAt === 0 ? null : solOrNull(curve, real),
      peak_rs_sol: solOrNull(curve, curve.peakQuoteUnits),
      progress: progressOf(launch, curve),
      drawdown_from_peak: real < 0 ? null : shareOf(greaterOf(0, subtract(curve.peakQuoteUnits, real)), curve.peakQuoteUnits),
      complete: curve.completeAt !== 0 || curve.migratedAt !== 0,
      migrated: curve.migratedAt !== 0,
      graduated: graduatedOf(curve),
      is_mayhem: curve.mayhem,
      dev_buy_sol: solOrNull(curve, curve.devBuyQuoteUnits),
      quote_mint: quoteMintOf(curve, chain),
      ...(curve.pool === null ? {} : { pool: keyText(curve.pool) }),
    },
    {
      rs_sol: reason,
      rs_at_migration_sol: curve.migratedAt === 0 ? NOT_MIGRATED : reason,
      peak_rs_sol: reason,
      progress: NO_RESERVES,
      drawdown_from_peak: NO_RESERVES,
      graduated: curve.quoteMint === null ? 'the curve is still open' : `${notQuoteOf(curve, chain)}: the 84 SOL rule does not apply`,
      dev_buy_sol: reason,
    },
  )
}

/** The pool to which the curve migrated. */
const poolOf = (curve: CurveRow, pools: readonly PoolRow[]): PoolRow | undefined => pools.find(({ pool }) => pool === curve.pool)

/** The pool that the curve moved to; the quote side includes its virtual part. */
export const poolPart = (curve: CurveRow, pools: readonly PoolRow[], chain: ChainFacts) => {
  const row = poolOf(curve, pools)
  if (row === undefined) return { pool: null, pool_reason: noPoolOf(curve) }
  const isSol = row.quoteMint === null
  const pool = explain(
    {
      address: keyText(row.pool),
      opened_at: row.openedAt,
      opening_quote_sol: isSol ? solOf(row.openingQuoteUnits) : null,
      quote_sol: isSol ? solOf(row.quoteUnits) : null,
      quote_share: shareOf(row.quoteUnits, row.openingQuoteUnits),
      tokens: tokensOf(row.tokenUnits),
      n_trades: row.trades,
      boosts: boostsOf(row, isSol, curve, chain),
      last_event_at: row.lastAt,
    },
    { opening_quote_sol: notQuoteOf(curve, chain), quote_sol: notQuoteOf(curve, chain) },
  )
  return { pool }
}

const boostsOf = (row: PoolRow, isSol: boolean, curve: CurveRow, chain: ChainFacts) =>
  explain(
    { n: row.boosts, spent_sol: isSol ? solOf(row.boostQuoteUnits) : null, burnt_tokens: tokensOf(row.boostTokenUnits) },
    { spent_sol: notQuoteOf(curve, chain) },
  )

/** Demand in the trailing 60 s, and totals of curve and pool. */
export const demandPart = (launch: LaunchRow, curve: CurveRow, state: MintState, moment: Moment, chain: ChainFacts) => {
  const { buys, sells, netQuoteUnits } = demandOf(state.flows, moment)
  return explain(
    {
      unique_buyers: curve.uniqueBuyers,
      buys_60s: buys,
      sells_60s: sells,
      net_sol_60s: curve.quoteMint === null ? solOf(netQuoteUnits) : null,
      inflow_stalled: isInflowStalled(launch, curve, moment),
      n_buys: curve.buys,
      n_sells: curve.sells,
      last_trade_at: curve.lastTradeAt === 0 ? null : curve.lastTradeAt,
    },
    { net_sol_60s: notQuoteOf(curve, chain), last_trade_at: 'no trade was seen yet' },
  )
}

/** Signals that wallets are exiting. */
export const exitSignalsPart = (launch: LaunchRow, curve: CurveRow, moment: Moment) =>
  explain(
    {
      creator_sold: curve.devFirstSellAt !== 0,
      top5_holder_sold_recent: areHoldersKnown(curve) ? hasTop5Sold(curve, moment) : null,
      inflow_stalled: isInflowStalled(launch, curve, moment),
      progress_reversed: curve.realQuoteUnits < 0 ? null : isReversed(curve),
    },
    { top5_holder_sold_recent: afterGap(curve), progress_reversed: NO_RESERVES },
  )

/** Why a finding has no hash of its detector. */
export const UNHASHED = 'this version of the detector was not registered when it found this'

/** A flag on a card. The finality of its slot is context: it is added when the answer is sent. */
export interface RugFlag {
  readonly flag: string
  readonly first_seen_at: number
  readonly position: string
  readonly finding_id: string
  readonly detector_id: string
  readonly detector_version: number
  readonly detector_hash: string | null
  readonly detector_hash_reason?: string
  readonly evidence: Readonly<Record<string, unknown>>
}

const byPositionThenFlag = (a: FlagRow, b: FlagRow): number => comparePositions(a, b) || (a.flag < b.flag ? -1 : 1)

/** Flags that fired, oldest first. */
export const rugFlagsPart = (flags: readonly FlagRow[], { name: chain }: ChainFacts): readonly RugFlag[] =>
  [...flags].sort(byPositionThenFlag).map((row) =>
    explain(
      {
        flag: row.flag,
        first_seen_at: row.firstSeenAt,
        position: formatPosition({ chain, ...row }),
        finding_id: row.findingId,
        detector_id: row.detector,
        detector_version: row.detectorVersion,
        detector_hash: row.detectorHash,
        evidence: JSON.parse(row.evidence) as Readonly<Record<string, unknown>>,
      },
      { detector_hash: UNHASHED },
    ),
  )

/** Whether each flag fired; null where the mint was not judged. */
export const flagsPart = ({ flags, pools }: MintState, curve: CurveRow, { published }: DetectorSet) => {
  const pool = poolOf(curve, pools)
  const fired = new Set(flags.map(({ flag }) => flag))
  const values: Record<string, boolean | null> = {}
  const reasons: Record<string, string> = {}
  for (const { flag, notJudged } of published) {
    const reason = notJudged?.(curve, pool)
    values[flag] = reason === undefined ? fired.has(flag) : null
    if (reason !== undefined) reasons[flag] = reason
  }
  return explain(values, reasons)
}

/** The newest 20 changes of the creator, oldest first. */
export const creatorChangesPart = (changes: MintState['changes'], { name: chain }: ChainFacts) =>
  [...changes]
    .sort((a, b) => a.n - b.n)
    .map((row) => ({ creator: keyText(row.creator), kind: row.kind, at: row.at, position: formatPosition({ chain, ...row }) }))
