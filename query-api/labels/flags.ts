// What every rug and close flag means; each fires once per mint, at a chain position, with evidence.
import type { Flag } from '../../processors/mint/detectors/detector.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { DRAINED_PEAK_LAMPORTS, DRAINED_PERCENT, GRADUATION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { sol } from './states.ts'

interface FlagLabel {
  readonly fires_when: string
  readonly evidence: Readonly<Record<string, string>>
}

const PEAK = 'highest real SOL of the curve before migration'

const meanings: Readonly<Record<Flag, FlagLabel>> = {
  creator_sold: {
    fires_when: 'the first sell by a wallet of the dev set, on the curve or in the pool',
    evidence: { tokens_share: 'tokens sold / total supply', sol: 'SOL received, without fees' },
  },
  bundle_dumped: {
    fires_when: 'the wallets that bought in the create slot (dev set apart) have sold more than half of what they bought there',
    evidence: {
      n_wallets: 'wallets in the bundle',
      bought_share: 'tokens bought / total supply',
      sold_share: 'tokens sold again / total supply',
    },
  },
  curve_drained: {
    fires_when: `the curve is open, its peak was at least ${sol(DRAINED_PEAK_LAMPORTS)} SOL, and its real SOL is at most ${DRAINED_PERCENT} % of the peak`,
    evidence: { peak_rs: `${PEAK}`, rs: 'real SOL of the curve when the flag fired' },
  },
  pool_drained: {
    fires_when: `the quote reserve (real and virtual) of the pool that the curve moved to is at most ${DRAINED_PERCENT} % of what it opened with; pools that others opened are not looked at`,
    evidence: {
      opening_quote: 'reserve at the opening of the pool, SOL; base units where quote_mint says another quote',
      quote: 'reserve when the flag fired',
    },
  },
  curve_closed_low: {
    fires_when: `the curve completed without being witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL`,
    evidence: { peak_rs: PEAK },
  },
  migrate_below_grad: {
    fires_when: `a pool was created for a curve never witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL`,
    evidence: { peak_rs: PEAK, pool: 'address of the pool' },
  },
}

/** `detected` is false where this version does not look: such a flag is null in `flags`, never false. */
export const flags = Object.fromEntries(
  Object.entries(meanings).map(([flag, meaning]) => [flag, { ...meaning, detected: detectors.some((detector) => detector.flag === flag) }]),
)
