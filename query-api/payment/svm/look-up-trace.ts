// A look at the chain for a payment of the ledger, without a gate.

import type { SettlementLine } from '../books/settlement-log.ts'
import { paymentLimits } from '../limits.ts'
import type { Lookup } from '../rail.ts'
import { lookUp } from './chain-lookup.ts'
import { readTransaction } from './signed-transaction.ts'

export type { Lookup } from '../rail.ts'

/** Of CAIP-2 networks. */
export const isEvm = (network: string): boolean => network.startsWith('eip155:')

/** Undefined where no node is known, or what was signed is nothing that its chain could be asked for. */
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
  const transaction = typeof signed?.transaction === 'string' ? readTransaction(signed.transaction) : undefined
  return rpcUrl === undefined || transaction === undefined
    ? undefined
    : lookUp(rpcUrl, transaction, { triedAtMs: startedAt, pagesMax: paymentLimits.lookupPagesMax }, Date.now())
}
