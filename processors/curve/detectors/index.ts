// The shipped detectors of curves, in their order at one position. Only the wiring imports them.
import { detectorSet, hashed } from '../../mint/detectors/set.ts'
import { curveDrained } from './curve-drained.ts'
import { deployerSold } from './deployer-sold.ts'
import type { CurveDetector } from './detector.ts'
import { HASHES } from './hashes.ts'

const shipped: readonly CurveDetector[] = [deployerSold, curveDrained]

export const curveDetectors = detectorSet(...shipped.map((detector) => hashed(detector, HASHES)))
