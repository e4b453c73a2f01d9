// Joins judgements and outcomes of a stream, in order, to rows for training.
import type { Key } from '../../../schemas/keys.ts'
import type { Conclusion, Judgement } from '../../../schemas/types.ts'
import type { TrainingRow } from './rows.ts'

/** Launches that wait for their outcome: a market of ten times today's load has 5,000. The oldest are dropped first. */
const WAITING_MAX = 200_000

/** Judgements that gave no row, by reason. */
export interface Left {
  readonly censored: number
  readonly unresolved: number
}

/** Feed it conclusions in the order of the stream; a launch has one outcome, after its judgements. */
export class Pairing {
  readonly #waiting = new Map<Key, Judgement[]>()
  readonly #add: (row: TrainingRow) => void
  readonly #waitingMax: number
  #censored = 0
  #unresolved = 0

  constructor(add: (row: TrainingRow) => void, waitingMax: number = WAITING_MAX) {
    this.#add = add
    this.#waitingMax = waitingMax
  }
  get left(): Left {
    let unresolved = this.#unresolved
    for (const judgements of this.#waiting.values()) unresolved += judgements.length
    return { censored: this.#censored, unresolved }
  }
  take({ at, body }: Pick<Conclusion, 'at' | 'body'>): void {
    if (body.type === 'judgement') this.#wait(body)
    if (body.type !== 'outcome') return
    const judgements = this.#waiting.get(body.mint) ?? []
    this.#waiting.delete(body.mint)
    if (body.censored !== null) this.#censored += judgements.length
    else for (const judgement of judgements) this.#add({ judgement, outcome: body, knownAtS: at })
  }
  #wait(judgement: Judgement): void {
    const known = this.#waiting.get(judgement.mint)
    if (known !== undefined) {
      known.push(judgement)
      return
    }
    this.#waiting.set(judgement.mint, [judgement])
    if (this.#waiting.size <= this.#waitingMax) return
    const [oldest, judgements] = this.#waiting.entries().next().value as [Key, Judgement[]]
    this.#waiting.delete(oldest)
    this.#unresolved += judgements.length
  }
}
