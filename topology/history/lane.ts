// Connections for one kind of lookups, with a bounded queue: what waits here delays no other kind.
import { EngineError } from '../../schemas/errors.ts'
import type { QueryResult, Unanswered } from '../ports/history.ts'
import { atStop, inTime } from '../waiting/waiting.ts'
import type { HistoryClient } from './client.ts'

/** What a lookup may use; its queries end with it. */
export type Reader = Pick<HistoryClient, 'database' | 'rows'>

export interface LaneLimits {
  /** Lookups on the wire at a time; each has a connection. */
  readonly lookupsMax: number
  /** Lookups that wait for a connection; further ones are refused at once. */
  readonly waitingMax: number
}

/** A lookup waits this share of its time limit at most: a query with less left ends unanswered, at the same cost for the server. */
const WAITING_SHARE = 0.5

/** Learns how lookups end; see `StoreHealth`. */
export interface LookupOutcomes {
  answered(): void
  /** A lookup was refused, given up, or failed. @returns the result for its caller */
  missed(): Unanswered
}

export class Lane {
  readonly #client: HistoryClient
  readonly #limits: LaneLimits
  readonly #outcomes: LookupOutcomes
  /** Each entry passes a connection on to a waiting lookup. */
  readonly #waiting = new Set<() => void>()
  #running = 0

  /** @param client has at least `lookupsMax` connections, and is closed with the lane. */
  constructor(client: HistoryClient, limits: LaneLimits, outcomes: LookupOutcomes) {
    this.#client = client
    this.#limits = limits
    this.#outcomes = outcomes
  }
  /** @param msMax limit of waiting and reading together: then the lookup ends, on the server too. Rejects only because of a bug. */
  async ask<Value>(read: (reader: Reader) => Promise<Value>, msMax: number, stop: AbortSignal): Promise<QueryResult<Value>> {
    return inTime(stop, msMax, async (ending) => {
      if (!(await this.#begins(msMax * WAITING_SHARE, ending))) return this.#outcomes.missed()
      try {
        const value = await read(this.#readerUntil(ending))
        this.#outcomes.answered()
        return { ok: true, value }
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        // An error of the server is an answer too, although not to this lookup.
        if (!ending.aborted && error.code !== 'history_down') this.#outcomes.answered()
        return this.#outcomes.missed()
      } finally {
        this.#end()
      }
    })
  }
  close(): Promise<void> {
    return this.#client.close()
  }

  #readerUntil(ending: AbortSignal): Reader {
    const { database } = this.#client
    return { database, rows: (sql, params) => this.#client.rows(sql, params, ending) }
  }
  /** True once the lookup has a connection; false if it gets none in time. */
  async #begins(msMax: number, ending: AbortSignal): Promise<boolean> {
    if (this.#running < this.#limits.lookupsMax) return this.#running++ >= 0
    if (this.#waiting.size >= this.#limits.waitingMax) return false
    const turn = (late: AbortSignal): Promise<boolean> =>
      new Promise((resolve) => {
        const next = (): void => resolve(true)
        this.#waiting.add(next)
        atStop(late, () => this.#waiting.delete(next) && resolve(false))
      })
    return inTime(ending, msMax, turn)
  }
  #end(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#running -= 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
