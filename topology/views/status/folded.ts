// Progress of the folds, task by task, from their progress records.
import type { Progress } from '../../../schemas/types.ts'
import { FRESH_LAG_S, type ViewFinality, type ViewStatus } from '../../ports/chain-view.ts'
import type { LogRecord } from '../../ports/log.ts'
import type { SourceStatus } from '../../ports/source-status.ts'
import { progressIn } from '../../records/progress-in.ts'
import { finalityOf } from './status-parts.ts'

/** Progress records take effect when `show` is called: once everything they cover is visible. */
export class FoldedTasks {
  readonly #source: Pick<SourceStatus, 'now' | 'anchor'>
  readonly #shown = new Map<string, Progress>()
  readonly #held: Progress[] = []
  /** Computed at `show`: read with every request, but changed only once per commit. */
  #finality: ViewFinality | null = null
  #newest: Progress | null = null
  #forks = 0
  #wasFresh = false

  /** Without a clock, freshness is not measured. */
  constructor(source: Pick<SourceStatus, 'now' | 'anchor'> = {}) {
    this.#source = source
  }

  hold(record: LogRecord): void {
    const progress = progressIn(record)
    if (progress !== undefined) this.#held.push(progress)
  }
  /** False if no progress was held. */
  show(): boolean {
    if (this.#held.length === 0) return false
    for (const progress of this.#held.splice(0)) this.#shown.set(progress.task, progress)
    const all = [...this.#shown.values()]
    this.#finality = finalityOf(all)
    this.#newest = all.reduce((least, progress) => (progress.number < least.number ? progress : least))
    this.#forks = Math.max(...all.map(({ forks }) => forks))
    this.#measure()
    return true
  }
  /** For a stream that is played faster than real time, the limit is in wall time. Without the source's clock nothing is fresh. */
  #measure(): void {
    const nowMs = this.#source.now?.() ?? null
    if (nowMs === null || this.#newest === null) return
    const speed = Math.max(1, this.#source.anchor?.()?.speed ?? 1)
    this.#wasFresh ||= nowMs / 1_000 - this.#newest.time <= FRESH_LAG_S * speed
  }
  /** The newest frame that all tasks have folded; null until each of them has reported one. */
  newest(tasks: number): Progress | null {
    return this.#shown.size < tasks ? null : this.#newest
  }
  /** Tick time (unix s) of the newest frame that was read but is not shown; null if there is none. */
  heldS(): number | null {
    return this.#held.length === 0 ? null : Math.max(...this.#held.map(({ time }) => time))
  }
  finality(): ViewFinality | null {
    return this.#finality
  }
  get forks(): number {
    return this.#forks
  }
  freshness(): Pick<ViewStatus, 'wasFresh'> {
    if (this.#source.now === undefined) return {}
    // The clock may have become known after the newest frame.
    this.#measure()
    return { wasFresh: this.#wasFresh }
  }
}
