// The parts of the work in this process: started and ended as places are gained and lost.

import { Watchdog } from './watchdog.ts'
import type { Part } from './work.ts'
import { Worker } from './worker.ts'

/** All parts. Those whose place is assigned here run. */
export class Workers {
  readonly #workers: readonly Worker[]
  readonly #over = new AbortController()
  readonly #watchdog: Watchdog
  readonly #done: Promise<void>
  #places: ReadonlySet<string> = new Set()
  #end: { resolve: () => void; reject: (failure: unknown) => void } = { resolve: () => {}, reject: () => {} }

  /**
   * `settleMs`: how long the old owner of a part may need to learn that it is lost; 0: places do not move. `isHeard`: false while the
   * assignment is unknown.
   */
  constructor(parts: readonly Part[], settleMs: number, isHeard: () => boolean = () => true) {
    this.#workers = parts.map((part) => new Worker(part, { settleMs, isHeard, failed: (failure) => this.#fail(failure) }))
    this.#done = new Promise((resolve, reject) => {
      this.#end = { resolve, reject }
    })
    this.#done.catch(() => {})
    this.#watchdog = new Watchdog(
      () => (isHeard() ? this.#here().map(({ part: { name, place }, sign, idleMsMax }) => ({ name, place, sign, idleMsMax })) : []),
      (failure) => this.#fail(failure),
    )
  }
  /** Rejects with the failure that ended a part; resolves after `stop`. */
  get done(): Promise<void> {
    return this.#done
  }
  /** Considers those of these parts whose place is here; a part without running work is not caught up. */
  areCaughtUp(parts: readonly Part[]): boolean {
    return this.#here().every(({ part, isCaughtUp }) => isCaughtUp || !parts.includes(part))
  }
  /** Ends lost parts and starts new ones; also restarts parts that were taken over and came back. Resolves when all run. */
  async setMine(places: ReadonlySet<string>): Promise<void> {
    if (this.#over.signal.aborted) return
    this.#places = places
    await this.#settled(this.#workers.map((worker) => worker.want(places.has(worker.part.place))))
  }
  /** Ends these parts if they are here, with everything committed, then starts them again. Resolves when they run. */
  async again(parts: readonly Part[]): Promise<void> {
    if (this.#over.signal.aborted) return
    const ended = this.#here().filter(({ part }) => parts.includes(part))
    await this.#settled(ended.map((worker) => worker.want(false)))
    if (this.#over.signal.aborted) return
    await this.#settled(ended.map((worker) => worker.want(this.#places.has(worker.part.place))))
  }
  /** Lets every part commit what it has done. Rejects with the failure that ended a part before. */
  async stop(): Promise<void> {
    await this.#leave()
    this.#end.resolve()
    await this.#done
  }

  #here(): readonly Worker[] {
    return this.#workers.filter(({ part }) => this.#places.has(part.place))
  }
  /** Rejects with the failure that ends a part meanwhile. */
  async #settled(wanted: readonly Promise<void>[]): Promise<void> {
    await Promise.race([Promise.all(wanted), this.#done])
    if (this.#over.signal.aborted) await this.#done
  }
  #leave(): Promise<unknown> {
    this.#over.abort()
    this.#watchdog.stop()
    return Promise.all(this.#workers.map((worker) => worker.want(false)))
  }
  #fail(failure: unknown): void {
    this.#end.reject(failure)
    void this.#leave()
  }
}
