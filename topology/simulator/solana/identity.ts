// Which demo a data directory belongs to.
import { createHash } from 'node:crypto'
import type { DemoLosses } from './losses.ts'
import type { DemoOptions, DemoSlot } from './market-types.ts'

/** Moves with what the market does of a seed: a directory of another one is refused. */
const MARKET_VERSION = 2

/** What makes two demos different on the log. */
export interface Identity extends DemoOptions {
  readonly historyS: number
  readonly losses: DemoLosses
  /** As of `forkSteps`. */
  readonly forksPerHour: number
  /** As of the market's switches; absent for never. */
  readonly regimeAfterMs?: number
}

/** The name under which the owners' commits count its steps. */
export const nameOf = ({ seed, startMs, rate, historyS, losses, forksPerHour, regimeAfterMs }: Identity): string => {
  const lossy = createHash('sha256').update(JSON.stringify(losses)).digest('hex').slice(0, 8)
  const regime = regimeAfterMs === undefined ? '' : `,regime=${regimeAfterMs}`
  return `demo:market=${MARKET_VERSION},seed=${seed},start=${startMs},rate=${rate},history=${historyS},losses=${lossy},forks=${forksPerHour}${regime}`
}

/** Of all that the market said of a slot: shows that another version of the market does not say the same. 48 bits. */
export const fingerprintOf = (slot: DemoSlot): number => createHash('sha256').update(JSON.stringify(slot)).digest().readUIntBE(0, 6)
