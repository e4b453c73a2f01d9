// The dev set's record: a launch requests the record of each member, reports its outcome to them, and keeps the answer with the most
// launches.
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { Conclusion, Fact, LaunchRow, MintState, PriorFact, PriorRow } from '../../../schemas/types.ts'
import { statsPart } from '../../creator/record.ts'
import type { TapeAt } from '../../tape.ts'
import { explain } from '../card/explain.ts'
import { emitShape } from '../cohort/emit-shape.ts'
import type { MintContext } from '../rows.ts'
import { devSetOf } from './holdings.ts'

/** Reports the launch to each member of the dev set, and requests its record as of the launch. */
export const requestPrior = (ctx: MintContext, launch: Readonly<LaunchRow>): void => {
  for (const wallet of devSetOf(launch)) ctx.send(wallet, { type: 'launched', at: launch.at })
}

type OutcomeBody = Extract<Conclusion['body'], { type: 'outcome' }>

/** Reports the outcome of the launch to each member of the dev set. `second` is when it settled, unix seconds. */
export const reportOutcome = (ctx: MintContext, launch: Readonly<LaunchRow>, outcome: OutcomeBody, second: number): void => {
  const { graduated, rugged, rugDtS, censored, devFirstSellDtS, devBuyQuoteUnits, peakQuoteUnits, quoteMint, selfGraduated } = outcome
  for (const wallet of devSetOf(launch))
    ctx.send(wallet, {
      type: 'settled',
      graduated,
      rugged,
      devFirstSellDtS,
      devBuyQuoteUnits,
      launchedAt: outcome.t0,
      settledAt: second,
      rugDtS,
      peakQuoteUnits,
      quoteMint,
      censored,
      selfGraduated,
    })
}

/** True where the answer replaces the kept one: it has more launches, or equally many and is of the caller of create. */
const replaces = (prior: PriorFact, wallet: Key, kept: Readonly<PriorRow>, { user }: Readonly<LaunchRow>): boolean =>
  prior.launches > kept.launches || (prior.launches === kept.launches && wallet === user)

/** Stores the answer of a member of the dev set, and emits the launch's shape with the last one. A forgotten mint ignores it. */
export const storePrior = (ctx: MintContext, { fromKey }: Fact, prior: PriorFact, at: TapeAt): void => {
  const launch = ctx.read('launch')
  if (launch === undefined) return
  const { launches, resolved, graduated, rugged, medianDevSellS, observedSince } = prior
  const answer = { launches, resolved, graduated, rugged, medianDevSellS, observedSince, of: fromKey }
  const kept = ctx.read('prior')
  const row = ctx.edit('prior', undefined, () => ({ ...answer, waits: devSetOf(launch).length }))
  row.waits -= 1
  if (kept !== undefined && replaces(prior, fromKey, kept, launch)) Object.assign(row, answer)
  if (row.waits === 0) emitShape(ctx, launch, row, at)
}

const WORDS = {
  noneResolved: 'no launch of the wallet had resolved before this one',
  noSell: 'in no resolved launch of the wallet before this one did the dev set sell',
}
const fullPrior = (prior: PriorRow) => statsPart(prior, prior.observedSince, WORDS)

const shortPrior = (prior: PriorRow) => {
  const { n_launches, grad_rate, rug_rate } = fullPrior(prior)
  return explain({ n_launches, grad_rate, rug_rate }, { grad_rate: WORDS.noneResolved, rug_rate: WORDS.noneResolved })
}

/** Rows of a mint that determine its dev set. */
type DevSetRows = Pick<MintState, 'launch' | 'prior' | 'stub'>

/** The record of the dev set's member with the most earlier launches; null until all have answered. */
export const knownPrior = ({ prior }: Pick<DevSetRows, 'prior'>): PriorRow | null => (prior === null || prior.waits > 0 ? null : prior)

/** The launcher: the dev set's member whose record is shown, else the caller of create. Null where the rows have no launch. */
export const launcherOf = (state: DevSetRows): Key | null => {
  const { launch, stub } = state
  return launch === null ? (stub?.launcher ?? null) : (knownPrior(state)?.of ?? launch.user)
}

/** Why the record is unknown. */
export const unknownPrior = ({ launch, stub }: DevSetRows): string => {
  if (stub !== null) return 'the rows of the mint were removed'
  if (launch === null) return 'its launch is not stored'
  return launch.placed
    ? 'pending: the record is known 8 to 11 slots after the launch, unless later slots were read before it'
    : 'the slot of the launch is not known'
}

const ofPart = (prior: PriorRow | null): string | null => (prior === null || prior.of === null ? null : keyText(prior.of))

/** The dev set's record as of the launch, with the member's wallet, for cards. */
export const priorAtLaunchPart = (state: DevSetRows) => {
  const prior = knownPrior(state)
  const reason = unknownPrior(state)
  return explain(
    { creator_prior_at_launch: prior && fullPrior(prior), creator_prior_of: ofPart(prior) },
    { creator_prior_at_launch: reason, creator_prior_of: reason },
  )
}

/** A short form, for thin cards and findings. */
export const priorPart = (state: DevSetRows) => {
  const prior = knownPrior(state)
  const reason = unknownPrior(state)
  return explain(
    { creator_prior: prior && shortPrior(prior), creator_prior_of: ofPart(prior) },
    { creator_prior: reason, creator_prior_of: reason },
  )
}

/** `priorPart` of a mint without rows. */
export const noPrior = (reason: string) => ({
  creator_prior: null,
  creator_prior_reason: reason,
  creator_prior_of: null,
  creator_prior_of_reason: reason,
})
/** `priorAtLaunchPart` of a mint without rows. */
export const noPriorAtLaunch = (reason: string) => ({
  creator_prior_at_launch: null,
  creator_prior_at_launch_reason: reason,
  creator_prior_of: null,
  creator_prior_of_reason: reason,
})
