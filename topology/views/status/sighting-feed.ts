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
  readonly read: (said: Conclusion) => T | undefined
  readonly idOf: (one: T) => string
}

/** Call `put` with each record of the topic once, in partition order. */
export class FlagRecordFeed<T extends FlagRecords> {
  readonly #form: ConclusionForm
  readonly #read: (said: Conclusion) => T | undefined
  readonly #recent: RecentIndex<T>
  readonly #retracted: Retracted<T>
  #said = 0

  constructor({ form, read, idOf, ...keeping }: FeedOptions<T>) {
    this.#form = form
    this.#read = read
    this.#recent = new RecentIndex(keeping, idOf)
    this.#retracted = new Retracted(idOf)
  }
  /** Number of published conclusions, as far back as the log goes; those withdrawn by a rebuild do not count. */
  get said(): number {
    return this.#said
  }
  /** Newest first (by time, then position), neither older than `since` nor newer than `until` (unix seconds). */
  since(since: number, until?: number): Iterable<T> {
    return this.#recent.since(since, until)
  }
  /** A conclusion that was retracted and not published again; kept for a day of stream time. */
  retracted(id: string): T | undefined {
    return this.#retracted.get(id)
  }
  /** All retracted ones. */
  allRetracted(): Iterable<T> {
    return this.#retracted.all()
  }
  put(record: LogRecord, partition: number): void {
    const said = conclusionIn(this.#form, record.value)
    if (said === undefined) return
    if (said.body.type === 'retraction') for (const dead of this.#retracted.retract(partition, said)) this.#recent.remove(dead)
    else if (said.body.type === 'revision') this.#revise(said.body, partition)
    else this.#say(said, partition)
  }
  #say(said: Conclusion, partition: number): void {
    const sighting = this.#read(said)
    if (sighting === undefined) return
    this.#said += 1
    this.#recent.add(sighting)
    this.#retracted.say(partition, sighting, said.hash8)
  }
  #revise({ withdrawn, said }: Extract<Conclusion['body'], { type: 'revision' }>, partition: number): void {
    const gone = conclusionIn(this.#form, withdrawn)
    const sighting = gone && this.#read(gone)
    if (sighting !== undefined) {
      this.#said -= 1
      this.#recent.remove(sighting)
      this.#retracted.withdraw(partition, sighting)
    }
    const now = conclusionIn(this.#form, said)
    if (now !== undefined) this.#say(now, partition)
  }
}
