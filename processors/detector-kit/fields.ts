// The fields of the rows that detectors see, and what each holds: read-only views and the look-ahead test are made of these lists.
import type { Position } from '../../schemas/position.ts'
import type { CurveFiguresRow, CurveLaunchRow, CurveRow, LaunchRow, PoolRow } from '../../schemas/types.ts'

/**
 * - `address`: a key or signature as bytes, null where there is none; `hash`: the beginning of a block's hash, empty for none.
 * - `words`, `link`: what the creator wrote.
 * - `slot`: slot or block, -1 for none; `time`: unix seconds, 0 for none.
 * - `other`: amounts, counts, bits, places within a block, and addresses that many share (quote, token program, route): they name a kind.
 */
export type FieldKind = 'address' | 'hash' | 'words' | 'link' | 'slot' | 'time' | 'other'
/** Every field of a row. A row of anything but primitives has no such list. */
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
  supplyUnits: 'other',
  realTokenUnits: 'other',
  vouched: 'other',
  placed: 'other',
}

const curve: FieldsOf<CurveRow> = {
  ...LAST,
  ...PEAK,
  ...GAP,
  quoteMint: 'other',
  mayhem: 'other',
  virtualQuoteUnits: 'other',
  virtualTokenUnits: 'other',
  realQuoteUnits: 'other',
  realTokenUnits: 'other',
  peakQuoteUnits: 'other',
  buys: 'other',
  sells: 'other',
  trades: 'other',
  uniqueBuyers: 'other',
  lastTradeAt: 'time',
  lastBuyAt: 'time',
  lastNewBuyerAt: 'time',
  lastTop5SellAt: 'time',
  topFloorUnits: 'other',
  devBuyQuoteUnits: 'other',
  devBoughtUnits: 'other',
  devSoldUnits: 'other',
  devFirstSellAt: 'time',
  devFirstSellUnits: 'other',
  devFirstSellQuoteUnits: 'other',
  devDumpAt: 'time',
  selfGraduated: 'other',
  bundleWallets: 'other',
  bundleBoughtUnits: 'other',
  bundleSoldUnits: 'other',
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
  openingQuoteUnits: 'other',
  quoteUnits: 'other',
  virtualQuoteUnits: 'other',
  tokenUnits: 'other',
  trades: 'other',
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
  thresholdUnits: 'other',
  virtualQuoteUnits: 'other',
  supplyUnits: 'other',
  exemptions: 'other',
  vouched: 'other',
}

const figures: FieldsOf<CurveFiguresRow> = {
  ...LAST,
  ...PEAK,
  ...GAP,
  peakSignature: 'address',
  lastMoveAt: 'time',
  realQuoteUnits: 'other',
  tokenUnits: 'other',
  peakQuoteUnits: 'other',
  buys: 'other',
  sells: 'other',
  directBuys: 'other',
  terminalBuys: 'other',
  resolvedBuys: 'other',
  uniqueBuyers: 'other',
  uniqueSellers: 'other',
  buyQuoteUnits: 'other',
  sellQuoteUnits: 'other',
  taxedBuys: 'other',
  taxUnits: 'other',
  buybacks: 'other',
  lockedUnits: 'other',
  firstBuyNumber: 'slot',
  firstBuyAt: 'time',
  lastTradeNumber: 'slot',
  lastTradeAt: 'time',
  outUnits: 'other',
  inUnits: 'other',
  movedOutUnits: 'other',
  movedInUnits: 'other',
  directNumber: 'slot',
  directInBlock: 'other',
  directFirst: 'address',
  maxDirectBuys: 'other',
  clusterWallets: 'other',
  deployerInUnits: 'other',
  deployerOutUnits: 'other',
  deployerSentAt: 'time',
  deployerBuyQuoteUnits: 'other',
  deployerBoughtUnits: 'other',
  deployerSoldUnits: 'other',
  deployerSells: 'other',
  deployerFirstSellAt: 'time',
  deployerFirstSellUnits: 'other',
  deployerFirstSellQuoteUnits: 'other',
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

/** What a detector is of: mints of the primary chain, or curves of the alt chain. */
export type Of = 'mint' | 'curve'

/** Rows by the names under which a detector gets them, and values that it gets beside them. */
interface Seen {
  readonly rows: Readonly<Record<string, Readonly<Record<string, FieldKind>>>>
  readonly beside: Readonly<Record<string, FieldKind>>
}
export const SEEN: Readonly<Record<Of, Seen>> = {
  mint: { rows: { launch, curve, pool, position }, beside: {} },
  curve: { rows: { launch: curveLaunch, figures, position }, beside: { signature: 'address' } },
}
