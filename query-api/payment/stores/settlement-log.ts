// The append-only settlement ledger: every payment whose settlement was attempted, with its outcome.
import type { PaymentEntry } from './idempotency-store.ts'

/** `settling` without a later line: the settlement is in progress, or the process died during it. */
export type SettlementState = 'settling' | 'settled' | 'uncertain' | 'refused' | 'unreached'

export interface SettlementLine {
  /** Wall ms of this line. */
  readonly at: number
  /** Wall ms of the first attempt. */
  readonly startedAt: number
  /** Identity of the payment, sha256 (hex). */
  readonly identity: string
  readonly state: SettlementState
  /** Path template of the question. */
  readonly path: string
  readonly payer: string
  /** Integer, in the smallest unit of `asset`: micro-USDC. */
  readonly amount: string
  /** CAIP-2. */
  readonly network: string
  readonly asset: string
  readonly payTo: string
  /** Id of the transaction, once known. */
  readonly transaction: string | null
  /** Reason of a refused, unreached or uncertain settlement. */
  readonly reason: string | null
  /** The signed payload on uncertain lines, which a chain lookup needs. */
  readonly signed: Readonly<Record<string, unknown>> | null
}

export interface SettlementLog {
  append(line: SettlementLine): Promise<void>
  /** Oldest first. */
  lines(): AsyncIterable<SettlementLine>
}

/** @param at wall ms of the line. */
export const lineOf = (identity: string, entry: PaymentEntry, state: SettlementState, at: number): SettlementLine => {
  const { path, payer, requirements } = entry
  const { amount, network, asset, payTo } = requirements
  const facts = { identity, state, path, payer, amount, network, asset, payTo }
  return { at, startedAt: entry.at, ...facts, transaction: null, reason: null, signed: null }
}

/** The last line of each payment, with `signed` from earlier lines, ordered by start. A `settled` line is final: later ones are ignored. */
export const settlementsOf = async (log: Pick<SettlementLog, 'lines'>): Promise<readonly SettlementLine[]> => {
  const byIdentity = new Map<string, SettlementLine>()
  for await (const line of log.lines()) {
    const before = byIdentity.get(line.identity)
    if (before?.state === 'settled' && line.state !== 'settled') continue
    byIdentity.set(line.identity, { ...line, signed: line.signed ?? before?.signed ?? null })
  }
  return [...byIdentity.values()].sort((a, b) => a.startedAt - b.startedAt)
}
