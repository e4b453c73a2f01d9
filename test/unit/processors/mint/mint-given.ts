// given(...) bound to the mint fold, and its card.
import type { FullEvidence, ThinEvidence } from '../../../../processors/mint/card/card.ts'
import { JUDGE_TIMER } from '../../../../processors/mint/odds/judge.ts'
import type { MintOutput, MintProcessor, MintRows } from '../../../../processors/mint/rows.ts'
import type { TapeHeader } from '../../../../processors/tape.ts'
import { toBase58 } from '../../../../schemas/keys.ts'
import type { MintState, TapeEvent } from '../../../../schemas/types.ts'
import { type GivenFrame, givenOn, type Then } from '../../../given.ts'
import type { NaiveEngine } from '../../../naive-context.ts'
import { mintEvidence, mintProcessor } from '../../../shipped.ts'
import { MINT, T0 } from './market.ts'

export type MintEngine = NaiveEngine<MintRows, TapeEvent, MintOutput, TapeHeader>
export type MintThen = Then<MintRows, TapeEvent, MintOutput, TapeHeader>
type Frame = GivenFrame<TapeEvent, TapeHeader>

/** Without judgements, which come at fixed ages (tested in judgements.test.ts): only their timers are set. */
export const unjudged = (processor: MintProcessor): MintProcessor => ({
  ...processor,
  onTime: (ctx, name, at) => {
    if (name !== JUDGE_TIMER) processor.onTime(ctx, name, at)
  },
})

export const given = (...frames: readonly Frame[]) => givenOn(unjudged(mintProcessor), ...frames)
/** Folds all frames, without a comparison. */
export const fold = (...frames: readonly Frame[]): MintThen => given().when(...frames)

export const stateOf = (engine: MintEngine): MintState => ({
  launch: engine.rows(MINT, 'launch')[0] ?? null,
  curve: engine.rows(MINT, 'curve')[0] ?? null,
  holders: engine.rows(MINT, 'holders'),
  flows: engine.rows(MINT, 'flows'),
  flags: engine.rows(MINT, 'flags'),
  proofs: engine.rows(MINT, 'proofs'),
  changes: engine.rows(MINT, 'changes'),
  outcome: engine.rows(MINT, 'outcome')[0] ?? null,
  stub: engine.rows(MINT, 'stub')[0] ?? null,
  pools: engine.rows(MINT, 'pools'),
  steps: engine.rows(MINT, 'steps'),
  warm: engine.rows(MINT, 'warm')[0] ?? null,
  waiting: engine.rows(MINT, 'waiting'),
  folded: engine.rows(MINT, 'folded')[0] ?? null,
  timers: [],
  prior: engine.rows(MINT, 'prior')[0] ?? null,
})

/** The card `after` seconds after the launch. */
export const cardAt = ({ engine }: MintThen, after: number, gap: { from: number; to: number } | null = null) =>
  mintEvidence(MINT, stateOf(engine), { asOf: T0 + after, gap })
export const fullAt = (then: MintThen, after: number, callsUnseenAt: number | null = null): FullEvidence => {
  const card = mintEvidence(MINT, stateOf(then.engine), { asOf: T0 + after, gap: null, callsUnseenAt })
  if (card.coverage !== 'full') throw new Error(`expected a full card: ${card.coverage_reason}`)
  return card
}
export const thinAt = (then: MintThen, after: number, gap: { from: number; to: number } | null = null): ThinEvidence => {
  const card = cardAt(then, after, gap)
  if (card.coverage !== 'thin') throw new Error('expected a thin card')
  return card
}

/** The outputs without roles. */
export const butRoles = ({ outputs }: MintThen): readonly MintOutput[] => outputs.filter(({ conclusion: { body } }) => body.type !== 'role')
/** Wallets and their roles as text, in output order. */
export const rolesIn = ({ outputs }: MintThen): readonly string[] =>
  outputs.flatMap(({ conclusion: { body } }) => (body.type === 'role' ? [`${body.role} ${toBase58(body.wallet)}`] : []))

/** The fields of a finding's output that tests compare. */
export const finding = (flag: string, evidence?: object) => ({
  topic: 'flags',
  conclusion: { body: evidence === undefined ? { flag } : { flag, evidence: JSON.stringify(evidence) } },
})
/** The same for a shadow detector. */
export const shadowFinding = (flag: string) => ({ topic: 'outcomes', conclusion: { body: { type: 'shadowFinding', flag } } })
export const outcome = (body: object) => ({ topic: 'outcomes', conclusion: { body: { type: 'outcome', ...body } } })
export const transition = (step: string, body: object = {}) => ({
  topic: 'outcomes',
  conclusion: { body: { type: 'transition', step, ...body } },
})

/** Paths of nulls without their `<field>_reason`. */
export const bareNulls = (value: unknown, path = ''): string[] => {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([field, inner]) =>
    inner === null && typeof (value as Record<string, unknown>)[`${field}_reason`] !== 'string'
      ? [`${path}.${field}`]
      : bareNulls(inner, `${path}.${field}`),
  )
}

/** Slots that were not delivered. */
export const GAP = { from: 1_010, to: 1_019 }
