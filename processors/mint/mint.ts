// The mint fold: one mint with its holders, from launch to what became of it. The order of calls in applyTrade is the hot path.
import { assert, unreachable } from '../../schemas/errors.ts'
import type { PoolTrade, TapeEvent, Trade } from '../../schemas/types.ts'
import type { Processor } from '../contract.ts'
import { applyDeal, CREATE_SLOT_TIMER, moveLiquidity } from './deals.ts'
import { detect } from './findings.ts'
import { FORGET_TIMER, forgetIfSilent, STUB_TIMER } from './forget.ts'
import { isOverGap, judgeGap, noteGap } from './gap.ts'
import { complete, noteCreatorChange, openMint } from './lifecycle.ts'
import { QUIET_TIMER, settle, settleIfQuiet } from './outcome.ts'
import { takePrior } from './prior.ts'
import { notePeak, takeMayhemReserves, takeReserves } from './reserves.ts'
import {
  isWitnessed,
  type MintContext,
  type MintOutput,
  type MintRows,
  newCurve,
  type Sight,
  type TapeAt,
  type TapeHeader,
} from './rows.ts'
import { SILENT_S } from './thresholds.ts'

export type { MintOutput, MintRows, TapeHeader }

/** Opens the curve row for an event: where it stands, when, and whether a gap came before it. A mint first met here is thin. */
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

const applyTrade = (ctx: MintContext, trade: Trade, at: TapeAt): void => {
  const launch = ctx.read('launch')
  const curve = openCurve(ctx, at, trade.timestamp)
  judgeGap(curve, trade)
  takeReserves(curve, trade)
  if (!isWitnessed(launch)) {
    curve.lastTradeAt = trade.timestamp
    return
  }
  notePeak(curve, at, trade.timestamp)
  const sight: Sight = { launch, curve, position: at.position }
  if (!trade.isAgent) applyDeal(ctx, sight, trade, at)
  detect(ctx, sight, at, trade.timestamp)
}

const applyPoolTrade = (ctx: MintContext, trade: PoolTrade, at: TapeAt): void => {
  const launch = ctx.read('launch')
  const curve = openCurve(ctx, at, trade.timestamp)
  if (!isWitnessed(launch)) {
    curve.lastTradeAt = trade.timestamp
    return
  }
  if (trade.isAgent) return
  const sight: Sight = { launch, curve, position: at.position }
  applyDeal(ctx, sight, trade, at)
  detect(ctx, sight, at, trade.timestamp)
}

type RareEvent = Exclude<TapeEvent, Trade | PoolTrade | { type: 'launch' }>

/** Of a mint whose launch was not seen only the curve's own steps are kept. */
const applyRare = (ctx: MintContext, event: RareEvent, at: TapeAt): void => {
  const launch = ctx.read('launch')
  const curve = openCurve(ctx, at, event.timestamp)
  const sight = isWitnessed(launch) ? { launch, curve, position: at.position } : undefined
  switch (event.type) {
    case 'complete':
      complete(curve, launch, event)
      break
    case 'migrate':
      if (sight !== undefined) settle(ctx, sight, at, event.timestamp, 'migrated')
      curve.migratedAt = event.timestamp
      curve.pool = event.pool
      break
    case 'postCompleteBuy':
      if (sight !== undefined) applyDeal(ctx, sight, event, at)
      break
    case 'poolLiquidity':
      if (sight !== undefined) moveLiquidity(ctx, sight, event)
      break
    case 'creatorChange':
      noteCreatorChange(ctx, event, at)
      break
    case 'mayhemReserves':
      takeMayhemReserves(curve, event)
      notePeak(curve, at, event.timestamp)
      if (sight !== undefined) detect(ctx, sight, at, event.timestamp)
      break
    case 'poolCreate':
    case 'poolBoost':
      break
    default:
      unreachable(event)
  }
}

/** Key = mint. Rows and outputs are functions of the tape alone; see schemas/mint-state.avsc for what is kept and forgotten. */
export const mintProcessor: Processor<MintRows, TapeEvent, MintOutput, TapeHeader> = {
  name: 'mint',
  version: 2,
  keyOf: (event) => event.mint,
  apply: (ctx, event, at) => {
    if (event.type === 'trade') applyTrade(ctx, event, at)
    else if (event.type === 'poolTrade') applyPoolTrade(ctx, event, at)
    else if (event.type === 'launch') openMint(ctx, event, at)
    else applyRare(ctx, event, at)
  },
  onTime: (ctx, name, at) => {
    if (name === FORGET_TIMER) forgetIfSilent(ctx, at)
    else if (name === STUB_TIMER) ctx.remove('stub')
    else {
      const launch = ctx.read('launch')
      if (!isWitnessed(launch)) return
      const sight: Sight = { launch, curve: ctx.edit('curve'), position: at.position }
      if (name === QUIET_TIMER) settleIfQuiet(ctx, sight, at)
      else if (name === CREATE_SLOT_TIMER) detect(ctx, sight, at, at.header.time)
    }
  },
  onFact: (ctx, { body }) => {
    assert(body.type === 'prior', `no mint is told of ${body.type}`)
    takePrior(ctx, body)
  },
}
