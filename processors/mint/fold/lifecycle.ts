// Launch, completion, migration and changes of the creator.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { outputId } from '../../../schemas/position.ts'
import type { Complete, CreatorChange, CurveRow, Launch, LaunchRow, Migrate } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import { lifecycleOf } from '../card/labels.ts'
import { awaitJudgement } from '../odds/judge.ts'
import { isDev, isWitnessed, laterBy, type MintContext, newCurve } from '../rows.ts'
import {
  CHANGES_MAX,
  GRADUATION_LAMPORTS,
  KEEP_S,
  QUIET_S,
  REAL_TOKEN_UNITS,
  SUPPLY_UNITS,
  VIRTUAL_QUOTE_LAMPORTS,
  VIRTUAL_TOKEN_UNITS,
} from '../thresholds.ts'
import { FORGET_TIMER } from './forget.ts'
import { requestCreatorFunding } from './funding.ts'
import { isCensoredByGap } from './gap.ts'
import { QUIET_TIMER } from './outcome.ts'
import { requestPrior } from './prior.ts'
import { emitDevSet } from './roles.ts'

/** Opens a mint. The launch of a mint that is known or was forgotten is ignored. */
export const openMint = (ctx: MintContext, launch: Launch, at: TapeAt): void => {
  if (ctx.read('curve') !== undefined || ctx.read('stub') !== undefined) return
  const second = launch.timestamp ?? at.header.time
  const { number, tx, outer, inner } = at.position
  const isPlain = launch.quoteMint === null && !launch.mayhem
  const realTokenUnits = launch.realTokenUnits ?? REAL_TOKEN_UNITS
  const row = ctx.edit('launch', undefined, () => ({
    number,
    tx,
    outer,
    inner,
    hash8: at.header.hash8,
    signature: launch.signature,
    at: second,
    name: launch.name,
    symbol: launch.symbol,
    uri: launch.uri,
    user: launch.user,
    creator: launch.creator,
    creatorIsWallet: launch.creatorIsWallet,
    bondingCurve: launch.bondingCurve,
    tokenProgram: launch.tokenProgram,
    mayhem: launch.mayhem,
    cashback: launch.cashback,
    quoteMint: launch.quoteMint,
    supplyUnits: launch.supplyUnits ?? SUPPLY_UNITS,
    realTokenUnits,
    vouched: at.header.vouched,
    placed: at.header.placed,
  }))
  ctx.edit('curve', undefined, () => ({
    ...newCurve(),
    lastNumber: number,
    lastTx: tx,
    lastOuter: outer,
    lastInner: inner,
    lastAt: second,
    quoteMint: launch.quoteMint,
    mayhem: launch.mayhem,
    virtualQuoteUnits: launch.virtualQuoteUnits ?? (isPlain ? VIRTUAL_QUOTE_LAMPORTS : -1),
    virtualTokenUnits: launch.virtualTokenUnits ?? (isPlain ? REAL_TOKEN_UNITS + VIRTUAL_TOKEN_UNITS : -1),
    realQuoteUnits: 0,
    realTokenUnits,
  }))
  ctx.schedule(FORGET_TIMER, laterBy(second, KEEP_S))
  if (!at.header.placed) return
  ctx.schedule(QUIET_TIMER, laterBy(second, QUIET_S))
  emitDevSet(ctx, row, at)
  requestPrior(ctx, row)
  requestCreatorFunding(ctx, row)
  awaitJudgement(ctx, row)
}

type Launched = Readonly<LaunchRow> | undefined

/** Emits a step of a curve whose launch was witnessed. */
const emitStep = (ctx: MintContext, launch: Readonly<LaunchRow>, curve: Readonly<CurveRow>, at: TapeAt, second: number): void => {
  const { chain, number, tx, outer, inner } = at.position
  const { hash8 } = at.header
  const { peakQuoteUnits, quoteMint } = curve
  const mint = ctx.key as Key
  const isKnown = quoteMint === null && !isCensoredByGap(curve, at.header)
  const body = {
    type: 'transition' as const,
    mint,
    creator: launch.creator,
    t0: launch.at,
    slot0: launch.number,
    step: lifecycleOf(curve),
    graduated: isKnown ? peakQuoteUnits >= GRADUATION_LAMPORTS : null,
    peakQuoteUnits,
    quoteMint,
    pool: curve.pool,
  }
  const id = outputId(at.position, hash8, 'mint', keyText(mint), curve.migratedAt === 0 ? 1 : 2)
  ctx.emit({ topic: 'outcomes', conclusion: { id, chain, number, tx, outer, inner, hash8, at: second, body } })
}

/** Records a step of the lifecycle, and emits it if the launch was witnessed. */
const noteStep = (ctx: MintContext, curve: Readonly<CurveRow>, launch: Launched, at: TapeAt, second: number): void => {
  const { number, tx, outer, inner } = at.position
  const step = lifecycleOf(curve)
  ctx.edit('steps', step, () => ({ step, number, tx, outer, inner, hash8: at.header.hash8, at: second }))
  if (isWitnessed(launch)) emitStep(ctx, launch, curve, at, second)
}

/** Applies the curve's move to a pool. `launch` is undefined where it was not seen. */
export const migrate = (ctx: MintContext, curve: CurveRow, launch: Launched, event: Migrate, at: TapeAt): void => {
  if (curve.migratedAt !== 0) return
  curve.migratedAt = event.timestamp
  curve.pool = event.pool
  noteStep(ctx, curve, launch, at, event.timestamp)
}

/** Applies the sale of the curve's last coin. `launch` is undefined where it was not seen. */
export const complete = (ctx: MintContext, curve: CurveRow, launch: Launched, event: Complete, at: TapeAt): void => {
  if (curve.completeAt !== 0) return
  curve.completeAt = event.timestamp
  curve.selfGraduated = launch !== undefined && curve.lastNumber === launch.number && isDev(launch, event.user)
  if (curve.migratedAt === 0) noteStep(ctx, curve, launch, at, event.timestamp)
}

/** Records a change of the creator; the dev set stays the same. */
export const noteCreatorChange = (ctx: MintContext, event: CreatorChange, at: TapeAt): void => {
  let n = 0
  for (const change of ctx.rows('changes')) n = Math.max(n, change.n + 1)
  const { number, tx, outer, inner } = at.position
  ctx.edit('changes', n, () => ({ n, creator: event.creator, kind: event.kind, number, tx, outer, inner, at: event.timestamp }))
  ctx.remove('changes', n - CHANGES_MAX)
}
