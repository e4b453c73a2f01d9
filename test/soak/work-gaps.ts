// How long each partition was without work, as it is seen from outside: by the commits of its task.
import { setTimeout as pause } from 'node:timers/promises'
import { TOPICS } from '../../schemas/topics.ts'
import type { Log } from '../../topology/ports/log.ts'

const POLL_MS = 200
/** A member of a group is missed after this (`sessionTimeout`). */
const SESSION_MS = 6_000
/** Then the others agree, take over, restore and commit within this. */
const TAKEOVER_MS_MAX = 5_000
export const GAP_MS_MAX = SESSION_MS + TAKEOVER_MS_MAX
/** All partitions are worked on for the first time. */
const BEGUN_MS_MAX = 120_000

/**
 * Every commit of a fold writes to its partition of `progress`. While frames arrive, a partition is without work since its newest commit, or
 * since a process crashed or froze if that was later: the group cannot know of that before the session timeout. Joins, orderly leaves and
 * processes that come back excuse nothing.
 */
export class WorkGaps {
  readonly #log: Log
  readonly #workedMs: number[]
  readonly #longestMs: number[]
  readonly #late = new Set<string>()
  #failedMs = 0
  #looking: Promise<void> = Promise.resolve()
  readonly #over = new AbortController()

  constructor(log: Log) {
    this.#log = log
    const partitions = log.partitions(TOPICS.progress)
    this.#workedMs = Array.from({ length: partitions }, () => 0)
    this.#longestMs = Array.from({ length: partitions }, () => 0)
  }
  /** Milliseconds by partition. */
  get longestMs(): readonly number[] {
    return this.#longestMs
  }
  /** Partitions that were without work for too long, with when. */
  get late(): readonly string[] {
    return [...this.#late]
  }
  /** A process crashes or freezes now. */
  failing(): void {
    this.#failedMs = Date.now()
  }
  /** The gaps of failures up to now are over if nothing fails for this long. */
  calmInMs(): number {
    return Math.max(0, this.#failedMs + GAP_MS_MAX + 4 * POLL_MS - Date.now())
  }
  /** Resolves when every partition was worked on; from then on gaps are measured. */
  async start(): Promise<void> {
    const ends = this.#ends()
    for (const until = Date.now() + BEGUN_MS_MAX; this.#ends().some((end, at) => end <= (ends[at] ?? 0)); await pause(POLL_MS)) {
      await this.#log.refresh()
      if (Date.now() > until) throw new Error(`not every partition is worked on after ${BEGUN_MS_MAX} ms: ${this.#ends().join(' ')}`)
    }
    this.#workedMs.fill(Date.now())
    this.#looking = this.#look(Date.now())
    this.#looking.catch(() => {})
  }
  async stop(): Promise<void> {
    this.#over.abort()
    await this.#looking
    await this.#log.close()
  }

  async #look(startedMs: number): Promise<void> {
    for (let before = this.#ends(); !this.#over.signal.aborted; await pause(POLL_MS)) {
      await this.#log.refresh()
      const ends = this.#ends()
      for (const [partition, end] of ends.entries()) {
        this.#measure(partition, Date.now() - startedMs)
        if (end > (before[partition] ?? 0)) this.#workedMs[partition] = Date.now()
      }
      before = ends
    }
  }
  #measure(partition: number, atMs: number): void {
    const gapMs = Date.now() - Math.max(this.#workedMs[partition] ?? 0, this.#failedMs)
    this.#longestMs[partition] = Math.max(this.#longestMs[partition] ?? 0, gapMs)
    if (gapMs > GAP_MS_MAX)
      this.#late.add(`partition ${partition} in the gap that began ${Math.round((atMs - gapMs) / 1_000)} s after the start`)
  }
  #ends(): number[] {
    return this.#workedMs.map((_, partition) => this.#log.end(TOPICS.progress, partition))
  }
}
