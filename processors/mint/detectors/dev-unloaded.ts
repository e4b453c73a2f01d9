// dev_unloaded: the dev set has sold most of what it ever got. A shadow detector: whether it adds to creator_sold is being measured.
import { times } from '../../../schemas/amount.ts'
import { shareOf } from '../card/amounts.ts'
import { UNLOADED_PERCENT } from '../thresholds.ts'
import type { Detector } from './detector.ts'

/** Proven by the launch and the sell that went beyond the threshold. */
export const devUnloaded: Detector<{ soldPercent: number }> = {
  id: 'dev-unloaded',
  version: 1,
  tier: 'shadow',
  flag: 'dev_unloaded',
  bit: 512,
  firesWhen: `the dev set has sold at least ${UNLOADED_PERCENT} % of all the coins it ever got`,
  evidence: {
    bought_share: { type: 'share', words: 'coins it ever got / total supply' },
    sold_share: { type: 'share', words: 'coins it sold / total supply' },
  },
  headline: { is: 'soldShare', field: 'sold_share' },
  settings: { soldPercent: UNLOADED_PERCENT },
  find: ({ launch, curve }, { soldPercent }) => {
    const { devSoldUnits, devBoughtUnits } = curve
    if (devSoldUnits === 0 || devBoughtUnits === 0 || times(devSoldUnits, 100) < times(devBoughtUnits, soldPercent)) return undefined
    return { bought_share: shareOf(devBoughtUnits, launch.supplyUnits), sold_share: shareOf(devSoldUnits, launch.supplyUnits) }
  },
  proof: ({ launch }) => [launch],
}
