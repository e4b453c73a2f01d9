// The odds of an alerts soak as a function of their index: identical for the delivering process and for the check.
import type { Key } from '../../schemas/keys.ts'
import { hashOf, shareAt } from '../simulation/dice.ts'

export const PARTITIONS = 2
const PPM = 1_000_000
const KEY_BYTES = 32
/** Mints in use at a time, and values of each. */
const MINTS = 6
const PER_MINT = 4
const START_S = 1_700_000_000

/** What the parent sends to a delivering process. */
export interface AlertsProgress {
  /** Number of values. */
  readonly values: number
  readonly nowS: number
  readonly wallMs: number
}

export const mintOf = (mint: number): Key => Buffer.from(String(mint).padStart(KEY_BYTES, '0')).toString('latin1') as Key

export const startS = START_S

export const valueAt = (seed: number, n: number) => {
  const share = (what: string): number => shareAt(hashOf(`${seed} ${what}`), n)
  const mint = Math.floor(n / (MINTS * PER_MINT)) * MINTS + Math.floor(share('mint') * MINTS)
  return { mint, ppm: Math.floor(share('ppm') * PPM), partition: mint % PARTITIONS, at: START_S + n }
}
