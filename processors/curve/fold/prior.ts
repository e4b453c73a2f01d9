// The deployer's record: a launch requests it from the deployer; the answer is shown on the card.
import { assert } from '../../../schemas/errors.ts'
import type { Fact } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import type { CurveContext, CurveRowsView } from '../rows.ts'

/** Sends the launch to its deployer, and requests its record as of the launch. */
export const requestPrior = (ctx: CurveContext, { deployer, at }: CurveRowsView['launch']): void =>
  ctx.send(deployer, { type: 'launched', at })

/** Stores the answer. A curve that was forgotten meanwhile ignores it. */
export const storePrior = (ctx: CurveContext, { body }: Fact, at: TapeAt): void => {
  assert(body.type === 'prior', `a curve receives no ${body.type} messages`)
  if (ctx.read('launch') === undefined) return
  const { type: _type, ...record } = body
  ctx.edit('prior', undefined, () => record)
  ctx.edit('figures').lastMoveAt = at.header.time
}
