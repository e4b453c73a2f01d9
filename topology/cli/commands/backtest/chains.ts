// The chains that a backtest supports: their shipped detectors, their folds with a probe, and their market.

import type { CurveRowsSeen } from '../../../../processors/curve/detectors/detector.ts'
import { curveDetectors } from '../../../../processors/curve/detectors/index.ts'
import type { DetectorFacts, DetectorRows, Evidence, Settings } from '../../../../processors/mint/detectors/detector.ts'
import { detectors } from '../../../../processors/mint/detectors/index.ts'
import { detectorSet } from '../../../../processors/mint/detectors/set.ts'
import type { Chain } from '../../../../schemas/types.ts'
import type { FoldsWith } from '../../../backtest/backtest.ts'
import { type Tunable, tunable } from '../../../backtest/trials/candidate.ts'
import { CURVES, type Market, MINTS, type SeenRows } from '../../../backtest/trials/market.ts'
import { CURVE_RISK, curveRisk } from '../../../curve-risk.ts'
import { LAUNCH_RISK, launchRisk } from '../../../launch-risk.ts'
import { CurveReplay } from '../../../runtime/curve-replay.ts'
import { Replay } from '../../../runtime/replay.ts'
import type { Batch } from '../recordings/replay-file.ts'

/** A chain and the rows that its detectors read. */
export interface BacktestChain<Rows extends SeenRows> {
  readonly chain: Chain
  readonly of: 'mint' | 'curve'
  readonly market: Market<Rows>
  readonly shipped: readonly Tunable<Rows>[]
  readonly folds: FoldsWith<Rows, Batch>
  /** Whether launches are priced in the chain's own coin, so a buyer can be simulated. */
  readonly isBought: boolean
}

/** A detector that never fires. It runs after the shipped ones and receives the same rows. */
const probeOf = <Rows>(see: (rows: Rows) => void) => ({
  ...{ id: 'backtest-probe', version: 1, tier: 'shadow' as const, flag: 'backtest_probe', bit: 2 ** 15, settings: {} },
  ...{ firesWhen: 'never', evidence: {} },
  find: (rows: Rows): undefined => see(rows) as undefined,
  proof: () => [],
})

type Found<Rows> = DetectorFacts & { find(rows: Rows, settings: Settings): Evidence | undefined }
const tunables = <Rows>(all: readonly Found<Rows>[]): readonly Tunable<Rows>[] =>
  all.filter(({ tier }) => tier !== 'retired').map((detector) => tunable<Rows>(detector))

export const OF_MINTS: BacktestChain<DetectorRows> = {
  ...{ chain: LAUNCH_RISK.chain.name, of: 'mint', market: MINTS, isBought: true },
  shipped: tunables(detectors.all),
  folds: (see) => new Replay(launchRisk(detectorSet(...detectors.all, probeOf(see)))) as ReturnType<FoldsWith<DetectorRows, Batch>>,
}
export const OF_CURVES: BacktestChain<CurveRowsSeen> = {
  ...{ chain: CURVE_RISK.chain.name, of: 'curve', market: CURVES, isBought: false },
  shipped: tunables(curveDetectors.all),
  folds: (see) =>
    new CurveReplay(curveRisk(detectorSet(...curveDetectors.all, probeOf(see)))) as ReturnType<FoldsWith<CurveRowsSeen, Batch>>,
}
