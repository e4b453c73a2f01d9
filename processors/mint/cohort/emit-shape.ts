// Emits the shape of a launch once, so that the history can compare launches whose rows no longer exist.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { outputId } from '../../../schemas/position.ts'
import type { LaunchRow, PriorRow } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import type { MintContext } from '../rows.ts'

/** The last part of its id. At the same tick 0 is an outcome; 1 and 2 are steps of the curve. */
const SHAPE_N = 3

/**
 * Emitted with the last answer of the dev set, some slots after the launch: by then the create slot is over and all of its buys are known.
 * Nothing is emitted for a launch whose dev set's record as of the launch cannot be determined.
 */
export const emitShape = (ctx: MintContext, launch: Readonly<LaunchRow>, prior: Readonly<PriorRow>, at: TapeAt): void => {
  const curve = ctx.read('curve')
  if (curve === undefined || prior.of === null) return
  const { chain, number, tx, outer, inner } = at.position
  const { hash8, time } = at.header
  const mint = ctx.key as Key
  const body = {
    type: 'shape' as const,
    mint,
    t0: launch.at,
    slot0: launch.number,
    mayhem: launch.mayhem,
    quoteMint: curve.quoteMint,
    devBuyQuoteUnits: curve.devBuyQuoteUnits,
    bundleWallets: curve.bundleWallets,
    priorOf: prior.of,
    priorLaunches: prior.launches,
    priorResolved: prior.resolved,
    priorGraduated: prior.graduated,
    priorRugged: prior.rugged,
    priorObservedSince: prior.observedSince,
  }
  const id = outputId(at.position, hash8, 'mint', keyText(mint), SHAPE_N)
  ctx.emit({ topic: 'outcomes', conclusion: { id, chain, number, tx, outer, inner, hash8, at: time, body } })
}
