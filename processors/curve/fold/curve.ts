// The curve fold: one token of the launchpad with its curve and its holders, from launch to outcome.
import { unreachable } from '../../../schemas/errors.ts'
import type { AltTapeEvent, AltTrade, CurveState } from '../../../schemas/types.ts'
import type { AllRows, FramePlace } from '../../contract.ts'
import type { DetectorSet } from '../../mint/detectors/set.ts'
import type { TapeAt } from '../../tape.ts'
import type { CurveDetector } from '../detectors/detector.ts'
import { CURVE, type CurveChain, type CurveContext, type CurveProcessor, type CurveRowsView, DEPLOYER } from '../rows.ts'
import { detect } from './findings.ts'
import { FORGET_TIMER, forgetIfSilent, noteForgotten, STUB_TIMER } from './forget.ts'
import { isOverGap, judgeByTrade, noteGap } from './gap.ts'
import { moveTokens } from './holders.ts'
import { complete, graduate, openCurve, sweep } from './lifecycle.ts'
import { noteReopened, QUIET_TIMER, settleIfQuiet } from './outcome.ts'
import { storePrior } from './prior.ts'
import { notePeak, takeBuyback, takeTrade } from './reserves.ts'
import { noteTrade } from './trades.ts'

/** Raised when the fold would give other rows or outputs for the same tape. Versions of the detectors are added to it. */
const OWN_VERSION = 3

type OwnEvent = Exclude<AltTapeEvent, { type: 'launch' | 'tokenTransfer' | 'snipeExemption' }>

/** Opens the figures for an event of the curve: records the event's position and time, and a gap before it. */
const openFigures = (ctx: CurveContext, at: TapeAt): CurveRowsView['figures'] => {
  const figures = ctx.edit('figures')
  if (isOverGap(figures, at.header)) noteGap(figures, at.header)
  figures.lastNumber = at.position.number
  figures.lastTx = at.position.tx
  figures.lastOuter = at.position.outer
  figures.lastInner = at.position.inner
  figures.lastAt = at.header.time
  return figures
}

const applyTrade = (ctx: CurveContext, view: CurveRowsView, trade: AltTrade, at: TapeAt, chain: CurveChain): void => {
  const { launch, figures } = view
  judgeByTrade(launch, figures, trade)
  noteReopened(ctx, view, at)
  takeTrade(figures, trade)
  notePeak(view, at)
  const isOwn = trade.user === trade.bondingCurve || chain.isOwn(trade.user)
  if (!isOwn) noteTrade(ctx, view, trade, at, chain)
  else if (trade.isBuy) figures.buybacks += 1
}

const applyOwn = (ctx: CurveContext, view: CurveRowsView, event: OwnEvent, at: TapeAt, chain: CurveChain): void => {
  const { figures } = view
  switch (event.type) {
    case 'trade':
      applyTrade(ctx, view, event, at, chain)
      break
    case 'buyback':
      takeBuyback(figures, event)
      notePeak(view, at)
      break
    case 'complete':
      complete(ctx, view, event, at)
      break
    case 'sweep':
      sweep(view, event)
      break
    case 'migrate':
      graduate(ctx, view, at)
      break
    case 'refund':
      figures.refunds += 1
      break
    case 'graduationFailed':
      figures.graduationsFailed += 1
      break
    case 'rescue':
      figures.rescues += 1
      break
    case 'feesSwept':
      break
    default:
      unreachable(event)
  }
}

const apply = (detectors: readonly CurveDetector[], ctx: CurveContext, event: AltTapeEvent, at: TapeAt, chain: CurveChain): void => {
  if (event.type === 'launch') {
    openCurve(ctx, event, at)
    return
  }
  const launch = ctx.read('launch')
  if (launch === undefined) {
    noteForgotten(ctx, event, at)
    return
  }
  if (event.type === 'snipeExemption') {
    ctx.edit('launch').exemptions += 1
    return
  }
  if (event.type === 'tokenTransfer') {
    moveTokens(ctx, { launch, figures: ctx.edit('figures') }, event, at, chain)
    return
  }
  const view = { launch, figures: openFigures(ctx, at), position: at.position, signature: event.signature }
  applyOwn(ctx, view, event, at, chain)
  detect(detectors, ctx, view, at)
}

/** True for a curve launched before `first`. */
const isCurveOlder = (rows: AllRows, first: FramePlace): boolean => {
  const { launch, stub } = rows as unknown as CurveState
  return launch === null ? stub !== null && stub.launchNumber < first.number : launch.number < first.number
}

/**
 * Key = token. Rows and outputs are a function of tape, chain and detectors; schemas/curve-state.avsc documents what is kept. A token whose
 * launch was not seen has no rows.
 */
export const createCurveProcessor = ({ running, version }: DetectorSet<CurveDetector>, chain: CurveChain): CurveProcessor => ({
  name: CURVE,
  version: OWN_VERSION + version,
  make: () => chain.make?.() ?? null,
  sends: { launched: DEPLOYER, settled: DEPLOYER },
  isOlder: isCurveOlder,
  keyOf: (event) => event.mint,
  apply: (ctx, event, at) => apply(running, ctx, event, at, chain),
  onTime: (ctx, name, at) => {
    if (name === FORGET_TIMER) forgetIfSilent(ctx, at)
    else if (name === STUB_TIMER) ctx.remove('stub')
    else if (name === QUIET_TIMER) {
      const launch = ctx.read('launch')
      if (launch !== undefined) settleIfQuiet(ctx, { launch, figures: ctx.edit('figures'), position: at.position, signature: null }, at)
    }
  },
  onFact: storePrior,
})
