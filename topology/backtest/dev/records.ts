// What a stretch is kept as: records one after the other, in chunks of memory that threads share.

import type { Outcome } from '../../../schemas/types.ts'

/**
 * Each record is its kind, its length as a natural number, and its content:
 * - `frame`: tick time (double), the beginning of its hash (value).
 * - `opened`: number of the launch, launched at (double), mint, kind of creator, name, symbol (values).
 * - `seen`: number of the launch, seconds from the tick to the event (step), changes of its rows.
 * - `outcome`: number of the launch, peak (value), the label as JSON (value).
 * A frame's record comes before the first other one of it; a record lies in one chunk.
 */
export const RECORD = { frame: 1, opened: 2, seen: 3, outcome: 4 } as const

/** Of an outcome, what a detector is judged by. */
export type Label = Pick<Outcome, 't0' | 'rugged' | 'rugDtS' | 'graduated' | 'censored'>

/** Chunks as they are at a moment; those of before are never changed, and the last one only grows. */
export interface KeptChunks {
  readonly of: 'mint' | 'curve'
  /** Number of the first one. */
  readonly first: number
  readonly chunks: readonly SharedArrayBuffer[]
  /** Bytes in each. */
  readonly used: readonly number[]
  /** Launches with lower numbers are not there whole: they are left out. */
  readonly firstLaunch: number
  /** Launches from then on are asked about, and the newest tick, unix seconds. */
  readonly from: number
  readonly to: number
}
