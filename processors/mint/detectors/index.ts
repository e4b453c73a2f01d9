// The detectors that are shipped, in the order in which they speak at one position. The wiring takes them from here, and nobody else.
import { bundleDumped } from './bundle-dumped.ts'
import { curveClosedLow, migrateBelowGrad } from './closed-low.ts'
import { creatorSold } from './creator-sold.ts'
import { curveDrained } from './curve-drained.ts'
import { poolDrained } from './pool-drained.ts'
import { detectorSet } from './set.ts'

export const detectors = detectorSet(creatorSold, bundleDumped, curveDrained, curveClosedLow, migrateBelowGrad, poolDrained)
