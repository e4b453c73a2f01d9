// Reads the changelogs of a task into its rows: once for a restore, in rounds for a standby, whose later takeover continues the reads.
import type { FrameHeader } from '../../../processors/contract.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Log, ReadLimits } from '../../ports/log.ts'
import { standbyOutdated } from '../failures.ts'
import type { Task } from '../task.ts'

export class ChangelogReads<Event, Header extends FrameHeader> {
  readonly #log: Log
  readonly #task: Task<Event, Header>
  readonly #limits: ReadLimits
  /** By name of the topic: offset of the next record; absent if nothing was read yet. */
  readonly #next = new Map<string, number>()
  /** Topics whose beginning was read in part: another beginning lacks the tombstones between the two. */
  readonly #torn = new Set<string>()

  constructor(log: Log, task: Task<Event, Header>, limits: ReadLimits) {
    this.#log = log
    this.#task = task
    this.#limits = limits
  }
  /** True if the rows contain every record that this process knows of. */
  get isComplete(): boolean {
    const { changelogs, partition } = this.#task
    return changelogs.every((topic) => (this.#next.get(topic.name) ?? -1) >= this.#log.end(topic, partition))
  }
  /**
   * Reads the records below `end` that were not read yet. `goOn` is called after each read; false ends the reading.
   * @throws EngineError `standby_outdated`: then the rows cannot be used
   */
  async upTo(topic: Topic, end: number, goOn: () => boolean): Promise<void> {
    const { partition } = this.#task
    let next = this.#next.get(topic.name)
    if (this.#torn.has(topic.name) || (next ?? Number.POSITIVE_INFINITY) < this.#log.tombstoneFloor(topic, partition))
      throw standbyOutdated(topic, partition)
    next ??= await this.#readBeginning(topic, goOn)
    while (next !== undefined && next < end) {
      const records = await this.#log.read(topic, partition, next, this.#limits)
      next = (records.at(-1)?.offset ?? end - 1) + 1
      this.#task.restore(topic, records)
      this.#next.set(topic.name, next)
      if (!goOn()) return
    }
  }

  /** Returns the offset at which the log continues; undefined if the reading was ended. */
  async #readBeginning(topic: Topic, goOn: () => boolean): Promise<number | undefined> {
    const { partition } = this.#task
    const beginning = await this.#log.beginning?.(topic, partition)
    const next = beginning?.next ?? this.#log.start(topic, partition)
    for await (const records of beginning?.batches() ?? []) {
      this.#torn.add(topic.name)
      this.#task.restore(topic, records)
      if (!goOn()) return undefined
    }
    this.#torn.delete(topic.name)
    this.#next.set(topic.name, next)
    return next
  }
}
