// The book of payments of one process: a durable table with limits. The data directory's lock excludes a second process.

import type { Clock } from '../../../topology/ports/chain-view.ts'
import type { DurableTable } from '../../../topology/ports/ledger.ts'
import { paymentLimits } from '../limits.ts'
import type { Claimed, IdempotencyStore, Kept, PayerIdentifier, PaymentEntry } from './idempotency-store.ts'

/** The in-memory part of an entry. */
interface Summary {
  readonly at: number
  readonly doneAt: number
  readonly bytes: number
  readonly isHeld: boolean
  /** Key of `#bound`. */
  readonly identifier: string | null
}

const keyOf = ({ id, payer }: PayerIdentifier): string => `${id} ${payer}`

const summaryOf = ({ at, doneAt, answer, state, identifier, payer }: PaymentEntry): Summary => ({
  at,
  doneAt,
  bytes: answer?.bodyBase64.length ?? 0,
  isHeld: answer !== null && state === 'done',
  identifier: identifier === null ? null : keyOf({ id: identifier, payer }),
})

/** Expires entries by the given clock; keeps only ages and sizes in memory. */
export class TableIdempotencyStore implements IdempotencyStore {
  readonly #table: DurableTable<PaymentEntry>
  readonly #clock: Clock
  /** All entries, oldest first. */
  readonly #known = new Map<string, Summary>()
  /** Time of settlement of the entries with a stored answer. */
  readonly #held = new Map<string, number>()
  readonly #claimed = new Set<string>()
  /** Refused payments, oldest first. Not durable: copies in progress in this process end with the process. */
  readonly #refused = new Map<string, { readonly reason: string; readonly at: number }>()
  /** Identities by payment-identifier and payer, of entries and of claims. */
  readonly #bound = new Map<string, string>()
  #answersBytes = 0
  #sweptAt = 0

  constructor(table: DurableTable<PaymentEntry>, clock: Clock) {
    this.#table = table
    this.#clock = clock
    const found: [identity: string, summary: Summary][] = []
    for (const [identity, entry] of table.entries()) found.push([identity, summaryOf(entry)])
    for (const [identity, summary] of found.sort(([, a], [, b]) => a.at - b.at)) this.#index(identity, summary)
  }

  async claim(identity: string, sent: PayerIdentifier | null): Promise<Claimed> {
    const identifier = sent && keyOf(sent)
    const other = identifier === null ? undefined : this.#bound.get(identifier)
    if (other !== undefined && other !== identity) return { kind: 'bound', identity: other }
    if (this.#claimed.has(identity)) return { kind: 'busy' }
    const refusal = this.#refused.get(identity)
    if (refusal !== undefined && !this.#isOver(refusal)) return { kind: 'refused', reason: refusal.reason }
    const entry = this.#known.has(identity) ? this.#table.get(identity) : undefined
    this.#claimed.add(identity)
    if (identifier !== null) this.#bound.set(identifier, identity)
    const claim = {
      entry,
      put: (next: PaymentEntry) => this.#put(identity, next),
      remove: () => this.#remove(identity),
      refuse: (reason: string) => this.#refuse(identity, reason),
      release: async () => {
        this.#claimed.delete(identity)
        if (identifier !== null && this.#known.get(identity)?.identifier !== identifier) this.#unbind(identifier, identity)
      },
    }
    return { kind: 'claimed', claim }
  }

  async has(identity: string, identifier: PayerIdentifier | null): Promise<boolean> {
    return this.#known.has(identity) || (identifier !== null && this.#bound.has(keyOf(identifier)))
  }

  /** Does not close the table, which its opener closes. */
  async close(): Promise<void> {}

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
      if (entry?.state === 'done') work.push(this.#write(identity, { ...entry, answer: null }))
    }
    for (const [identity, { at }] of this.#known) {
      if (now - at <= paymentLimits.rememberMs || work.length >= paymentLimits.sweepEntriesMax) break
      work.push(this.#forget(identity))
    }
    await Promise.all(work)
  }

  async #put(identity: string, entry: PaymentEntry): Promise<Kept> {
    if (!this.#known.has(identity) && !this.#hasRoom(entry.answer?.bodyBase64.length ?? 0)) return 'full'
    await Promise.all([this.#write(identity, entry), this.sweep()])
    return 'kept'
  }
  async #remove(identity: string): Promise<Kept> {
    await Promise.all([this.#forget(identity), this.sweep()])
    return 'kept'
  }
  async #refuse(identity: string, reason: string): Promise<Kept> {
    await this.#remove(identity)
    for (const [old, refusal] of this.#refused) {
      if (!this.#isOver(refusal)) break
      this.#refused.delete(old)
    }
    if (this.#refused.size >= paymentLimits.refusalsMax) return 'full'
    this.#refused.set(identity, { reason, at: this.#clock.now() })
    return 'kept'
  }

  /** Keeps the identifier if another payment has taken it in the meantime. */
  #unbind(identifier: string, identity: string): void {
    if (this.#bound.get(identifier) === identity) this.#bound.delete(identifier)
  }
  #isOver({ at }: { readonly at: number }): boolean {
    return this.#clock.now() - at > paymentLimits.landWithinMs
  }
  #hasRoom(bytes: number): boolean {
    return this.#known.size < paymentLimits.entriesMax && this.#answersBytes + bytes <= paymentLimits.answersBytesMax
  }

  async #write(identity: string, entry: PaymentEntry): Promise<void> {
    this.#index(identity, summaryOf(entry))
    await this.#table.put(identity, entry)
  }
  async #forget(identity: string): Promise<void> {
    const known = this.#known.get(identity)
    this.#answersBytes -= known?.bytes ?? 0
    if (known?.identifier) this.#unbind(known.identifier, identity)
    this.#known.delete(identity)
    this.#held.delete(identity)
    await this.#table.remove(identity)
  }

  #index(identity: string, summary: Summary): void {
    this.#answersBytes += summary.bytes - (this.#known.get(identity)?.bytes ?? 0)
    this.#known.set(identity, summary)
    this.#held.delete(identity)
    if (summary.isHeld) this.#held.set(identity, summary.doneAt)
    if (summary.identifier !== null) this.#bound.set(summary.identifier, identity)
  }
}
