// A wallet's holding of a mint, from the rows of the mint: a pure function.
import { type Key, keyText } from '../../schemas/keys.ts'
import type { MintState } from '../../schemas/types.ts'
import { shareOf } from '../mint/card/amounts.ts'
import { afterGap, curveSolOf } from '../mint/card/card-parts.ts'
import { explain } from '../mint/card/explain.ts'
import { areHoldersKnown } from '../mint/card/labels.ts'
import { isVault } from '../mint/fold/holdings.ts'

/** Length of the window over which the API sums a wallet's results, seconds. */
export const RESULTS_S = 3 * 86_400
/** Maximum number of launches, the newest, that are searched for holdings of a wallet. */
export const HOLDINGS_MINTS_MAX = 3_000

/** Undefined for a wallet without coins of the mint, and for the accounts of its curve and pools. */
export const liveHolding = (mint: Key, state: MintState, wallet: Key) => {
  const { launch, curve } = state
  const holder = state.holders.find((row) => row.wallet === wallet)
  if (launch === null || curve === null || holder === undefined || isVault(state, holder)) return undefined
  const isKnown = areHoldersKnown(curve)
  if (isKnown && holder.units <= 0) return undefined
  const isSol = curve.quoteMint === null
  return explain(
    {
      mint: keyText(mint),
      tokens_share: isKnown ? shareOf(holder.units, launch.supplyUnits) : null,
      first_buy_slot: holder.firstBuyNumber < 0 ? null : holder.firstBuyNumber,
      rs_sol: curveSolOf(curve),
    },
    {
      tokens_share: afterGap(curve),
      first_buy_slot: 'no buy of the wallet was observed: the coins came without a trade',
      rs_sol: isSol ? 'the reserves of the curve are not known' : 'the curve is not paired with SOL',
    },
  )
}
