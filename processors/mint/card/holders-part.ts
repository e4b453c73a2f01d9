// Holders of the coin on the card: shares, insiders with the rules they match, entities.
import { type Amount, times } from '../../../schemas/amount.ts'
import { keyText } from '../../../schemas/keys.ts'
import type { CurveRow, LaunchRow, MintState } from '../../../schemas/types.ts'
import { FUNDING_S } from '../../wallet/wallet.ts'
import { uncounted } from '../fold/crowd.ts'
import { entitiesPart } from '../fold/entities.ts'
import { type Holdings, hhiOf, holdingsOf, NO_HOLDERS } from '../fold/holdings.ts'
import { ROLE_CREATE_TX, ROLE_FUNDED, ROLE_RECEIVED } from '../rows.ts'
import { INSIDERS_SHOWN_MAX, SUPPLY_UNITS } from '../thresholds.ts'
import { shareOf, tokensOf } from './amounts.ts'
import { afterGap } from './card-parts.ts'
import { explain } from './explain.ts'
import { areHoldersKnown } from './labels.ts'
import type { Moment } from './moment.ts'

/** The insider rules that a wallet matches. */
const rulesOf = (roles: number): string[] => [
  ...((roles & ROLE_RECEIVED) !== 0 ? ['a'] : []),
  ...((roles & ROLE_FUNDED) !== 0 ? ['b'] : []),
  ...((roles & ROLE_CREATE_TX) !== 0 ? ['c'] : []),
]

/**
 * Why insiders cannot be told: payments and transfers inside calls were not recorded at a time at which they could have made a wallet an
 * insider. Undefined if they were.
 */
export const unseenInsiders = (launch: LaunchRow, { callsUnseenAt = null }: Pick<Moment, 'callsUnseenAt'>): string | undefined =>
  callsUnseenAt === null || callsUnseenAt < launch.at - FUNDING_S
    ? undefined
    : `the node recorded no inner instructions at ${callsUnseenAt} (unix seconds): transfers and funding inside calls are unseen`

/** Insiders by funding include only payments that were seen: if some may be missing, the reason is added. */
export const unknownInsiders = (launch: LaunchRow, { warm }: MintState, moment: Pick<Moment, 'callsUnseenAt'>) => {
  const unseen = unseenInsiders(launch, moment)
  if (unseen !== undefined) return { insider_share_reason: unseen }
  if (warm === null) return { insider_share_reason: 'pending: payments to the creator and the buyers are known 8 to 11 slots later' }
  if (warm.observedSince <= launch.at - FUNDING_S) return {}
  return { insider_share_reason: `payments before ${warm.observedSince} (unix seconds) are not known: wallets funded then are not counted` }
}

/** Shares are of total supply, hhi of circulating coins. */
export const holdersPart = (
  launch: LaunchRow,
  curve: CurveRow,
  state: MintState,
  holdings: Holdings,
  moment: Pick<Moment, 'callsUnseenAt'>,
) => {
  const unseenReason = unseenInsiders(launch, moment)
  const isKnown = areHoldersKnown(curve)
  const share = (units: Amount): number | null => (isKnown ? shareOf(units, launch.supplyUnits) : null)
  const reason = afterGap(curve)
  const uncountedReason = isKnown ? uncounted(state) : reason
  const { insiders } = holdings
  const part = explain(
    {
      n_holders: uncountedReason === undefined ? holdings.holders : null,
      top5_share: share(holdings.topFiveUnits),
      hhi: isKnown ? (hhiOf(holdings) ?? null) : null,
      dev_share: share(holdings.devUnits),
      bundle_share: share(holdings.bundleUnits),
      insider_share: unseenReason === undefined ? share(holdings.insiderUnits) : null,
      n_bundle_wallets: curve.bundleWallets,
      bundle_dumped: times(curve.bundleSoldUnits, 2) > curve.bundleBoughtUnits,
      supply_tokens: tokensOf(launch.supplyUnits),
      circulating_tokens: isKnown ? tokensOf(holdings.circulatingUnits) : null,
    },
    {
      n_holders: uncountedReason ?? reason,
      top5_share: reason,
      hhi: isKnown ? NO_HOLDERS : reason,
      dev_share: reason,
      bundle_share: reason,
      insider_share: unseenReason ?? reason,
      circulating_tokens: reason,
    },
  )
  if (!isKnown) return part
  const named = insiders.slice(0, INSIDERS_SHOWN_MAX)
  const insiderItems = named.map(({ wallet, units, roles }) => ({
    wallet: keyText(wallet),
    rules: rulesOf(roles),
    tokens_share: shareOf(units, launch.supplyUnits),
  }))
  return {
    ...part,
    ...unknownInsiders(launch, state, moment),
    ...(unseenReason === undefined ? { n_insider_wallets: insiders.length, insiders: insiderItems } : {}),
    entities: entitiesPart(launch, state, holdings.circulatingUnits),
    ...(launch.mayhem && launch.supplyUnits <= SUPPLY_UNITS
      ? { supply_tokens_reason: "as stated by the launch: no coins were seen minted to the launchpad's agent, or it burnt them" }
      : {}),
  }
}

/** The shares in lists. */
export const holdersInShort = (launch: LaunchRow, curve: CurveRow, state: MintState, moment: Pick<Moment, 'callsUnseenAt'>) => {
  const unseenReason = unseenInsiders(launch, moment)
  const isKnown = areHoldersKnown(curve)
  const { holders, topFiveUnits, bundleUnits, insiderUnits } = holdingsOf(state)
  const share = (units: Amount): number | null => (isKnown ? shareOf(units, launch.supplyUnits) : null)
  const reason = afterGap(curve)
  const uncountedReason = isKnown ? uncounted(state) : reason
  return {
    ...explain(
      {
        n_holders: uncountedReason === undefined ? holders : null,
        top5_share: share(topFiveUnits),
        bundle_share: share(bundleUnits),
        insider_share: unseenReason === undefined ? share(insiderUnits) : null,
      },
      { n_holders: uncountedReason ?? reason, top5_share: reason, bundle_share: reason, insider_share: unseenReason ?? reason },
    ),
    ...(isKnown ? unknownInsiders(launch, state, moment) : {}),
  }
}
