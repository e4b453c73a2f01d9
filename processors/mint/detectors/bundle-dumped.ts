// bundle_dumped: the wallets outside the dev set that bought in the create slot have sold more than half of what they bought there.
import { comparePositions, isTick } from '../../../schemas/position.ts'
import { shareOf } from '../amounts.ts'
import { BIT_BUNDLE_DUMPED } from '../rows.ts'
import type { Detector } from './detector.ts'

/**
 * Evidence {n_wallets, bought_share, sold_share}: shares of total supply. Judged once the create slot has ended, because only then is it
 * known who belongs to the bundle; a bundle that sold within the slot fires at its tick.
 */
export const bundleDumped: Detector = {
  id: 'bundle-dumped',
  version: 1,
  flag: 'bundle_dumped',
  bit: BIT_BUNDLE_DUMPED,
  find: ({ launch, curve, position }) => {
    if (curve.bundleSoldUnits * 2 <= curve.bundleBoughtUnits) return undefined
    if (position.number === launch.number && !isTick(position)) return undefined
    return {
      n_wallets: curve.bundleWallets,
      bought_share: shareOf(curve.bundleBoughtUnits, launch.supplyUnits),
      sold_share: shareOf(curve.bundleSoldUnits, launch.supplyUnits),
    }
  },
  proof: ({ launch }, proofs) => [launch, ...[...proofs].sort(comparePositions)],
}
