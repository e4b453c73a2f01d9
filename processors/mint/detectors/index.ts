// The shipped detectors, in their order at one position. Only the wiring imports them.
import { bundleDumped } from './bundle-dumped.ts'
import { curveClosedLow, migrateBelowGrad } from './closed-low.ts'
import { creatorSold } from './creator-sold.ts'
import { curveDrained } from './curve-drained.ts'
import type { Detector } from './detector.ts'
import { devUnloaded } from './dev-unloaded.ts'
import { HASHES } from './hashes.ts'
import { poolDrained } from './pool-drained.ts'
import { detectorSet, hashed } from './set.ts'

const shipped: readonly Detector[] = [creatorSold, bundleDumped, curveDrained, curveClosedLow, migrateBelowGrad, poolDrained, devUnloaded]

export const detectors = detectorSet(...shipped.map((detector) => hashed(detector, HASHES)))
