// The records of a sale. A failed write is reported and never breaks a sale: with the earlier records, the outcome is found on the chain.
import { messageOf } from '../../../schemas/errors.ts'
import type { Clock } from '../../../topology/ports/chain-view.ts'
import type { Purchase } from '../purchase.ts'
import type { Kept, PaymentEntry } from './idempotency-store.ts'
import { lineOf, type SettlementLine, type SettlementLog, type SettlementState } from './settlement-log.ts'

export interface RecordsOptions {
  readonly log: SettlementLog
  readonly clock: Clock
  readonly notice: (code: string, facts: Record<string, string | number>) => void
}

export class Records {
  readonly #options: RecordsOptions

  constructor(options: RecordsOptions) {
    this.#options = options
  }

  /** The result of a write to the idempotency store; undefined if the store failed. */
  async kept(identity: string, write: () => Promise<Kept>): Promise<Kept | undefined> {
    try {
      return await write()
    } catch (error) {
      this.#options.notice('payment_store_failed', { identity, reason: messageOf(error) })
      return undefined
    }
  }

  /** Starts what was bought. False if that failed: a retry finds the settlement on the chain and starts it. */
  async begun(identity: string, { answer }: PaymentEntry, { settled }: Pick<Purchase, 'settled'>): Promise<boolean> {
    if (settled === undefined || answer === null) return true
    try {
      await settled(answer)
      return true
    } catch (error) {
      this.#options.notice('sold_not_begun', { identity, reason: messageOf(error) })
      return false
    }
  }

  /** Appends a line to the settlement ledger. */
  async line(identity: string, entry: PaymentEntry, state: SettlementState, more: Partial<SettlementLine> = {}): Promise<void> {
    const { log, clock, notice } = this.#options
    try {
      await log.append({ ...lineOf(identity, entry, state, clock.now()), ...more })
    } catch (error) {
      notice('settlement_log_failed', { identity, reason: messageOf(error) })
    }
  }
}
