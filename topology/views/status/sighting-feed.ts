// One kind of conclusion from a topic: the newest in order, and those that forks and rebuilds retracted.
import type { ConclusionForm } from '../../../schemas/record-forms.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import type { LogRecord } from '../../ports/log.ts'
import { type Keeping, RecentIndex } from '../recent-index.ts'
import { Retracted } from '../retracted.ts'
import { conclusionIn, type FlagRecords } from './sightings.ts'

interface FeedOptions<T> extends Keeping {
  /** Encoding of the chain's conclusions. */
  readonly form: ConclusionForm
  /** Undefined for conclusions of other kinds. */
  readonly read: (conclusion: Conclusion) => T | undefined
  readonly idOf: (one: T) => string
}

/** Call `put` with each record of the topic once, in partition order. */
export class FlagRecordFeed<T extends FlagRecords> {
  readonly #form: ConclusionForm
  readonly #read: (conclusion: Conclusion) => T | undefined
  readonly #recent: RecentIndex<T>
  readonly #retracted: Retracted<T>
  #published = 0

  constructor({ form, read, idOf, ...keeping }: FeedOptions<T>) {
    this.#form = form
    this.#read = read
    this.#recent = new RecentIndex(keeping, idOf)
    this.#retracted = new Retracted(idOf)
  }
  /** Number of published conclusions, as far back as the log goes; those withdrawn by a rebuild do not count. */
  get published(): number {
    return this.#published
  }
  /** Newest first (by time, then position), neither older than `since` nor newer than `until` (unix seconds). */
  since(since: number, until?: number): Iterable<T> {
    return this.#recent.since(since, until)
  }
  /** A conclusion that was retracted and not published again; kept for a day of stream time. */
  retracted(id: string): T | undefined {
    return this.#retracted.get(id)
  }
  /** All conclusions that `retracted` would return. */
  allRetracted(): Iterable<T> {
    return this.#retracted.all()
  }
  put(record: LogRecord, partition: number): void {
    const conclusion = conclusionIn(this.#form, record.value)
    if (conclusion === undefined) return
    if (conclusion.body.type === 'retraction') for (const dead of this.#retracted.retract(partition, conclusion)) this.#recent.remove(dead)
    else if (conclusion.body.type === 'revision') this.#revise(conclusion.body, partition)
    else this.#publish(conclusion, partition)
  }
  #publish(conclusion: Conclusion, partition: number): void {
    const sighting = this.#read(conclusion)
    if (sighting === undefined) return
    this.#published += 1
    this.#recent.add(sighting)
    this.#retracted.published(partition, sighting, conclusion.hash8)
  }
  #revise({ withdrawn, said: conclusion }: Extract<Conclusion['body'], { type: 'revision' }>, partition: number): void {
    const gone = conclusionIn(this.#form, withdrawn)
    const sighting = gone && this.#read(gone)
    if (sighting !== undefined) {
      this.#published -= 1
      this.#recent.remove(sighting)
      this.#retracted.withdraw(partition, sighting)
    }
    const now = conclusionIn(this.#form, conclusion)
    if (now !== undefined) this.#publish(now, partition)
  }
}
