// Heartbeats of a running rebuild: its record is rewritten periodically, so that waiting processes see that it is alive.
import { isRetriable } from '../../../schemas/errors.ts'
import type { RebuildStanding, StoresStanding } from '../../../schemas/types.ts'
import { pause } from '../../waiting/waiting.ts'
import type { StoresUpdate } from '../stores-record.ts'

const BEAT_MS_MAX = 1_000
/** Heartbeats per lease, after which the rebuild is taken over. */
const BEATS_PER_LEASE = 8

export class Beats {
  readonly #put: (update: StoresUpdate) => Promise<void>
  /** True if other processes may be working or waiting. */
  readonly isWatched: boolean
  readonly #over = new AbortController()
  readonly #lost = new AbortController()
  #liveRecords: Omit<RebuildStanding, 'chain'>
  #beating: Promise<void> = Promise.resolve()

  /** `leaseMs` 0: no other process can be waiting. */
  constructor(put: (update: StoresUpdate) => Promise<void>, liveRecords: Omit<RebuildStanding, 'chain' | 'beat'>, leaseMs: number) {
    this.#put = put
    this.isWatched = leaseMs > 0
    this.#liveRecords = { ...liveRecords, beat: 0 }
    if (leaseMs > 0) this.#beating = this.#beat(Math.min(BEAT_MS_MAX, leaseMs / BEATS_PER_LEASE))
  }
  /** Fires when another process has taken over the rebuild. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }
  /** Progress as text, for the next record. */
  setText(words: string): void {
    this.#liveRecords = { ...this.#liveRecords, words }
  }
  /** Writes the state of the rebuild, in one commit with the state of the stores if that changes too. */
  write(state: RebuildStanding['state'], stores?: Omit<StoresStanding, 'chain'>): Promise<void> {
    this.#liveRecords = { ...this.#liveRecords, state, beat: this.#liveRecords.beat + 1 }
    return this.#put({ rebuild: this.#liveRecords, ...(stores !== undefined && { stores }) })
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
        await this.write(this.#liveRecords.state)
      } catch (failure) {
        if (isRetriable(failure)) continue
        this.#lost.abort(failure)
        return
      }
    }
  }
}
