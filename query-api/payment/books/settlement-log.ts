// The ledger of settlements: every payment that reached its settlement, with what became of it. Appended to, never rewritten.
import type { PaymentEntry } from './payment-book.ts'

/** `settling` without a later line: the process died in it. */
export type SettlementState = 'settling' | 'settled' | 'uncertain' | 'refused' | 'unreached'

export interface SettlementLine {
  /** Wall ms of this line. */
  readonly at: number
  /** Wall ms of the first attempt. */
  readonly startedAt: number
  /** Of the payment: sha256 (hex). */
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
  /** Its name on the chain, once known. */
  readonly transaction: string | null
  /** Why it is refused, unreached or uncertain. */
  readonly reason: string | null
  /** What was signed, on lines that are uncertain: it takes that to find it on the chain. */
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

/** One line a payment, its last with what earlier ones knew more of, by when each was started. */
export const settlementsOf = async (log: Pick<SettlementLog, 'lines'>): Promise<readonly SettlementLine[]> => {
  const byIdentity = new Map<string, SettlementLine>()
  for await (const line of log.lines()) {
    const before = byIdentity.get(line.identity)
    if (before?.state === 'settled' && line.state !== 'settled') continue
    byIdentity.set(line.identity, { ...line, signed: line.signed ?? before?.signed ?? null })
  }
  return [...byIdentity.values()].sort((a, b) => a.startedAt - b.startedAt)
}
