// All detectors of the mint fold, in the order in which they speak at one position.
import { bundleDumped } from './bundle-dumped.ts'
import { curveClosedLow, migrateBelowGrad } from './closed-low.ts'
import { creatorSold } from './creator-sold.ts'
import { curveDrained } from './curve-drained.ts'
import type { Detector } from './detector.ts'
import { poolDrained } from './pool-drained.ts'

export const detectors: readonly Detector[] = [creatorSold, bundleDumped, curveDrained, curveClosedLow, migrateBelowGrad, poolDrained]
