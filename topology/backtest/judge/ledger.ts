// Counts the outcomes of a run's launches as they are judged. Of a single launch only lead times and the worst mistakes are kept.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { findingId } from '../../../schemas/position.ts'
import type { Chain, Outcome } from '../../../schemas/types.ts'
import { CREATOR_KINDS, type CreatorKind, type Firing, type Trial } from '../trials/trial.ts'
import { Mistakes } from './mistakes.ts'
import { FlagClasses, ReachedClasses } from './placebo.ts'
import { type Buyer, resultOf } from './profit.ts'
import { newPopulation, newTally, type Population, type Tally } from './tally.ts'

const HOUR_S = 3_600

export interface LedgerOptions {
  readonly chain: Chain
  /** Ids of the candidates' detectors, in the order of the candidates. */
  readonly detectors: readonly string[]
  /** Seconds from a flag until a user can act on it. */
  readonly delayS: number
  /** Null if launches of this chain are not bought. */
  readonly buyer: (Buyer & { readonly ageS: number }) | null
}

/** A sum of results. */
export interface Results {
  launches: number
  units: number
}

/** The counts of one candidate. */
export interface CandidateBook {
  /** By hour of the launch, in unix hours. */
  readonly hours: Map<number, Tally>
  readonly creators: Map<CreatorKind, Tally>
  /** For each hit: seconds from flag plus delay to the rug. */
  readonly leadsS: number[]
  readonly classes: FlagClasses
  readonly avoided: Results
  readonly mistakes: Mistakes
}

/** The state as plain values. */
export interface LedgerState extends Pick<Ledger, 'hours' | 'creators' | 'launched' | 'bought' | 'launches' | 'unresolved'> {
  readonly books: readonly (Omit<CandidateBook, 'classes' | 'mistakes'> & {
    readonly classes: FlagClasses['state']
    readonly mistakes: Mistakes['state']
  })[]
  readonly reached: ReachedClasses['state']
}

const newBook = (): CandidateBook => ({
  ...{ hours: new Map(), creators: new Map(), leadsS: [], classes: new FlagClasses() },
  ...{ avoided: { launches: 0, units: 0 }, mistakes: new Mistakes() },
})

/** The value of a key; created if missing. */
const at = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

export class Ledger {
  readonly books: readonly CandidateBook[]
  readonly hours = new Map<number, Population>()
  readonly creators = new Map<CreatorKind, Population>(CREATOR_KINDS.map((kind) => [kind, newPopulation()]))
  /** Followed launches by hour: they determine how busy an hour is. */
  readonly launched = new Map<number, number>()
  readonly reached = new ReachedClasses()
  readonly bought: Results = { launches: 0, units: 0 }
  launches = 0
  unresolved = 0
  readonly #options: LedgerOptions

