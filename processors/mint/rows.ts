// The rows of a mint (schemas/mint-state.avsc), their initial values, and the fold's outputs.
import { LONG_MAX } from '../../schemas/amount.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Position } from '../../schemas/position.ts'
import type {
  Conclusion,
  CreatorChangeRow,
  CurveRow,
  FlagRow,
  FlowRow,
  FoldedRow,
  HolderRow,
  LaunchRow,
  OutcomeRow,
  PoolRow,
  PriorRow,
  ProofRow,
  StepRow,
  StubRow,
  TapeEvent,
  WaitingRow,
  WarmRow,
} from '../../schemas/types.ts'
import type { Context, Processor } from '../contract.ts'
import type { TapeHeader } from '../tape.ts'

/**
 * Rows of a mint by kind. launch, curve, outcome, stub, prior, warm and folded are single; holders and waiting are keyed by wallet, flows
 * by second % 60, flags by flag, pools by address, steps by name.
 */
export type MintRows = {
  launch: LaunchRow
  curve: CurveRow
  holders: HolderRow
  flows: FlowRow
  flags: FlagRow
  proofs: ProofRow
  changes: CreatorChangeRow
  outcome: OutcomeRow
  stub: StubRow
  prior: PriorRow
  pools: PoolRow
  steps: StepRow
  warm: WarmRow
  waiting: WaitingRow
  folded: FoldedRow
}

/** Name of the processor: creators and wallets send their answers to it. */
export const MINT = 'mint'

/** A conclusion and its topic. */
export interface MintOutput {
  readonly topic: 'flags' | 'outcomes' | 'judgements'
  readonly conclusion: Conclusion
}
type MintSent = 'launched' | 'settled' | 'fundingAsked'
export type MintProcessor = Processor<MintRows, TapeEvent, MintOutput, TapeHeader, MintSent>
export type MintContext = Context<MintRows, MintOutput, MintSent>

/** A witnessed mint at an event or a tick: its launch, its curve row opened for change, and the position. */
export interface MintRowsView {
  readonly launch: Readonly<LaunchRow>
  readonly curve: CurveRow
  readonly position: Position
}

/** Bits of HolderRow.roles. */
export const ROLE_DEV = 1
export const ROLE_BUNDLE = 2
/** Bought in the create transaction: insider rule (c). */
export const ROLE_CREATE_TX = 4
/** Got coins from wallets before completion: insider rule (a). */
export const ROLE_RECEIVED = 8
/** Funded by the dev set or by a funder of the creator: insider rule (b). */
export const ROLE_FUNDED = 16
export const ROLES_INSIDER = ROLE_CREATE_TX | ROLE_RECEIVED | ROLE_FUNDED

/** Values of CurveRow.gapTrades. */
const GAP_NONE = 0
/** A gap followed the mint's newest event, and no later event has shown yet whether a trade was missed. */
export const GAP_OPEN = 1
/** A later trade matched the stored reserves: no trade was missed, but transfers may be, so holders are unknown. */
export const GAP_CLEARED = 2
/** A later trade did not match: permanently thin. */
export const GAP_MISSED = 3
/** A trade did not follow from the stored reserves although no gap is known: permanently thin. */
export const GAP_BROKEN = 4

/** `seconds` later, unix seconds; capped at the maximum that the log can hold, because an event's own clock may be far off. */
export const laterBy = (second: number, seconds: number): number => Math.min(second + seconds, LONG_MAX)

/** True for a mint whose launch was seen at a known slot: it has holders, flows, detectors and an outcome. */
export const isWitnessed = (launch: Readonly<LaunchRow> | undefined): launch is Readonly<LaunchRow> => launch?.placed === true
/** True while no trade of a witnessed mint can be missing: detectors run only then. */
export const isWatched = (curve: Readonly<CurveRow>): boolean => curve.gapTrades === GAP_NONE || curve.gapTrades === GAP_CLEARED
/** True while the curve accepts trades. */
export const isOpen = (curve: Readonly<CurveRow>): boolean => curve.completeAt === 0 && curve.migratedAt === 0
/** The dev set: the caller of create, and the creator it named when that is a wallet. */
export const isDev = (launch: Readonly<LaunchRow>, wallet: Key): boolean =>
  wallet === launch.user || (launch.creatorIsWallet && wallet === launch.creator)

/** A curve about which nothing is known yet. */
export const newCurve = (): CurveRow => ({
  lastNumber: -1,
  lastTx: 0,
  lastOuter: 0,
  lastInner: 0,
  lastAt: 0,
  quoteMint: null,
  mayhem: false,
  virtualQuoteUnits: -1,
  virtualTokenUnits: -1,
  realQuoteUnits: -1,
  realTokenUnits: -1,
  peakQuoteUnits: 0,
  peakNumber: -1,
  peakTx: 0,
  peakOuter: 0,
  peakInner: 0,
  peakHash8: '',
  buys: 0,
  sells: 0,
  trades: 0,
  uniqueBuyers: 0,
  lastTradeAt: 0,
  lastBuyAt: 0,
  lastNewBuyerAt: 0,
  lastTop5SellAt: 0,
  topFloorUnits: 0,
  devBuyQuoteUnits: 0,
  devBoughtUnits: 0,
  devSoldUnits: 0,
  devFirstSellAt: 0,
  devFirstSellUnits: 0,
  devFirstSellQuoteUnits: 0,
  devDumpAt: 0,
  selfGraduated: false,
  bundleWallets: 0,
  bundleBoughtUnits: 0,
  bundleSoldUnits: 0,
  completeAt: 0,
  migratedAt: 0,
  drainAt: 0,
  flagBits: 0,
  shadowBits: 0,
  gapNumber: -1,
  gapTrades: GAP_NONE,
  gapFrom: -1,
  gapCall: null,
  pool: null,
  lastMoveAt: 0,
})

/** A wallet without coins yet. */
export const newHolder = (wallet: Key, roles: number): HolderRow => ({
  wallet,
  units: 0,
  bundleUnits: 0,
  bundleSoldUnits: 0,
  firstBuyNumber: -1,
  firstBuyTx: -1,
  lastBuyAt: 0,
  roles,
  givenBy: null,
  funder: null,
})

/** A second without trades. */
export const newFlow = (slot: number, second: number): FlowRow => ({ slot, second, buys: 0, sells: 0, netQuoteUnits: 0 })
