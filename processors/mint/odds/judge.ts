// Schedules the judgements of a launch: a timer of the fold at fixed ages, never a trade. features.ts computes the inputs.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { outputId } from '../../../schemas/position.ts'
import type { CurveRow, LaunchRow } from '../../../schemas/types.ts'
import { JUDGED_AGES_S } from '../../odds/heads.ts'
import type { TapeAt } from '../../tape.ts'
import { areHoldersKnown } from '../card/labels.ts'
import { isCensoredByGap } from '../fold/gap.ts'
import { isOpen, isWitnessed, laterBy, type MintContext } from '../rows.ts'
import { judgementOf } from './features.ts'

/** Name of the timer that judges a launch. */
export const JUDGE_TIMER = 'judge'
/** The last part of a judgement's id. At the same tick 0 is an outcome, 1 and 2 are steps of the curve, 3 is a shape. */
const JUDGEMENT_N = 4

/** Schedules the first age of a witnessed launch; curves of another quote are never judged. */
export const awaitJudgement = (ctx: MintContext, launch: Readonly<LaunchRow>): void => {
  if (launch.quoteMint === null) ctx.schedule(JUDGE_TIMER, laterBy(launch.at, JUDGED_AGES_S[0]))
}

/** True where the launch is not judged any more: each of these conditions, once true, stays true. */
const isOver = (ctx: MintContext, curve: Readonly<CurveRow>, { header }: TapeAt): boolean =>
  !isOpen(curve) ||
  curve.quoteMint !== null ||
  ctx.read('outcome') !== undefined ||
  isCensoredByGap(curve, header) ||
  !areHoldersKnown(curve)

/**
 * Judges a launch at the newest age that is due at the tick, and schedules the next one. Where a tick jumps over several ages only the
 * newest is judged: the inputs are those of the tick, whose time is the `at` of the conclusion. The timer ends once the curve is complete,
 * the launch has settled, the quote is not SOL, trades or holders are unknown after a gap, or the last age is over. While the reserve is
 * unknown nothing is judged. No row changes.
 */
export const judge = (ctx: MintContext, at: TapeAt): void => {
  const launch = ctx.read('launch')
  const curve = ctx.read('curve')
  if (!isWitnessed(launch) || curve === undefined || isOver(ctx, curve, at)) return
  const age = at.header.time - launch.at
  const ageS = JUDGED_AGES_S.findLast((due) => due <= age)
  const next = JUDGED_AGES_S.find((due) => due > age)
  if (next !== undefined) ctx.schedule(JUDGE_TIMER, laterBy(launch.at, next))
  if (ageS === undefined || curve.realQuoteUnits < 0) return
  emitJudgement(ctx, launch, curve, ageS, at)
}

/** A record of some 150 bytes, at most nine times per launch; walks the holders. */
const emitJudgement = (ctx: MintContext, launch: Readonly<LaunchRow>, curve: Readonly<CurveRow>, ageS: number, at: TapeAt): void => {
  const mint = ctx.key as Key
  const rows = {
    mint,
    launch,
    curve,
    holders: { [Symbol.iterator]: () => ctx.rows('holders')[Symbol.iterator]() },
    flows: ctx.rows('flows'),
    pools: Array.from(ctx.rows('pools')),
    folded: ctx.read('folded') ?? null,
    prior: ctx.read('prior') ?? null,
    warm: ctx.read('warm') ?? null,
  }
  const { chain, number, tx, outer, inner } = at.position
  const { hash8, time } = at.header
  const id = outputId(at.position, hash8, 'mint', keyText(mint), JUDGEMENT_N)
  const body = judgementOf(rows, ageS, time)
  ctx.emit({ topic: 'judgements', conclusion: { id, chain, number, tx, outer, inner, hash8, at: time, body } })
}
