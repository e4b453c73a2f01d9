// Launches of a seeded market with known true probabilities, with the odds of models, in log order.

import { solana } from '../../../../processors/chains/solana/chain.ts'
import { ODDS_HEADS, type OddsHead } from '../../../../processors/odds/heads.ts'
import { HeadStates } from '../../../../processors/odds/standing/head-states.ts'
import { OddsBook } from '../../../../processors/odds/standing/odds-book.ts'
import { Seeded } from '../../../../processors/seeded.ts'
import { type Key, keyOf } from '../../../../schemas/keys.ts'
import { tickOf } from '../../../../schemas/position.ts'
import type { Conclusion, ModelRecord, Odds, Outcome } from '../../../../schemas/types.ts'

export const HOUR_S = 3_600
export const DAY_S = 86_400
const AGES_S: Readonly<Record<OddsHead, readonly number[]>> = { rug_within_300s: [5, 10, 20, 30], true_graduation: [30, 900] }
const RESOLVES_S = 3_600

export const mintOf = (n: number): Key => {
  const bytes = Buffer.alloc(32, 1)
  bytes.writeUInt32BE(n)
  return keyOf(bytes)
}
const placed = (at: number, body: Conclusion['body'], id: string): Conclusion => ({
  id,
  ...tickOf('solana', at),
  hash8: 'aaaaaaaa',
  at,
  body,
})

export const givenOdds = (n: number, at: number, odds: Partial<Odds> = {}): Conclusion => {
  const body: Odds = {
    ...{ type: 'odds', mint: mintOf(n), t0: at - 30, ageS: 30, head: 'rug_within_300s', ppm: 500_000, model: 'a' },
    ...{ judgement: 'x', inputsHash: 'x', shadow: false, ...odds },
  }
  return placed(at, body, `${at}:${n}:${body.head}:${body.model}`)
}
export const givenOutcome = (n: number, at: number, outcome: Partial<Outcome> = {}): Conclusion =>
  placed(
    at,
    {
      ...{
        type: 'outcome',
        mint: mintOf(n),
        creator: mintOf(0),
        t0: at,
        slot0: 1,
        graduated: false,
        rugged: false,
        rugKind: null,
        rugDtS: null,
      },
      ...{ peakQuoteUnits: 1, terminalQuoteUnits: 1, quoteMint: null, devFirstSellDtS: null, devBuyQuoteUnits: 1, trades: 1, buyers: 1 },
      ...{ mayhem: false, selfGraduated: false, censored: null, ...outcome },
    },
    `${at}:${n}:outcome`,
  )

export const givenModel = (id: string, other: Partial<ModelRecord> = {}): ModelRecord => ({
  ...{ id, sequence: 1, state: 'in_force', since: 0, trialSince: 0, inForceSince: 0, reason: '', file: Buffer.from('{}'), ...other },
})

/** A model's probability for a true probability, both 0 to 1. */
export type Forecast = (truth: number) => number

/** A continuing market: launches at equal intervals, each judged several times and resolved after an hour. */
export class GivenMarket {
  readonly book = new OddsBook(solana.conclusions)
  readonly models = new Map<string, ModelRecord>()
  readonly headStates = new HeadStates(this.book.rows, () => this.models.values())
  readonly #dice: Seeded
  readonly #gapS: number
  readonly #pending: Conclusion[] = []
  /** All logged conclusions, in time order. */
  readonly conclusions: Conclusion[] = []
  #n = 0
  nowS = 0

  constructor(seed: number, launchesPerHour: number) {
    this.#dice = new Seeded(seed)
    this.#gapS = HOUR_S / launchesPerHour
  }
  /** `forecasts`: by model. `truthOf`: maps the probability for which the odds were made to the actual one. */
  run(
    seconds: number,
    forecasts: Readonly<Record<string, Forecast>>,
    truthOf: Forecast = (truth) => truth,
    each: () => void = () => {},
  ): void {
    for (const end = this.nowS + seconds; this.nowS < end; this.nowS += this.#gapS) {
      const t0 = Math.floor(this.nowS)
      const features = { rug_within_300s: this.#dice.next() ** 2, true_graduation: this.#dice.next() ** 4 }
      const n = ++this.#n
      const happens = (head: OddsHead): boolean => this.#dice.next() < truthOf(features[head])
      const isRug = happens('rug_within_300s')
      const outcome = { rugged: isRug, rugDtS: isRug ? 60 : null, graduated: happens('true_graduation') }
      for (const head of ODDS_HEADS)
        for (const ageS of AGES_S[head])
          for (const [model, forecast] of Object.entries(forecasts))
            this.#at(givenOdds(n, t0 + ageS, { t0, ageS, head, model, ppm: Math.round(forecast(features[head]) * 1e6) }))
      this.#at(givenOutcome(n, t0 + RESOLVES_S, outcome))
      this.#upTo(t0)
      each()
    }
  }
  #at(conclusion: Conclusion): void {
    let at = this.#pending.length
    while (at > 0 && (this.#pending[at - 1] as Conclusion).at > conclusion.at) at -= 1
    this.#pending.splice(at, 0, conclusion)
  }
  #upTo(at: number): void {
    while ((this.#pending[0]?.at ?? Number.POSITIVE_INFINITY) <= at) {
      const conclusion = this.#pending.shift() as Conclusion
      this.headStates.advance(conclusion.at)
      this.book.put(conclusion, 0)
      this.conclusions.push(conclusion)
    }
  }
}
