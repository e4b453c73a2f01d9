// Chain lookup of a payment in the settlement ledger, without a payment gate.

import { paymentLimits } from '../limits.ts'
import type { Lookup } from '../rail.ts'
import type { SettlementLine } from '../stores/settlement-log.ts'
import { lookUp } from './chain-lookup.ts'
import { transactionIn } from './signed-transaction.ts'

export type { Lookup } from '../rail.ts'

/** @param network CAIP-2 id. */
export const isEvm = (network: string): boolean => network.startsWith('eip155:')

/** Undefined without an RPC URL, or if the signed payload is not a payment that its chain can look up. */
export const lookUpTrace = async (
  rpcUrl: string | undefined,
  { signed, startedAt, network, ...sale }: Pick<SettlementLine, 'signed' | 'startedAt' | 'network' | 'asset' | 'payTo' | 'amount'>,
): Promise<Lookup | undefined> => {
  if (rpcUrl !== undefined && signed !== null && isEvm(network)) {
    const [{ authorizationIn }, { lookUpAuthorization }] = await Promise.all([
      import('../evm/authorization.ts'),
      import('../evm/lookup.ts'),
    ])
    const authorization = authorizationIn(signed)
    return authorization && lookUpAuthorization(rpcUrl, authorization, sale)
  }
  const transaction = signed === null ? undefined : transactionIn(signed)
  return rpcUrl === undefined || transaction === undefined
    ? undefined
    : lookUp(rpcUrl, transaction, { triedAtMs: startedAt, pagesMax: paymentLimits.lookupPagesMax }, Date.now())
}
