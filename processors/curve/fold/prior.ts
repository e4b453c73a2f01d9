// The curve and its deployer: the launch asks what it had done before; the answer shows on the card.
import { assert } from '../../../schemas/errors.ts'
import type { Fact } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import type { CurveContext, CurveSight } from '../rows.ts'

/** Sends the launch to its deployer, and asks for its record as of there. */
export const askPrior = (ctx: CurveContext, { deployer, at }: CurveSight['launch']): void => ctx.send(deployer, { type: 'launched', at })

/** Keeps the answer. A curve that was forgotten before it came needs none. */
export const takePrior = (ctx: CurveContext, { body }: Fact, at: TapeAt): void => {
  assert(body.type === 'prior', `a curve takes no fact ${body.type}`)
  if (ctx.read('launch') === undefined) return
  const { type: _type, ...record } = body
  ctx.edit('prior', undefined, () => record)
  ctx.edit('figures').lastMoveAt = at.header.time
}
