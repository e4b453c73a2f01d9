// The mint fold: one mint with its holders, from launch to outcome. applyTrade is the hot path.
import { assert, unreachable } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Balance, MintState, MissingEvent, PoolTrade, TapeEvent, Trade } from '../../../schemas/types.ts'
import type { ChainDefinition } from '../../chains/chain.ts'
import type { AllRows, FramePlace } from '../../contract.ts'
import { CREATOR } from '../../creator/rows.ts'
import type { TapeAt } from '../../tape.ts'
import { WALLET } from '../../wallet/wallet.ts'
import type { Detector } from '../detectors/detector.ts'
import type { DetectorSet } from '../detectors/set.ts'
import { JUDGE_TIMER, judge } from '../odds/judge.ts'
import { isWitnessed, MINT, type MintContext, type MintProcessor, newCurve } from '../rows.ts'
import { SILENT_S } from '../thresholds.ts'
import { detect } from './findings.ts'
import { FORGET_TIMER, forgetIfSilent, STUB_TIMER } from './forget.ts'
import { storeFunderPrior, storeFunding } from './funding.ts'
import { isOverGap, judgeReserves, noteGap, noteMissingEvent } from './gap.ts'
import { complete, migrate, noteCreatorChange, openMint } from './lifecycle.ts'
import { moveBalance } from './moves.ts'
import { QUIET_TIMER, settle, settleIfQuiet, withFigures } from './outcome.ts'
import { boostPool, migratedPool, movePool, openPool, tradePool } from './pools.ts'
import { storePrior } from './prior.ts'
import { notePeak, takeMayhemReserves, takeReserves } from './reserves.ts'
import { applyWalletTrade, CREATE_SLOT_TIMER, moveLiquidity } from './wallet-trades.ts'

/**
 * Raised when the fold's own rows or outputs change. Versions of the detectors are added to it, so an additional or newer detector makes a
 * newer fold. A retired detector stays in the list, so that the sum never falls.
 */
const OWN_VERSION = 7

/**
 * Opens the curve row for an event: records the event's position and time, and a gap before it. A mint whose first event is not a launch is
 * thin.
 */
const openCurve = (ctx: MintContext, at: TapeAt, second: number): ReturnType<typeof newCurve> => {
  const curve = ctx.edit('curve', undefined, newCurve)
  if (curve.lastNumber === -1) ctx.schedule(FORGET_TIMER, at.header.time + SILENT_S)
  else if (isOverGap(curve, at.header)) noteGap(curve, at.header)
  curve.lastNumber = at.position.number
  curve.lastTx = at.position.tx
  curve.lastOuter = at.position.outer
  curve.lastInner = at.position.inner
  curve.lastAt = second
  return curve
}

const applyTrade = (detectors: readonly Detector[], ctx: MintContext, trade: Trade, at: TapeAt): void => {
  const launch = ctx.read('launch')
  const since = ctx.read('curve')?.lastNumber ?? at.position.number
  const curve = openCurve(ctx, at, trade.timestamp)
  judgeReserves(curve, trade, since, at.position.number)
  takeReserves(curve, trade)
  if (!isWitnessed(launch)) {
    curve.lastTradeAt = trade.timestamp
    return
  }
  notePeak(curve, at, trade.timestamp)
  const view = { launch, curve, position: at.position, pool: migratedPool(ctx, curve) }
  if (!trade.isAgent) applyWalletTrade(ctx, view, trade, at)
  detect(detectors, ctx, view, at, trade.timestamp)
}

const applyPoolTrade = (detectors: readonly Detector[], ctx: MintContext, trade: PoolTrade, at: TapeAt, agent: Key | null): void => {
  const launch = ctx.read('launch')
  const curve = openCurve(ctx, at, trade.timestamp)
  if (!isWitnessed(launch)) {
    curve.lastTradeAt = trade.timestamp
    return
  }
  tradePool(ctx, trade, agent)
  const view = { launch, curve, position: at.position, pool: migratedPool(ctx, curve) }
  if (!trade.isAgent) applyWalletTrade(ctx, view, trade, at)
  detect(detectors, ctx, view, at, trade.timestamp)
}

/** A movement without a trade neither opens a mint nor keeps it from being forgotten: anybody can send dust. */
const applyBalance = (ctx: MintContext, balance: Balance, at: TapeAt, agent: Key | null): void => {
  const launch = ctx.read('launch')
  if (ctx.read('curve') === undefined || !isWitnessed(launch)) return
  moveBalance(ctx, { launch, curve: ctx.edit('curve'), position: at.position }, balance, at, agent)
}

/** Opens the mint even if nothing is known of it: the missing event may be its launch. */
const applyMissingEvent = (ctx: MintContext, { call }: MissingEvent, at: TapeAt): void =>
  noteMissingEvent(openCurve(ctx, at, at.header.time), at.position.number, call)

