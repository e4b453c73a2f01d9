// curve_drained: an open curve that had at least 0.1 of the native unit is down to a fifth of its peak.
import { signatureText } from '../../../schemas/keys.ts'
import { isAtMostPercent } from '../../mint/fold/reserves.ts'
import { inNative } from '../card/amounts.ts'
import { notNativeOf } from '../card/nulls.ts'
import { isNative, isOpen } from '../rows.ts'
import { DRAINED_PEAK_UNITS, DRAINED_PERCENT } from '../thresholds.ts'
import type { CurveDetector } from './detector.ts'
import { TX_HASH } from './fields.ts'

/** Proven by the event of the peak and the causing one. */
export const curveDrained: CurveDetector = {
  id: 'curve-drained',
  version: 1,
  flag: 'curve_drained',
  bit: 2,
  firesWhen: `the curve is open, its peak was at least ${inNative(DRAINED_PEAK_UNITS)} ETH, and its real ETH is at most ${DRAINED_PERCENT} % of the peak`,
  thresholds: { peak_min_eth: inNative(DRAINED_PEAK_UNITS), rest_max_share: DRAINED_PERCENT / 100 },
  evidence: {
    peak_eth: { type: 'amount', unit: 'ETH', words: 'highest real reserve of the curve' },
    eth: { type: 'amount', unit: 'ETH', words: 'real reserve of the curve when the flag fired' },
    peak_tx_hash: { type: 'text', words: 'hash of the transaction of the peak' },
    tx_hash: TX_HASH,
  },
  headline: { is: 'loss', before: 'peak_eth', after: 'eth' },
  notJudged: (launch) => (isNative(launch) ? undefined : `${notNativeOf(launch)}: its threshold is in ETH`),
  find: ({ launch, figures, signature }) => {
    const { realQuoteUnits, peakQuoteUnits, peakSignature } = figures
    if (peakQuoteUnits < DRAINED_PEAK_UNITS || !isNative(launch) || !isOpen(figures)) return undefined
    if (signature === null || peakSignature === null || !isAtMostPercent(realQuoteUnits, peakQuoteUnits, DRAINED_PERCENT)) return undefined
    const [peak_eth, eth] = [inNative(peakQuoteUnits), inNative(realQuoteUnits)]
    return { peak_eth, eth, peak_tx_hash: signatureText(peakSignature), tx_hash: signatureText(signature) }
  },
  proof: ({ launch, figures }) =>
    figures.peakNumber === -1
      ? [launch]
      : [{ number: figures.peakNumber, tx: figures.peakTx, outer: figures.peakOuter, inner: figures.peakInner, hash8: figures.peakHash8 }],
}
