// Faults between sink and ClickHouse: reported when they start, change and end.
import type { EngineError } from '../../schemas/errors.ts'
import type { Notice } from '../ports/notice.ts'

export class Trouble {
  readonly #notice: Notice
  readonly #busyMs: number
  #text: string | null = null
  /** The kind reported last. */
  #kind: string | null = null
  #busySinceMs: number | null = null

  /** @param busyMs a busy ClickHouse is reported after this time */
  constructor(notice: Notice, busyMs: number) {
    this.#notice = notice
    this.#busyMs = busyMs
  }
  /** Null if there is no fault. */
  get text(): string | null {
    return this.#text
  }
  is(failure: EngineError): void {
    this.#text = failure.message
    if (failure.code === 'history_busy' && this.#isBusyForAMoment()) return
    const kind = `${failure.code} ${failure.facts.clickhouse ?? ''}`
    if (kind !== this.#kind) this.#notice('history_behind', { reason: failure.message })
    this.#kind = kind
  }
  isOver(rows: number): void {
    if (this.#kind !== null) this.#notice('history_goes_on', { rows })
    this.#kind = null
    this.#text = null
    this.#busySinceMs = null
  }

  /** A merge or query that needs the memory for some seconds is not reported: the next retry succeeds. */
  #isBusyForAMoment(): boolean {
    this.#busySinceMs ??= performance.now()
    return this.#kind === null && performance.now() - this.#busySinceMs < this.#busyMs
  }
}
