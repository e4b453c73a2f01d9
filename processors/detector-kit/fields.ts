// The kind of every field of the rows that detectors see: read-only views and the look-ahead test are built from these lists.
import type { Position } from '../../schemas/position.ts'
import type { CurveFiguresRow, CurveLaunchRow, CurveRow, LaunchRow, PoolRow } from '../../schemas/types.ts'

/**
 * - `address`: a key or signature as bytes, null for none; `hash`: the beginning of a block's hash, empty for none.
 * - `words`, `link`: text and link that the creator wrote.
 * - `slot`: slot or block, -1 for none; `time`: unix seconds, 0 for none.
 * - `amount`: base units, -1 for unknown.
 * - `other`: counts, bits, indexes within a block, and addresses that many share (quote, token program, route), which name a kind.
 */
export type FieldKind = 'address' | 'hash' | 'words' | 'link' | 'slot' | 'time' | 'amount' | 'other'
/** Every field of a row. Rows may hold only primitives. */
type FieldsOf<Row> = {
  readonly [Field in keyof Row]: Row[Field] extends string | number | bigint | boolean | null ? FieldKind : never
}

const PLACE = { number: 'slot', tx: 'other', outer: 'other', inner: 'other' } as const
const PEAK = { peakNumber: 'slot', peakTx: 'other', peakOuter: 'other', peakInner: 'other', peakHash8: 'hash' } as const
const LAST = { lastNumber: 'slot', lastTx: 'other', lastOuter: 'other', lastInner: 'other', lastAt: 'time' } as const
const GAP = { gapNumber: 'slot', gapFrom: 'slot', gapTrades: 'other' } as const

const position: FieldsOf<Position> = { chain: 'other', ...PLACE }

const launch: FieldsOf<LaunchRow> = {
  ...PLACE,
  hash8: 'hash',
  signature: 'address',
  at: 'time',
  name: 'words',
  symbol: 'words',
  uri: 'link',
  user: 'address',
  creator: 'address',
  creatorIsWallet: 'other',
  bondingCurve: 'address',
  tokenProgram: 'other',
  mayhem: 'other',
  cashback: 'other',
  quoteMint: 'other',
  supplyUnits: 'amount',
  realTokenUnits: 'amount',
  vouched: 'other',
  placed: 'other',
}

const curve: FieldsOf<CurveRow> = {
  ...LAST,
  ...PEAK,
  ...GAP,
  gapCall: 'other',
  quoteMint: 'other',
  mayhem: 'other',
  virtualQuoteUnits: 'amount',
  virtualTokenUnits: 'amount',
  realQuoteUnits: 'amount',
  realTokenUnits: 'amount',
  peakQuoteUnits: 'amount',
  buys: 'other',
  sells: 'other',
  trades: 'other',
  uniqueBuyers: 'other',
  lastTradeAt: 'time',
  lastBuyAt: 'time',
  lastNewBuyerAt: 'time',
  lastTop5SellAt: 'time',
  topFloorUnits: 'amount',
  devBuyQuoteUnits: 'amount',
  devBoughtUnits: 'amount',
  devSoldUnits: 'amount',
  devFirstSellAt: 'time',
  devFirstSellUnits: 'amount',
  devFirstSellQuoteUnits: 'amount',
  devDumpAt: 'time',
  selfGraduated: 'other',
  bundleWallets: 'other',
  bundleBoughtUnits: 'amount',
  bundleSoldUnits: 'amount',
  completeAt: 'time',
  migratedAt: 'time',
  drainAt: 'time',
  flagBits: 'other',
  shadowBits: 'other',
  pool: 'address',
  lastMoveAt: 'time',
}

const pool: FieldsOf<PoolRow> = {
  ...PLACE,
  hash8: 'hash',
  pool: 'address',
  quoteMint: 'other',
  coinIsBase: 'other',
  openingQuoteUnits: 'amount',
  quoteUnits: 'amount',
  virtualQuoteUnits: 'amount',
  tokenUnits: 'amount',
  trades: 'other',
  boosts: 'other',
  boostQuoteUnits: 'amount',
  boostTokenUnits: 'amount',
  openedAt: 'time',
  lastAt: 'time',
}

const curveLaunch: FieldsOf<CurveLaunchRow> = {
  ...PLACE,
  hash8: 'hash',
  signature: 'address',
  at: 'time',
  curve: 'address',
  deployer: 'address',
  launcher: 'address',
  route: 'other',
  quoteMint: 'other',
  quoteDecimals: 'other',
  quoteDecimalsReason: 'other',
  thresholdUnits: 'amount',
  virtualQuoteUnits: 'amount',
  supplyUnits: 'amount',
  exemptions: 'other',
  vouched: 'other',
}

const figures: FieldsOf<CurveFiguresRow> = {
  ...LAST,
  ...PEAK,
  ...GAP,
  peakSignature: 'address',
  lastMoveAt: 'time',
  realQuoteUnits: 'amount',
  tokenUnits: 'amount',
  peakQuoteUnits: 'amount',
  buys: 'other',
  sells: 'other',
  directBuys: 'other',
  terminalBuys: 'other',
  resolvedBuys: 'other',
  uniqueBuyers: 'other',
  uniqueSellers: 'other',
  buyQuoteUnits: 'amount',
  sellQuoteUnits: 'amount',
  taxedBuys: 'other',
  taxUnits: 'amount',
  buybacks: 'other',
  lockedUnits: 'amount',
  firstBuyNumber: 'slot',
  firstBuyAt: 'time',
  lastTradeNumber: 'slot',
  lastTradeAt: 'time',
  outUnits: 'amount',
  inUnits: 'amount',
  movedOutUnits: 'amount',
  movedInUnits: 'amount',
  directNumber: 'slot',
  directInBlock: 'other',
  directFirst: 'address',
  maxDirectBuys: 'other',
  clusterWallets: 'other',
  deployerInUnits: 'amount',
  deployerOutUnits: 'amount',
  deployerSentAt: 'time',
  deployerBuyQuoteUnits: 'amount',
  deployerBoughtUnits: 'amount',
  deployerSoldUnits: 'amount',
  deployerSells: 'other',
  deployerFirstSellAt: 'time',
  deployerFirstSellUnits: 'amount',
  deployerFirstSellQuoteUnits: 'amount',
  deployerDumpAt: 'time',
  refunds: 'other',
  graduationsFailed: 'other',
  completeNumber: 'slot',
  completeAt: 'time',
  sweptNumber: 'slot',
  isForceSwept: 'other',
  rescues: 'other',
  graduatedNumber: 'slot',
  graduatedAt: 'time',
  drainAt: 'time',
  flagBits: 'other',
  shadowBits: 'other',
}

/** What a detector judges: mints of Solana, or curves of the alt chain. */
export type Of = 'mint' | 'curve'

/** Rows by the names under which a detector gets them, and the values passed with them. */
interface Seen {
  readonly rows: Readonly<Record<string, Readonly<Record<string, FieldKind>>>>
  readonly beside: Readonly<Record<string, FieldKind>>
}
export const SEEN: Readonly<Record<Of, Seen>> = {
  mint: { rows: { launch, curve, pool, position }, beside: {} },
  curve: { rows: { launch: curveLaunch, figures, position }, beside: { signature: 'address' } },
}