type RareEvent = Exclude<TapeEvent, Trade | PoolTrade | { type: 'launch' | 'balance' | 'transfer' | 'missingEvent' }>

/** For a mint whose launch was not seen, only the curve's own steps are kept. */
const applyRare = (detectors: readonly Detector[], ctx: MintContext, event: RareEvent, at: TapeAt): void => {
  const launch = ctx.read('launch')
  const curve = openCurve(ctx, at, event.timestamp)
  const view = isWitnessed(launch) ? { launch, curve, position: at.position } : undefined
  switch (event.type) {
    case 'complete':
      complete(ctx, curve, launch, event, at)
      break
    case 'migrate':
      if (view !== undefined) settle(ctx, view, at, event.timestamp, 'migrated')
      migrate(ctx, curve, launch, event, at)
      break
    case 'postCompleteBuy':
      if (view !== undefined) applyWalletTrade(ctx, view, event, at)
      break
    case 'poolLiquidity':
      if (view !== undefined) moveLiquidity(ctx, view, event)
      movePool(ctx, event)
      break
    case 'creatorChange':
      noteCreatorChange(ctx, event, at)
      break
    case 'mayhemReserves':
      takeMayhemReserves(curve, event)
      notePeak(curve, at, event.timestamp)
      break
    case 'poolCreate':
      if (view !== undefined) openPool(ctx, curve, event, at)
      break
    case 'poolBoost':
      boostPool(ctx, event)
      break
    default:
      unreachable(event)
  }
  if (view !== undefined) detect(detectors, ctx, { ...view, pool: migratedPool(ctx, curve) }, at, event.timestamp)
}

/** True for a mint that has rows from before `first`, whether its launch was seen or not. */
const isMintOlder = (rows: AllRows, first: FramePlace): boolean => {
  const { launch, curve, stub } = rows as unknown as MintState
  if (launch !== null) return launch.number < first.number
  if (curve !== null) return curve.lastNumber < first.number
  return stub !== null && (stub.launchAt ?? stub.forgottenAt) < first.time
}

/** In rows up to version 5, a prior is always the creator's and does not name its key, and an outcome has labels but no figures. */
const migrateMint = (rows: AllRows): AllRows => {
  const { launch, curve, prior, outcome } = rows as unknown as MintState
  if (launch === null) return rows
  return {
    ...rows,
    prior: prior && { ...prior, of: prior.of ?? launch.creator },
    outcome: outcome && curve && withFigures(outcome, launch, curve),
  }
}

/**
 * Key = mint. Rows and outputs are a function of tape, chain and detectors; schemas/mint-state.avsc documents what is kept and forgotten.
 */
export const createMintProcessor = ({ running, version }: DetectorSet, { agent }: Pick<ChainDefinition, 'agent'>): MintProcessor => ({
  name: MINT,
  version: OWN_VERSION + version,
  sends: { launched: CREATOR, settled: CREATOR, fundingAsked: WALLET },
  migrate: migrateMint,
  isOlder: isMintOlder,
  keyOf: (event) => (event.type === 'transfer' ? undefined : event.mint),
  apply: (ctx, event, at) => {
    if (event.type === 'trade') applyTrade(running, ctx, event, at)
    else if (event.type === 'poolTrade') applyPoolTrade(running, ctx, event, at, agent)
    else if (event.type === 'launch') openMint(ctx, event, at)
    else if (event.type === 'balance') applyBalance(ctx, event, at, agent)
    else if (event.type === 'missingEvent') applyMissingEvent(ctx, event, at)
    else if (event.type !== 'transfer') applyRare(running, ctx, event, at)
  },
  onTime: (ctx, name, at) => {
    if (name === JUDGE_TIMER) judge(ctx, at)
    else if (name === FORGET_TIMER) forgetIfSilent(ctx, at)
    else if (name === STUB_TIMER) ctx.remove('stub')
    else {
      const launch = ctx.read('launch')
      if (!isWitnessed(launch)) return
      const curve = ctx.edit('curve')
      const view = { launch, curve, position: at.position, pool: migratedPool(ctx, curve) }
      if (name === QUIET_TIMER) settleIfQuiet(ctx, view, at)
      else if (name === CREATE_SLOT_TIMER) detect(running, ctx, view, at, at.header.time)
    }
  },
  onFact: (ctx, fact, at) => {
    const { body } = fact
    if (ctx.read('curve') !== undefined) ctx.edit('curve').lastMoveAt = at.header.time
    if (body.type === 'prior') storePrior(ctx, fact, body, at)
    else if (body.type === 'funded') storeFunding(ctx, fact, body, at)
    else {
      assert(body.type === 'funderPrior', `a mint receives no ${body.type} messages`)
      storeFunderPrior(ctx, body)
    }
  },
})
