// The mint and its creator: the launch asks what the creator had done before, the outcome is told, the answer becomes part of the card.
import type { Conclusion, LaunchRow, MintState, PriorFact, PriorRow } from '../../schemas/types.ts'
import { statsPart } from '../creator/record.ts'
import { CREATOR } from '../creator/rows.ts'
import { explain } from './explain.ts'
import type { MintContext } from './rows.ts'

/** Tells the creator of the launch, and asks for its record as of there. */
export const askPrior = (ctx: MintContext, { creator, at }: Readonly<LaunchRow>): void =>
  ctx.send(CREATOR, creator, { type: 'launched', at })

type OutcomeBody = Extract<Conclusion['body'], { type: 'outcome' }>

/** Tells the creator what became of the launch. `second` is when it settled, unix seconds. */
export const tellOutcome = (ctx: MintContext, outcome: OutcomeBody, second: number): void => {
  const { graduated, rugged, rugDtS, censored, devFirstSellDtS, devBuyQuoteUnits, peakQuoteUnits, quoteMint, selfGraduated } = outcome
  ctx.send(CREATOR, outcome.creator, {
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

/** Keeps the creator's answer. A mint that was forgotten before it came needs none. */
export const takePrior = (ctx: MintContext, prior: PriorFact): void => {
  if (ctx.read('launch') === undefined) return
  const { launches, resolved, graduated, rugged, medianDevSellS, observedSince } = prior
  ctx.edit('prior', undefined, () => ({ launches, resolved, graduated, rugged, medianDevSellS, observedSince }))
}

const WORDS = {
  noneResolved: 'no launch of the creator had resolved before this one',
  noSell: 'in no resolved launch before this one did the creator sell',
}
const fullPrior = (prior: PriorRow) => statsPart(prior, prior.observedSince, WORDS)

const shortPrior = (prior: PriorRow) => {
  const { n_launches, grad_rate, rug_rate } = fullPrior(prior)
  return explain({ n_launches, grad_rate, rug_rate }, { grad_rate: WORDS.noneResolved, rug_rate: WORDS.noneResolved })
}

/** Rows of a mint that tell of its creator. */
type Asked = Pick<MintState, 'launch' | 'prior' | 'stub'>

const reasonOf = ({ launch, stub }: Asked): string => {
  if (stub !== null) return 'the rows of the mint were forgotten'
  if (launch === null) return 'no launch of it is held'
  return launch.placed
    ? 'pending: the creator is asked at launch and answers 8 to 11 slots later, unless slots after the launch had been read before it'
    : 'the slot of the launch is not known'
}

/** The creator's record as of the launch, for cards. */
export const priorAtLaunchPart = (state: Asked) =>
  explain({ creator_prior_at_launch: state.prior === null ? null : fullPrior(state.prior) }, { creator_prior_at_launch: reasonOf(state) })

/** The same in short, for thin cards and findings. */
export const priorPart = (state: Asked) =>
  explain({ creator_prior: state.prior === null ? null : shortPrior(state.prior) }, { creator_prior: reasonOf(state) })
