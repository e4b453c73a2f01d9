// The view and the feed of the topic `odds` in one fake, with odds that tests set. It does not simulate: a log, commits (appended records
// can be read at once), retention (nothing is dropped), or grading (the test decides whether a head is shown).
import { ODDS_HEADS, type OddsHead } from '../../processors/odds/heads.ts'
import { type Key, keyText } from '../../schemas/keys.ts'
import { outputId, tickOf } from '../../schemas/position.ts'
import type { Conclusion, Odds } from '../../schemas/types.ts'
import type { HeadState, LoggedOdds, OddsFeed, OddsRecord, OddsView } from '../../topology/ports/odds.ts'

const FAKE_MODEL = '0123456789abcdef'
const SHOWN = { isKnown: true, isShown: true, reason: null, modelId: FAKE_MODEL, since: 0 } as const

/** For apps whose tests ignore odds. */
export const fakeOdds = (odds = new FakeOdds()) => ({ odds, oddsFeed: odds })

/** The fields of a value that a test gives; the others have defaults. */
type GivenOdds = Pick<Odds, 'mint' | 'head' | 'ppm'> & Partial<Odds> & { readonly at?: number; readonly number?: number }

/** At first both heads are shown, and no mint has a value. */
export class FakeOdds implements OddsView, OddsFeed {
  readonly partitions: number
  readonly #values = new Map<Key, Partial<Record<OddsHead, LoggedOdds>>>()
  readonly #headStates = new Map<OddsHead, HeadState>(ODDS_HEADS.map((head) => [head, { head, ...SHOWN }]))
  readonly #withdrawn: { readonly head: OddsHead; readonly from: number; readonly to: number }[] = []
  readonly #records: Conclusion[][]
  readonly #listeners = new Set<() => void>()

  constructor(partitions = 1) {
    this.partitions = partitions
    this.#records = Array.from({ length: partitions }, () => [])
  }
  set(mint: Key, head: OddsHead, probability: number, more: Partial<LoggedOdds> = {}): void {
    const value = { id: `${keyText(mint)}:${head}`, head, probability, modelId: FAKE_MODEL, at: 0, ageS: 30, ...more }
    this.#values.set(mint, { ...this.#values.get(mint), [head]: value })
  }
  stand(head: OddsHead, headState: Partial<HeadState>): void {
    this.#headStates.set(head, { ...this.headState(head), ...headState })
  }
  /** Adds a time that `withheldS` counts; `headState` stays unchanged. */
  withdraw(head: OddsHead, from: number, to: number): void {
    this.#withdrawn.push({ head, from, to })
  }
  /** Appends a value as the scorer logs it; returns its id. */
  append({ at = 0, number = 1, ...odds }: GivenOdds, partition = 0): string {
    const [mint, position] = [keyText(odds.mint), tickOf('solana', number)]
    const judgement = outputId(position, 'fakehash', 'judgement', mint, odds.ageS ?? 30)
    const model = odds.model ?? FAKE_MODEL
    const id = `${judgement.replace(/:judgement:.*/, '')}:odds:${mint}:${odds.head}:${model}`
    const body: Odds = { type: 'odds', t0: at - 30, ageS: 30, model, judgement, inputsHash: '00'.repeat(32), shadow: false, ...odds }
    this.appendConclusion({ id, ...position, hash8: 'fakehash', at, body }, partition)
    return id
  }
  /** Any conclusion: a retraction, for one. */
  appendConclusion(conclusion: Conclusion, partition = 0): void {
    this.#records[partition]?.push(conclusion)
    for (const listener of this.#listeners) listener()
  }

  of(mint: Key): Readonly<Partial<Record<OddsHead, LoggedOdds>>> {
    return this.#values.get(mint) ?? {}
  }
  headState(head: OddsHead): HeadState {
    return this.#headStates.get(head) ?? { head, ...SHOWN }
  }
  withheldS(head: OddsHead, from: number, to: number): number {
    const parts = this.#withdrawn.filter((one) => one.head === head)
    return parts.reduce((sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), 0)
  }
  start(): number {
    return 0
  }
  end(partition: number): number {
    return this.#records[partition]?.length ?? 0
  }
  async read(partition: number, offset: number, recordsMax: number): Promise<readonly OddsRecord[]> {
    const found = this.#records[partition]?.slice(offset, offset + recordsMax) ?? []
    return found.map((conclusion, n) => ({ partition, offset: offset + n, conclusion }))
  }
  onNew(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
