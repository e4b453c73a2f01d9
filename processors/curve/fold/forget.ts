// Forgets silent curves: launches are an unbounded key space. A silent curve is replaced by a stub, which is later removed too.
import type { AltTapeEvent } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import type { CurveContext } from '../rows.ts'
import { KEEP_S, SILENT_S, STUB_S } from '../thresholds.ts'
import { settle } from './outcome.ts'

export const FORGET_TIMER = 'forget'
export const STUB_TIMER = 'stub'

/** Forgets a curve that is silent and old enough, or schedules the next check. */
export const forgetIfSilent = (ctx: CurveContext, at: TapeAt): void => {
  const launch = ctx.read('launch')
  if (launch === undefined) return
  const figures = ctx.edit('figures')
  const due = Math.max(figures.lastAt + SILENT_S, launch.at + KEEP_S)
  if (at.header.time < due) {
    ctx.schedule(FORGET_TIMER, due)
    return
  }
  settle(ctx, { launch, figures, position: at.position, signature: null }, at, 'quiet')
  const flags = Array.from(ctx.rows('flags'), ({ flag }) => flag)
    .sort()
    .join(',')
  const { curve, deployer, quoteMint } = launch
  const { completeNumber, graduatedNumber, graduatedAt, refunds, lastNumber } = figures
  ctx.edit('stub', undefined, () => ({
    reason: `silent for ${SILENT_S / 3_600} h`,
    ...{ curve, deployer, quoteMint, launchNumber: launch.number, launchAt: launch.at },
    ...{ completeNumber, graduatedNumber, graduatedAt, refunds, lastNumber, forgottenAt: at.header.time, flags },
  }))
  ctx.forget(['stub'])
  ctx.schedule(STUB_TIMER, at.header.time + STUB_S)
}

/** Of a forgotten curve only the lifecycle steps are recorded. */
export const noteForgotten = (ctx: CurveContext, event: AltTapeEvent, at: TapeAt): void => {
  const stub = ctx.read('stub')
  if (stub === undefined) return
  if (event.type === 'complete' && stub.completeNumber === -1) ctx.edit('stub').completeNumber = at.position.number
  if (event.type !== 'migrate' || stub.graduatedNumber !== -1) return
  const row = ctx.edit('stub')
  row.graduatedNumber = at.position.number
  row.graduatedAt = at.header.time
}
