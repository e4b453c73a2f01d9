// The account reader of thin cards: the source's own chain, else the configured node, else none.

import { accountsOf } from '../../launch-risk.ts'
import type { AccountReader } from '../../ports/accounts.ts'
import { sharedAccounts } from '../../sources/shared-accounts.ts'

/** `ofSource` wins: the mints of a demo are on no other chain. */
export const openAccounts = (
  ofSource: AccountReader | undefined,
  rpcUrl: string | null,
  notice: (code: string, facts: Record<string, string | number>) => void,
): { readonly accounts?: AccountReader } => {
  if (ofSource !== undefined) return { accounts: ofSource }
  return rpcUrl === null ? {} : { accounts: sharedAccounts(accountsOf({ url: rpcUrl, notice })) }
}
