// Emits the shape of a launch once: the facts that comparisons with other launches use (shape.ts). The history can then compare launches
// whose rows no longer exist.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { outputId } from '../../../schemas/position.ts'
import type { LaunchRow, PriorRow } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import type { MintContext } from '../rows.ts'

/** `n`, the last part of its id, differs from those of a mint's other outputs: 0 outcome, 1 completion, 2 migration, 4 judgement. */
const SHAPE_N = 3

/**
 * Emitted when the last member of the dev set has answered the request for its record, some slots after the launch: by then the create slot
 * is over and all of its buys are known.
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
