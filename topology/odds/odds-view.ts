// The API's view of the odds, from the log.
import type { OddsHead } from '../../processors/odds/heads.ts'
import { oddsIdOf } from '../../processors/odds/odds-of.ts'
import type { Key } from '../../schemas/keys.ts'
import type { HeadState, LoggedOdds, OddsView } from '../ports/odds.ts'
import type { OddsTopology } from '../topology.ts'
import type { GradedOdds } from './graded-odds.ts'

const MILLION = 1_000_000
const UNREAD = 'the logged odds are still being read'

export class LogOddsView implements OddsView {
  readonly #graded: GradedOdds
  readonly #chain: OddsTopology['chain']['name']

  /** Shows nothing until the odds that were there at the start are read. */
  constructor(graded: GradedOdds, { chain }: Pick<OddsTopology, 'chain'>) {
    this.#graded = graded
    this.#chain = chain.name
  }
  of(mint: Key): Readonly<Partial<Record<OddsHead, LoggedOdds>>> {
    const odds: Partial<Record<OddsHead, LoggedOdds>> = {}
    for (const [head, { ppm, model, at, ageS, number, hash8 }] of this.#graded.book.newest(mint)) {
      const id = oddsIdOf({ chain: this.#chain, number, hash8 }, mint, head, model)
      odds[head] = { id, head, probability: ppm / MILLION, modelId: model, at, ageS }
    }
    return odds
  }
  headState(head: OddsHead): HeadState {
    const headState = this.#graded.headStates.headState(head)
    if (this.#graded.isWhole) return { head, isKnown: true, ...headState }
    return { ...headState, head, isKnown: false, isShown: false, reason: UNREAD }
  }
  withheldS(head: OddsHead, from: number, to: number): number {
    return this.#graded.headStates.withheldS(head, from, to)
  }
}
