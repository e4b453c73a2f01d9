// The identity of the demo in a data directory.
import { createHash } from 'node:crypto'
import type { HeldStart } from '../../sources/source.ts'
import { CATCH_UP_S } from './defaults.ts'
import type { DemoLosses } from './losses.ts'
import type { DemoOptions, DemoSlot } from './market-types.ts'

/** Increased when the market generates something else from a seed: a directory with another version is refused. */
const MARKET_VERSION = 3

/** All options that change the demo's log. */
export interface Identity extends DemoOptions {
  readonly historyS: number
  readonly losses: DemoLosses
  /** As in `forkSteps`. */
  readonly forksPerHour: number
  /** As in the market's switches; absent for never. */
  readonly regimeAfterMs?: number
  /** True if its clock is the wall clock; else it has its own, which stands still while it is stopped. */
  readonly isOnWall?: boolean
}

/** The source name under which commits count its steps. */
export const nameOf = ({ seed, startMs, rate, historyS, losses, forksPerHour, regimeAfterMs, isOnWall }: Identity): string => {
  const lossy = createHash('sha256').update(JSON.stringify(losses)).digest('hex').slice(0, 8)
  const regime = regimeAfterMs === undefined ? '' : `,regime=${regimeAfterMs}`
  return `demo:market=${MARKET_VERSION},seed=${seed},start=${startMs},rate=${rate},history=${historyS},losses=${lossy},forks=${forksPerHour}${regime}${isOnWall ? ON_WALL : ''}`
}

const ON_WALL = ',clock=wall'
const HELD = /^demo:market=.*,start=(\d+),.*,history=(\d+),/

/** The start and the clock of the demo with this name; undefined for other sources. */
export const heldStart = (name: string): HeldStart | undefined => {
  const [, startMs, historyS] = HELD.exec(name) ?? []
  if (startMs === undefined) return undefined
  return { start: Number(startMs) + (Number(historyS) + CATCH_UP_S) * 1_000, isOnWall: name.endsWith(ON_WALL) }
}

/** A hash of the whole slot, 48 bits: detects another version of the market. */
export const fingerprintOf = (slot: DemoSlot): number => createHash('sha256').update(JSON.stringify(slot)).digest().readUIntBE(0, 6)
