// A look at the chain for a payment of the ledger, without a gate.
import { lookUp } from './chain-lookup.ts'
import type { Lookup } from './rail.ts'
import type { SettlementLine } from './settlement-log.ts'
import { readTransaction } from './signed-transaction.ts'

export type { Lookup } from './rail.ts'

/** Undefined where no node is known, or what was signed is nothing that its chain could be asked for. */
export const lookUpTrace = async (
  rpcUrl: string | undefined,
  { signed, startedAt }: Pick<SettlementLine, 'signed' | 'startedAt'>,
): Promise<Lookup | undefined> => {
  const transaction = typeof signed?.transaction === 'string' ? readTransaction(signed.transaction) : undefined
  return rpcUrl === undefined || transaction === undefined ? undefined : lookUp(rpcUrl, transaction, startedAt, Date.now())
}
