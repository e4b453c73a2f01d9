// Forgets silent mints: launches are an unbounded key space. A silent mint is replaced by a stub, which is later removed too.
import type { Key } from '../../../schemas/keys.ts'
import type { TapeAt } from '../../tape.ts'
import { recordOf } from '../card/history.ts'
import { isWitnessed, type MintContext } from '../rows.ts'
import { KEEP_S, SILENT_S, STUB_S } from '../thresholds.ts'
import { settle } from './outcome.ts'
import { launcherOf } from './prior.ts'

export const FORGET_TIMER = 'forget'
export const STUB_TIMER = 'stub'

/** Forgets a mint that is silent and old enough, or schedules the next check. A mint whose launch was not seen leaves no stub. */
export const forgetIfSilent = (ctx: MintContext, at: TapeAt): void => {
  const curve = ctx.read('curve')
  if (curve === undefined) return
  const launch = ctx.read('launch')
  const due = Math.max(curve.lastAt + SILENT_S, launch === undefined ? 0 : launch.at + KEEP_S)
  if (at.header.time < due) {
    ctx.schedule(FORGET_TIMER, due)
    return
  }
  if (isWitnessed(launch)) settle(ctx, { launch, curve: ctx.edit('curve'), position: at.position }, at, at.header.time, 'quiet')
  const outcome = ctx.read('outcome')
  const stub = ctx.read('stub')
  if (launch !== undefined && stub === undefined) {
    const record = outcome === undefined ? null : JSON.stringify(recordOf(ctx.key as Key, launch, curve, outcome))
    const flags = Array.from(ctx.rows('flags'), ({ flag }) => flag)
      .sort()
      .join(',')
    const launcher = launcherOf({ launch, prior: ctx.read('prior') ?? null, stub: null })
    ctx.edit('stub', undefined, () => ({
      reason: `silent for ${SILENT_S / 3_600} h`,
      launchAt: launch.at,
      lastNumber: curve.lastNumber,
      forgottenAt: at.header.time,
      flags,
      outcome: record,
      name: launch.name,
      symbol: launch.symbol,
      creator: launch.creator,
      launcher,
    }))
  }
  ctx.forget(['stub'])
  const kept = ctx.read('stub')
  if (kept !== undefined) ctx.schedule(STUB_TIMER, kept.forgottenAt + STUB_S)
}
