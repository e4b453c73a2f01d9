// What is wrong between the sink and ClickHouse: reported when it begins, when it becomes another, and when it ends.
import type { EngineError } from '../../schemas/errors.ts'
import type { Notice } from '../ports/notice.ts'

export class Trouble {
  readonly #notice: Notice
  readonly #busyMs: number
  #words: string | null = null
  /** As it was reported last. */
  #kind: string | null = null
  #busySinceMs: number | null = null

  /** @param busyMs a ClickHouse that is busy is reported after so long */
  constructor(notice: Notice, busyMs: number) {
    this.#notice = notice
    this.#busyMs = busyMs
  }
  /** Null while all is well. */
  get words(): string | null {
    return this.#words
  }
  is(failure: EngineError): void {
    this.#words = failure.message
    if (failure.code === 'history_busy' && this.#isBusyForAMoment()) return
    const kind = `${failure.code} ${failure.facts.clickhouse ?? ''}`
    if (kind !== this.#kind) this.#notice('history_behind', { reason: failure.message })
    this.#kind = kind
  }
  isOver(rows: number): void {
    if (this.#kind !== null) this.#notice('history_goes_on', { rows })
    this.#kind = null
    this.#words = null
    this.#busySinceMs = null
  }

  /** A merge or a figure that needs its memory for some seconds is nobody's trouble: the next try finds room. */
  #isBusyForAMoment(): boolean {
    this.#busySinceMs ??= performance.now()
    return this.#kind === null && performance.now() - this.#busySinceMs < this.#busyMs
  }
}
