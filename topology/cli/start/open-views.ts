// Opens the views of all chains, and what the API needs of the chains other than the primary one.
import { CURVE_RISK } from '../../curve-risk.ts'
import { LAUNCH_RISK } from '../../launch-risk.ts'
import type { PageStore } from '../../ports/keyed-pages.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { Topology } from '../../topology.ts'
import { LogCurveView } from '../../views/curve-view.ts'
import { LogMintView } from '../../views/mint-view.ts'
import type { ShownCurves } from '../wiring/open-api.ts'
import type { FollowedView } from './begin-folds.ts'
import { type ChainHere, hereOf } from './open-chains.ts'

interface Kept {
  /** For records of the views. */
  readonly pages: PageStore
  readonly isShared: boolean
  readonly isRecorded: boolean
}

export interface OpenViews {
  readonly mints: LogMintView
  readonly curves: LogCurveView
  readonly shownCurves: ShownCurves
  readonly all: ReadonlyMap<Topology, FollowedView>
}

/**
 * `isShared`: other processes may capture the chains that this one does not; `isRecorded`: frames have their last finality already. Views
 * read nothing until they are started.
 */
export const openViews = (log: Log, chains: readonly ChainHere[], { pages, isShared, isRecorded }: Kept, notice: Notice): OpenViews => {
  const mints = new LogMintView(log, LAUNCH_RISK, hereOf(chains, LAUNCH_RISK).source, Date.now, notice, pages)
  const { own, source: clock, facts: source } = hereOf(chains, CURVE_RISK)
  const curves = new LogCurveView(log, CURVE_RISK, clock, Date.now, notice)
  return {
    ...{ mints, curves },
    shownCurves: {
      ...{ view: curves, clock, source, isFollowed: own !== null || isShared },
      finalityOf: () => (isRecorded ? 'finalized' : 'processed'),
    },
    all: new Map<Topology, FollowedView>([
      [LAUNCH_RISK, mints],
      [CURVE_RISK, curves],
    ]),
  }
}
