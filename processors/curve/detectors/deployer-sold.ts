// deployer_sold: the first sell of the deployer on the curve.
import { signatureText } from '../../../schemas/keys.ts'
import { shareOf } from '../../mint/card/amounts.ts'
import { inNative } from '../card/amounts.ts'
import { notNativeOf } from '../card/nulls.ts'
import { isNative } from '../rows.ts'
import type { CurveDetector } from './detector.ts'
import { TX_HASH } from './fields.ts'

/** Proven by the launch and the sell. */
export const deployerSold: CurveDetector = {
  id: 'deployer-sold',
  version: 1,
  tier: 'active',
  flag: 'deployer_sold',
  bit: 1,
  firesWhen: 'the first sell of the deployer on the curve, called by itself or through a router',
  evidence: {
    tokens_share: { type: 'share', words: 'tokens sold / total supply' },
    eth: { type: 'amount', unit: 'ETH', isNullable: true, words: 'received for them, after fees' },
    tx_hash: TX_HASH,
  },
  headline: { is: 'soldShare', field: 'tokens_share' },
  settings: {},
  find: ({ launch, figures, signature }) => {
    if (figures.deployerSells === 0 || signature === null) return undefined
    const tokens_share = shareOf(figures.deployerFirstSellUnits, launch.supplyUnits)
    const tx_hash = signatureText(signature)
    if (isNative(launch)) return { tokens_share, eth: inNative(figures.deployerFirstSellQuoteUnits), tx_hash }
    return { tokens_share, eth: null, eth_reason: notNativeOf(launch), tx_hash }
  },
  proof: ({ launch }) => [launch],
}
