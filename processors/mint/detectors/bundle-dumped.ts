// bundle_dumped: the wallets outside the dev set that bought in the create slot have sold more than half of what they bought there.
import { times } from '../../../schemas/amount.ts'
import { comparePositions, isTick } from '../../../schemas/position.ts'
import { shareOf } from '../card/amounts.ts'
import { DUMPED_PERCENT } from '../thresholds.ts'
import type { Detector } from './detector.ts'

/**
 * Judged once the create slot has ended, because only then the members of the bundle are known; a bundle that sold within the slot fires at
 * the slot's tick.
 */
export const bundleDumped: Detector<{ soldPercent: number }> = {
  id: 'bundle-dumped',
  version: 1,
  tier: 'active',
  flag: 'bundle_dumped',
  bit: 2,
  firesWhen: 'the wallets that bought in the create slot (dev set apart) have sold more than half of what they bought there',
  evidence: {
    n_wallets: { type: 'count', words: 'wallets in the bundle' },
    bought_share: { type: 'share', words: 'tokens bought / total supply' },
    sold_share: { type: 'share', words: 'tokens sold again / total supply' },
  },
  headline: { is: 'soldShare', field: 'sold_share' },
  settings: { soldPercent: DUMPED_PERCENT },
  find: ({ launch, curve, position }, { soldPercent }) => {
    if (times(curve.bundleSoldUnits, 100) <= times(curve.bundleBoughtUnits, soldPercent)) return undefined
    if (position.number === launch.number && !isTick(position)) return undefined
    return {
      n_wallets: curve.bundleWallets,
      bought_share: shareOf(curve.bundleBoughtUnits, launch.supplyUnits),
      sold_share: shareOf(curve.bundleSoldUnits, launch.supplyUnits),
    }
  },
  proof: ({ launch }, proofs) => [launch, ...[...proofs].sort(comparePositions)],
}