  constructor(options: LedgerOptions) {
    this.#options = options
    this.books = options.detectors.map(newBook)
  }
  get state(): LedgerState {
    const { hours, creators, launched, bought, launches, unresolved } = this
    const books = this.books.map(({ classes, mistakes, ...book }) => ({ ...book, classes: classes.state, mistakes: mistakes.state }))
    return { books, hours, creators, launched, reached: this.reached.state, bought, launches, unresolved }
  }
  restore({ books, hours, creators, launched, reached, bought, launches, unresolved }: LedgerState): void {
    for (const [i, book] of this.books.entries()) restoreBook(book, books[i] as LedgerState['books'][number])
    for (const [hour, population] of hours) this.hours.set(hour, population)
    for (const [kind, population] of creators) this.creators.set(kind, population)
    for (const [hour, count] of launched) this.launched.set(hour, count)
    this.reached.restore(reached)
    Object.assign(this.bought, bought)
    this.launches = launches
    this.unresolved = unresolved
  }
  /** Counts the outcome of a launch. An outcome without a rug verdict is not counted. */
  judge(trial: Trial, outcome: Pick<Outcome, 'rugged' | 'censored' | 't0' | 'rugDtS' | 'graduated'>): void {
    const { rugged, censored, t0, rugDtS, graduated } = outcome
    if (rugged === null || censored !== null) return
    const ruggedAt = rugged && rugDtS !== null ? t0 + rugDtS : null
    this.reached.add(trial, ruggedAt, this.#options.delayS)
    for (const population of this.#populationsOf(trial)) {
      population.launches += 1
      if (rugged) population.rugged += 1
    }
    const result = this.#resultOf(trial)
    for (const [i, book] of this.books.entries()) {
      const firing = trial.fired[i]
      if (firing === undefined) {
        if (ruggedAt !== null) this.#mistake(book, 'missed', trial, i, undefined, ruggedAt)
        continue
      }
      this.#judgeFlag(book, i, trial, firing, ruggedAt, graduated === true)
      this.#avoid(book.avoided, firing, t0, result)
    }
  }
  /** Counts a launch that is no longer followed. */
  over(trial: Trial): void {
    const hour = hourOf(trial)
    this.launches += 1
    this.launched.set(hour, (this.launched.get(hour) ?? 0) + 1)
    if (!trial.isJudged) this.unresolved += 1
    for (const [i, book] of this.books.entries())
      if (trial.fired[i] !== undefined) for (const tally of talliesOf(book, trial)) tally.flagged += 1
  }
  #judgeFlag(book: CandidateBook, i: number, trial: Trial, firing: Firing, ruggedAt: number | null, isWinner: boolean): void {
    const lead = ruggedAt === null ? null : ruggedAt - firing.at - this.#options.delayS
    book.classes.add(firing)
    if (lead !== null && lead >= 0) book.leadsS.push(lead)
    for (const tally of talliesOf(book, trial)) {
      tally.judged += 1
      if (lead !== null) {
        if (lead >= 0) tally.hits += 1
        else tally.late += 1
      }
      if (isWinner) tally.killedWinners += 1
    }
    if (isWinner) this.#mistake(book, 'killed_winner', trial, i, firing, firing.at)
    else if (lead === null) this.#mistake(book, 'false_alarm', trial, i, firing, firing.at)
    else if (lead < 0) this.#mistake(book, 'late', trial, i, firing, firing.at)
  }
  #mistake(
    book: CandidateBook,
    kind: 'missed' | 'false_alarm' | 'late' | 'killed_winner',
    trial: Trial,
    i: number,
    firing: Firing | undefined,
    second: number,
  ): void {
    book.mistakes.add(kind, trial.peakUnits, () => ({
      mint: keyText(trial.mint),
      at: second,
      findingId: firing === undefined ? null : this.#findingId(trial.mint, i, firing),
    }))
  }
  #findingId(mint: Key, i: number, { position: { hash8, ...position } }: Firing): string {
    const { chain, detectors } = this.#options
    return findingId({ chain, ...position }, hash8, detectors[i] as string, keyText(mint))
  }
  #populationsOf(trial: Trial): readonly Population[] {
    return [at(this.hours, hourOf(trial), newPopulation), at(this.creators, trial.creatorKind, newPopulation)]
  }
  /** The buyer's result, which is also added to `bought`; null if the launch could not be bought. */
  #resultOf({ entry, exit }: Trial): number | null {
    const { buyer } = this.#options
    const result = buyer === null ? null : resultOf(buyer, entry, exit)
    if (result === null) return null
    this.bought.launches += 1
    this.bought.units += Number(result)
    return Number(result)
  }
  #avoid(avoided: Results, firing: Firing, launchedAt: number, result: number | null): void {
    const { buyer, delayS } = this.#options
    if (buyer === null || result === null || firing.at + delayS > launchedAt + buyer.ageS) return
    avoided.launches += 1
    avoided.units += result
  }
}

const restoreBook = (book: CandidateBook, state: LedgerState['books'][number]): void => {
  for (const [hour, tally] of state.hours) book.hours.set(hour, tally)
  for (const [kind, tally] of state.creators) book.creators.set(kind, tally)
  for (const lead of state.leadsS) book.leadsS.push(lead)
  book.classes.restore(state.classes)
  Object.assign(book.avoided, state.avoided)
  book.mistakes.restore(state.mistakes)
}
const hourOf = ({ launchedAt }: Trial): number => Math.floor(launchedAt / HOUR_S)
const talliesOf = ({ hours, creators }: CandidateBook, trial: Trial): readonly Tally[] => [
  at(hours, hourOf(trial), newTally),
  at(creators, trial.creatorKind, newTally),
]
