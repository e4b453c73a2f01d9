// The book of payments: what was bought with each, for 24 hours, in a durable table with limits.
import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { DurableTable } from '../../topology/ports/ledger.ts'
import type { Clock } from '../../topology/ports/mint-view.ts'
import { paymentLimits } from './limits.ts'

/** An answer as bytes, exactly as it was sold. */
export interface StoredAnswer {
  readonly status: number
  readonly type: string
  readonly bodyBase64: string
}

/**
 * One payment. `running` in the table after a restart means that the process died between asking for the settlement and knowing its
 * outcome: as uncertain as `uncertain`. `done` with a null answer is used up.
 */
export interface PaymentEntry {
  readonly state: 'running' | 'uncertain' | 'done'
  /** Wall ms of the first settlement attempt, and of the outcome (`at` until there is one). */
  readonly at: number
  readonly doneAt: number
  /** sha256 (hex) of what was asked for, and of what the caller must show to have it again. */
  readonly request: string
  readonly scope: string
  readonly wireBase64: string
  readonly requirements: PaymentRequirements
  readonly answer: StoredAnswer | null
  readonly receipt: SettleResponse | null
}

/** What of an entry is kept in memory. */
interface Summary {
  readonly at: number
  readonly doneAt: number
  readonly bytes: number
  readonly isHeld: boolean
}

const summaryOf = ({ at, doneAt, answer, state }: PaymentEntry): Summary => ({
  at,
  doneAt,
  bytes: answer?.bodyBase64.length ?? 0,
  isHeld: answer !== null && state === 'done',
})

/** Keyed by payment identity. Ages by the clock it is given; keeps only ages and sizes in memory. */
export class PaymentBook {
  readonly #table: DurableTable<PaymentEntry>
  readonly #clock: Clock
  /** All entries, oldest first. */
  readonly #known = new Map<string, Summary>()
  /** Entries that still hold an answer to give back, by when it was settled. */
  readonly #held = new Map<string, number>()
  #answersBytes = 0
  #sweptAt = 0

  constructor(table: DurableTable<PaymentEntry>, clock: Clock) {
    this.#table = table
    this.#clock = clock
    const found: [identity: string, summary: Summary][] = []
    for (const [identity, entry] of table.entries()) found.push([identity, summaryOf(entry)])
    for (const [identity, summary] of found.sort(([, a], [, b]) => a.at - b.at)) this.#index(identity, summary)
  }

  has(identity: string): boolean {
    return this.#known.has(identity)
  }

  find(identity: string): PaymentEntry | undefined {
    return this.#known.has(identity) ? this.#table.get(identity) : undefined
  }

  /** Whether one more payment with an answer of `bytes` (as base64) fits. */
  hasRoom(bytes: number): boolean {
    return this.#known.size < paymentLimits.entriesMax && this.#answersBytes + bytes <= paymentLimits.answersBytesMax
  }

  /** Resolves when the entry would survive a power cut. */
  async put(identity: string, entry: PaymentEntry): Promise<void> {
    this.#index(identity, summaryOf(entry))
    await this.#table.put(identity, entry)
  }

  async remove(identity: string): Promise<void> {
    this.#answersBytes -= this.#known.get(identity)?.bytes ?? 0
    this.#known.delete(identity)
    this.#held.delete(identity)
    await this.#table.remove(identity)
  }

  /** Whether a settled answer is still given back. */
  isReplayable(entry: PaymentEntry): boolean {
    return entry.answer !== null && this.#clock.now() - entry.doneAt <= paymentLimits.replayMs
  }

  /** Drops answers older than 10 minutes and payments older than 24 hours, a bounded number at a time. */
  async sweep(): Promise<void> {
    const now = this.#clock.now()
    if (now - this.#sweptAt < paymentLimits.sweepEveryMs) return
    this.#sweptAt = now
    const work: Promise<void>[] = []
    for (const [identity, doneAt] of this.#held) {
      if (now - doneAt <= paymentLimits.replayMs || work.length >= paymentLimits.sweepEntriesMax) break
      this.#held.delete(identity)
      const entry = this.#table.get(identity)
      if (entry?.state === 'done') work.push(this.put(identity, { ...entry, answer: null }))
    }
    for (const [identity, { at }] of this.#known) {
      if (now - at <= paymentLimits.rememberMs || work.length >= paymentLimits.sweepEntriesMax) break
      work.push(this.remove(identity))
    }
    await Promise.all(work)
  }

  #index(identity: string, summary: Summary): void {
    this.#answersBytes += summary.bytes - (this.#known.get(identity)?.bytes ?? 0)
    this.#known.set(identity, summary)
    this.#held.delete(identity)
    if (summary.isHeld) this.#held.set(identity, summary.doneAt)
  }
}
