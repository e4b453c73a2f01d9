// The record of a rebuild that is under way, written again and again: whoever waits for it sees that somebody is at it.
import { isRetriable } from '../../../schemas/errors.ts'
import type { RebuildStanding, StoresStanding } from '../../../schemas/types.ts'
import { pause } from '../../waiting/waiting.ts'
import type { Standings } from '../stores-record.ts'

const BEAT_MS_MAX = 1_000
/** So often in the time after which it is taken over. */
const BEATS_PER_LEASE = 8

export class Beats {
  readonly #put: (standings: Standings) => Promise<void>
  /** Others may be at work, or waiting. */
  readonly isWatched: boolean
  readonly #over = new AbortController()
  readonly #lost = new AbortController()
  #standing: Omit<RebuildStanding, 'chain'>
  #beating: Promise<void> = Promise.resolve()

  /** `leaseMs` 0: nobody else can be waiting. */
  constructor(put: (standings: Standings) => Promise<void>, standing: Omit<RebuildStanding, 'chain' | 'beat'>, leaseMs: number) {
    this.#put = put
    this.isWatched = leaseMs > 0
    this.#standing = { ...standing, beat: 0 }
    if (leaseMs > 0) this.#beating = this.#beat(Math.min(BEAT_MS_MAX, leaseMs / BEATS_PER_LEASE))
  }
  /** Fires when another process has taken the rebuild over. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }
  /** Progress in words, for the next record. */
  words(words: string): void {
    this.#standing = { ...this.#standing, words }
  }
  /** Writes where the rebuild is, in one commit with what the stores are where that changes too. */
  write(state: RebuildStanding['state'], stores?: Omit<StoresStanding, 'chain'>): Promise<void> {
    this.#standing = { ...this.#standing, state, beat: this.#standing.beat + 1 }
    return this.#put({ rebuild: this.#standing, ...(stores !== undefined && { stores }) })
  }
  /** Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#over.abort()
    await this.#beating
  }

  async #beat(everyMs: number): Promise<void> {
    for (;;) {
      await pause(everyMs, this.#over.signal)
      if (this.#over.signal.aborted) return
      try {
        await this.write(this.#standing.state)
      } catch (failure) {
        if (isRetriable(failure)) continue
        this.#lost.abort(failure)
        return
      }
    }
  }
}
