// The newest payment to a wallet in the last half hour, and the record of the payer's own launches: pure functions of rows and a moment.
import { keyText } from '../../schemas/keys.ts'
import { comparePositions, formatPosition } from '../../schemas/position.ts'
import type { CreatorState, PaymentRow, WalletState } from '../../schemas/types.ts'
import type { ChainFacts } from '../chains/chain.ts'
import { shareOf, solOf } from '../mint/card/amounts.ts'
import { explain } from '../mint/card/explain.ts'
import { FUNDING_S } from '../wallet/wallet.ts'
import { type CreatorFigures, figuresOf } from './rows.ts'

/** The newest payment in the 30 minutes before `asOf` (unix seconds); `state` is undefined for a wallet without rows. */
export const newestPayment = (state: WalletState | undefined, asOf: number): PaymentRow | undefined =>
  state?.payments.reduce<PaymentRow | undefined>(
    (newest, row) => (row.at < asOf - FUNDING_S || (newest !== undefined && comparePositions(newest, row) > 0) ? newest : row),
    undefined,
  )

/** The funder's own launches. `noneResolved`: the reason for a null rate. */
export const funderPrior = (
  { launches, resolved, rugged }: Pick<CreatorFigures, 'launches' | 'resolved' | 'rugged'>,
  noneResolved: string,
) => explain({ n_launches: launches, rug_rate: resolved === 0 ? null : shareOf(rugged, resolved) }, { rug_rate: noneResolved })

const NOT_SEEN = `no payment of 0.1 SOL or more was seen in the last ${FUNDING_S / 60} minutes`

/** @param unseen why payments may be missing; null where none can be missing. @param funder rows of the payer */
export const fundedRecentlyPart = (
  payment: PaymentRow | undefined,
  funder: CreatorState | undefined,
  asOf: number,
  unseen: string | null,
  { name: chain }: ChainFacts,
) => {
  if (payment === undefined)
    return { funded_recently_by: null, funded_recently_by_reason: unseen === null ? NOT_SEEN : `${NOT_SEEN}; ${unseen}` }
  return {
    funded_recently_by: {
      funder: keyText(payment.funder),
      amount_sol: solOf(payment.amountLamports),
      funded_at: payment.at,
      position: formatPosition({ chain, ...payment }),
      funder_prior: funderPrior(figuresOf(funder?.days ?? [], funder?.sells ?? [], asOf), 'no launch of the funder has resolved'),
    },
  }
}
