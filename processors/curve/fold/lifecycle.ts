// Launch, completion and graduation of a curve, and the rare alternatives to them.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { outputId } from '../../../schemas/position.ts'
import type { AltComplete, AltLaunch, AltSweep } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import { CURVE, type CurveContext, type CurveRowsView, newFigures } from '../rows.ts'
import { KEEP_S, QUIET_S } from '../thresholds.ts'
import { FORGET_TIMER } from './forget.ts'
import { isCensoredByGap, judgeGap } from './gap.ts'
import { QUIET_TIMER, settle } from './outcome.ts'
import { requestPrior } from './prior.ts'
import { isAllOf, notePeak, supplyOf, takeComplete } from './reserves.ts'

/** Opens a curve. The launch of a token that is known or was forgotten is ignored. */
export const openCurve = (ctx: CurveContext, event: AltLaunch, at: TapeAt): void => {
  if (ctx.read('launch') !== undefined || ctx.read('stub') !== undefined) return
  const { number, tx, outer, inner } = at.position
  const { time, hash8, vouched } = at.header
  const supplyUnits = supplyOf(event)
  const { signature, bondingCurve: curve, creator: deployer, launcher, route, exempt } = event
  const { quoteMint, quoteDecimals, quoteDecimalsReason, thresholdUnits, virtualQuoteUnits } = event
  const launch = ctx.edit('launch', undefined, () => ({
    ...{ number, tx, outer, inner, hash8, signature, at: time },
    ...{ curve, deployer, launcher, route, quoteMint, quoteDecimals, quoteDecimalsReason },
    ...{ thresholdUnits, virtualQuoteUnits, supplyUnits, exemptions: exempt.length, vouched },
  }))
  ctx.edit('figures', undefined, () => newFigures(at.position, time, supplyUnits))
  ctx.schedule(FORGET_TIMER, time + KEEP_S)
  ctx.schedule(QUIET_TIMER, time + QUIET_S)
  requestPrior(ctx, launch)
}

type Step = 'curve_complete' | 'graduated'
/** Last part of the ids of the steps' conclusions; outcomes use 0. */
const STEP_NUMBERS: Readonly<Record<Step, number>> = { curve_complete: 1, graduated: 2 }

const emitStep = (ctx: CurveContext, { launch, figures }: CurveRowsView, step: Step, at: TapeAt): void => {
  const { chain, number, tx, outer, inner } = at.position
  const { hash8, time } = at.header
  const place = { number, tx, outer, inner }
  ctx.edit('steps', step, () => ({ step, ...place, hash8, at: time }))
  const mint = ctx.key as Key
  const { deployer: creator, at: t0, number: slot0, quoteMint } = launch
  const graduated = isCensoredByGap(figures, at.header) ? null : figures.graduatedNumber !== -1
  const figuresThen = { graduated, peakQuoteUnits: figures.peakQuoteUnits, quoteMint, pool: null }
  const body = { type: 'transition' as const, mint, creator, t0, slot0, step, ...figuresThen }
  const id = outputId(at.position, hash8, CURVE, keyText(mint), STEP_NUMBERS[step])
  ctx.emit({ topic: 'outcomes', conclusion: { id, chain, ...place, hash8, at: time, body } })
}

/** Applies the sale of the curve's last token. After a gap, the amounts that the curve hands over must equal the stored reserves. */
export const complete = (ctx: CurveContext, view: CurveRowsView, event: AltComplete, at: TapeAt): void => {
  const { figures } = view
  if (figures.completeNumber !== -1) return
  judgeGap(figures, () => isAllOf(figures, event))
  takeComplete(figures, event)
  notePeak(view, at)
  figures.completeNumber = at.position.number
  figures.completeAt = at.header.time
  if (figures.graduatedNumber === -1) emitStep(ctx, view, 'curve_complete', at)
}

/** The factory took over the full curve without a completion. */
export const sweep = ({ figures, position }: CurveRowsView, { isForced }: AltSweep): void => {
  figures.sweptNumber = position.number
  figures.isForceSwept ||= isForced
}

/** Applies the opening of the pool: the outcome of the launch is settled. */
export const graduate = (ctx: CurveContext, view: CurveRowsView, at: TapeAt): void => {
  const { figures } = view
  if (figures.graduatedNumber !== -1) return
  figures.graduatedNumber = at.position.number
  figures.graduatedAt = at.header.time
  settle(ctx, view, at, 'migrated')
  emitStep(ctx, view, 'graduated', at)
}
