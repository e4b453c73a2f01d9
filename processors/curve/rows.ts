// The rows of a curve (schemas/curve-state.avsc), their initial values, and the fold's outputs.
import type { Key, Signature } from '../../schemas/keys.ts'
import type { Position } from '../../schemas/position.ts'
import type {
  AltTapeEvent,
  BlockFlowRow,
  Conclusion,
  CurveFiguresRow,
  CurveFoldedRow,
  CurveHolderRow,
  CurveLaunchRow,
  CurveOutcomeRow,
  CurveStubRow,
  DeployerPriorRow,
  FlagRow,
  RouteRow,
  StepRow,
} from '../../schemas/types.ts'
import type { ChainFacts } from '../chains/chain.ts'
import type { Context, Processor } from '../contract.ts'
import type { TapeHeader } from '../tape.ts'

/**
 * Rows of a curve by kind. launch, figures, outcome, prior, folded and stub are single; holders are keyed by wallet, flows by block, routes
 * by name, flags by flag, steps by name.
 */
export type CurveRows = {
  launch: CurveLaunchRow
  figures: CurveFiguresRow
  holders: CurveHolderRow
  flows: BlockFlowRow
  routes: RouteRow
  flags: FlagRow
  steps: StepRow
  outcome: CurveOutcomeRow
  prior: DeployerPriorRow
  folded: CurveFoldedRow
  stub: CurveStubRow
}

/** Name of the processor: deployers send their answers to it. */
export const CURVE = 'curve'
/** Name of the creator fold that keeps the record of deployers. */
export const DEPLOYER = 'deployer'

/** A conclusion and its topic. */
export interface CurveOutput {
  readonly topic: 'flags' | 'outcomes'
  readonly conclusion: Conclusion
}
type CurveSent = 'launched' | 'settled'
export type CurveProcessor = Processor<CurveRows, AltTapeEvent, CurveOutput, TapeHeader, CurveSent>
export type CurveContext = Context<CurveRows, CurveOutput, CurveSent>

/** What the fold needs from its chain. */
export interface CurveChain extends Pick<ChainFacts, 'isWallet'> {
  /** Names of the routes that are trading terminals. */
  readonly terminals: ReadonlySet<string>
  /** True for a contract of the launchpad: what it buys or sells is for the launchpad itself. */
  isOwn(key: Key): boolean
  /** The variant of its processors, see `Processor.make`. */
  make?(): string | null
}

/** The route of a wallet that called the curve directly. */
export const DIRECT = 'direct'

/** A curve at an event or a tick: its launch, its figures opened for change, and the position. */
export interface CurveRowsView {
  readonly launch: Readonly<CurveLaunchRow>
  readonly figures: CurveFiguresRow
  readonly position: Position
  /** Hash of the transaction; null at a tick. */
  readonly signature: Signature | null
}

/** Bits of CurveHolderRow.roles. */
export const ROLE_BOUGHT = 1
export const ROLE_SOLD = 2
export const ROLE_TERMINAL = 4
/** Bought directly in a block with two or more direct buys. */
export const ROLE_CLUSTER = 8

/** Values of CurveFiguresRow.gapTrades. */
const GAP_NONE = 0
/** A gap followed the curve's newest event, and no later event has shown yet whether a trade was missed. */
export const GAP_OPEN = 1
/** A later trade matched the stored reserves: no trade was missed, but transfers may be, so holders are unknown. */
export const GAP_CLEARED = 2
/** A later trade did not match: permanently thin. */
export const GAP_MISSED = 3

/** True while no trade of the curve can be missing. Detectors run only then. */
export const isWatched = ({ gapTrades }: Pick<CurveFiguresRow, 'gapTrades'>): boolean => gapTrades === GAP_NONE || gapTrades === GAP_CLEARED
/** True while the curve accepts trades. */
export const isOpen = ({ completeNumber, graduatedNumber }: Pick<CurveFiguresRow, 'completeNumber' | 'graduatedNumber'>): boolean =>
  completeNumber === -1 && graduatedNumber === -1
/** True for curves paired with the native unit of the chain. */
export const isNative = ({ quoteMint }: { readonly quoteMint: Key | null }): boolean => quoteMint === null

/** A wallet without tokens yet. */
export const newHolder = (wallet: Key): CurveHolderRow => ({ wallet, units: 0, roles: 0 })

/** A curve without trades. Position and `second` (unix) are the launch's. */
export const newFigures = (
  { number, tx, outer, inner }: Position,
  second: number,
  supplyUnits: CurveLaunchRow['supplyUnits'],
): CurveFiguresRow => ({
  lastNumber: number,
  lastTx: tx,
  lastOuter: outer,
  lastInner: inner,
  lastAt: second,
  lastMoveAt: 0,
  realQuoteUnits: 0,
  tokenUnits: supplyUnits,
  peakQuoteUnits: 0,
  peakNumber: -1,
  peakTx: 0,
  peakOuter: 0,
  peakInner: 0,
  peakHash8: '',
  peakSignature: null,
  buys: 0,
  sells: 0,
  directBuys: 0,
  terminalBuys: 0,
  resolvedBuys: 0,
  uniqueBuyers: 0,
  uniqueSellers: 0,
  buyQuoteUnits: 0,
  sellQuoteUnits: 0,
  taxedBuys: 0,
  taxUnits: 0,
  buybacks: 0,
  lockedUnits: 0,
  firstBuyNumber: -1,
  firstBuyAt: 0,
  lastTradeNumber: -1,
  lastTradeAt: 0,
  outUnits: 0,
  inUnits: 0,
  movedOutUnits: 0,
  movedInUnits: 0,
  directNumber: -1,
  directInBlock: 0,
  directFirst: null,
  maxDirectBuys: 0,
  clusterWallets: 0,
  deployerInUnits: 0,
  deployerOutUnits: 0,
  deployerSentAt: 0,
  deployerBuyQuoteUnits: 0,
  deployerBoughtUnits: 0,
  deployerSoldUnits: 0,
  deployerSells: 0,
  deployerFirstSellAt: 0,
  deployerFirstSellUnits: 0,
  deployerFirstSellQuoteUnits: 0,
  deployerDumpAt: 0,
  refunds: 0,
  graduationsFailed: 0,
  completeNumber: -1,
  completeAt: 0,
  sweptNumber: -1,
  isForceSwept: false,
  rescues: 0,
  graduatedNumber: -1,
  graduatedAt: 0,
  drainAt: 0,
  flagBits: 0,
  shadowBits: 0,
  gapNumber: -1,
  gapFrom: -1,
  gapTrades: GAP_NONE,
})
