// How far the folds are, task by task, as their progress on the log says it.
import { progressCodec } from '../../../schemas/codecs.ts'
import type { Progress } from '../../../schemas/types.ts'
import { FRESH_LAG_S, type ViewFinality, type ViewStatus } from '../../ports/chain-view.ts'
import type { LogRecord } from '../../ports/log.ts'
import type { SourceStatus } from '../../ports/source-status.ts'
import { finalityOf } from './status-parts.ts'

/** Progress that was read counts once `show` is called: when everything that it stands for is shown. */
export class FoldedTasks {
  readonly #source: Pick<SourceStatus, 'now' | 'anchor'>
  readonly #shown = new Map<string, Progress>()
  readonly #held: Progress[] = []
  /** Of what is shown: asked with every request, and new only once in a commit. */
  #finality: ViewFinality | null = null
  #newest: Progress | null = null
  #forks = 0
  #wasFresh = false

  /** Without a clock nobody measures how fresh they are. */
  constructor(source: Pick<SourceStatus, 'now' | 'anchor'> = {}) {
    this.#source = source
  }

  hold({ value }: LogRecord): void {
    const read = value === null ? undefined : progressCodec.decode(value)
    if (read?.ok === true) this.#held.push(read.value)
  }
  /** False where nothing was held. */
  show(): boolean {
    if (this.#held.length === 0) return false
    for (const progress of this.#held.splice(0)) this.#shown.set(progress.task, progress)
    const all = [...this.#shown.values()]
    this.#finality = finalityOf(all)
    this.#newest = all.reduce((least, progress) => (progress.number < least.number ? progress : least))
    this.#forks = Math.max(...all.map(({ forks }) => forks))
    this.#wasFresh ||= this.#isFresh(this.#newest.time)
    return true
  }
  /** Of a stream that is played faster than the wall goes, the wall's time counts. */
  #isFresh(foldedS: number): boolean {
    const nowMs = this.#source.now?.()
    const speed = Math.max(1, this.#source.anchor?.()?.speed ?? 1)
    return nowMs !== undefined && nowMs / 1_000 - foldedS <= FRESH_LAG_S * speed
  }
  /** The newest frame that every one of so many tasks has folded; null until all have said one. */
  newest(tasks: number): Progress | null {
    return this.#shown.size < tasks ? null : this.#newest
  }
  /** Tick time (unix s) of the newest frame that was read and is not shown; null for none. */
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
    return this.#source.now === undefined ? {} : { wasFresh: this.#wasFresh }
  }
}
