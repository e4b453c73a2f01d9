// Memoization by detector set.
import type { DetectorSet } from '../../processors/mint/detectors/set.ts'

/** Returns the same value for the same detectors. */
export const perDetectors = <Value extends object>(make: (detectors: DetectorSet) => Value): ((detectors: DetectorSet) => Value) => {
  const made = new WeakMap<DetectorSet, Value>()
  return (detectors) => {
    const value = made.get(detectors) ?? make(detectors)
    made.set(detectors, value)
    return value
  }
}
