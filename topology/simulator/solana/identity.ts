// The identity of the demo in a data directory.
import { createHash } from 'node:crypto'
import type { DemoLosses } from './losses.ts'
import type { DemoOptions, DemoSlot } from './market-types.ts'

/** Increased when the market generates something else from a seed: a directory with another version is refused. */
const MARKET_VERSION = 2

/** All options that change the demo's log. */
export interface Identity extends DemoOptions {
  readonly historyS: number
  readonly losses: DemoLosses
  /** As in `forkSteps`. */
  readonly forksPerHour: number
  /** As in the market's switches; absent for never. */
  readonly regimeAfterMs?: number
}

/** The source name under which commits count its steps. */
export const nameOf = ({ seed, startMs, rate, historyS, losses, forksPerHour, regimeAfterMs }: Identity): string => {
  const lossy = createHash('sha256').update(JSON.stringify(losses)).digest('hex').slice(0, 8)
  const regime = regimeAfterMs === undefined ? '' : `,regime=${regimeAfterMs}`
  return `demo:market=${MARKET_VERSION},seed=${seed},start=${startMs},rate=${rate},history=${historyS},losses=${lossy},forks=${forksPerHour}${regime}`
}

/** A hash of the whole slot, 48 bits: detects another version of the market. */
export const fingerprintOf = (slot: DemoSlot): number => createHash('sha256').update(JSON.stringify(slot)).digest().readUIntBE(0, 6)
