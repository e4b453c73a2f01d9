// The detectors of curves that are shipped, in the order in which they run at one position. The wiring takes them from here.
import { detectorSet } from '../../mint/detectors/set.ts'
import { curveDrained } from './curve-drained.ts'
import { deployerSold } from './deployer-sold.ts'

export const curveDetectors = detectorSet(deployerSold, curveDrained)
