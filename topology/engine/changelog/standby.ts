// Keeps the rows of a task that another process runs up to date, so that a takeover only reads the newest records.
import type { FrameHeader } from '../../../processors/contract.ts'
import type { Log } from '../../ports/log.ts'
import { pause } from '../../waiting/waiting.ts'
import type { Task } from '../task.ts'
import type { ChangelogReads } from './changelog-reads.ts'

/** Interval of the rounds: what is committed within one has to be read at the takeover. */
const ROUND_MS = 250

/** Follows the changelogs of one task. Takes no id over and writes nothing. */
export class Standby<Event, Header extends FrameHeader> {
  readonly #log: Log
  readonly #task: Task<Event, Header>
  readonly #reads: ChangelogReads<Event, Header>
  #isWarm = false

  constructor(log: Log, task: Task<Event, Header>, reads: ChangelogReads<Event, Header>) {
    this.#log = log
    this.#task = task
    this.#reads = reads
  }
  /** True once it had read everything that was on the changelogs. */
  get isWarm(): boolean {
    return this.#isWarm
  }
  /** Resolves once `end` fires. @throws EngineError `standby_outdated`, or as the log */
  async follow(end: AbortSignal): Promise<void> {
    const { changelogs, partition } = this.#task
    await this.#log.refresh()
    while (!end.aborted) {
      for (const topic of changelogs) await this.#reads.upTo(topic, this.#log.end(topic, partition), () => !end.aborted)
      this.#isWarm ||= this.#reads.isComplete
      await pause(ROUND_MS, end)
    }
  }
}
