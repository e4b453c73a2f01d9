// Whom thin cards ask for accounts: the source's own chain, else the node that is set, else nobody.

import { accountsOf } from '../../launch-risk.ts'
import type { AccountReader } from '../../ports/accounts.ts'
import { sharedAccounts } from '../../sources/shared-accounts.ts'

/** Members of the API's dependencies. `ofSource` wins: a demo's mints are on no other chain. */
export const openAccounts = (
  ofSource: AccountReader | undefined,
  rpcUrl: string | null,
  notice: (code: string, facts: Record<string, string | number>) => void,
): { readonly accounts?: AccountReader } => {
  if (ofSource !== undefined) return { accounts: ofSource }
  return rpcUrl === null ? {} : { accounts: sharedAccounts(accountsOf({ url: rpcUrl, notice })) }
}
