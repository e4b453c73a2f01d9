// The storage format of a stretch: consecutive records, in chunks of shared memory.
import type { Outcome } from '../../../schemas/types.ts'

/**
 * Each record is its kind (byte), the length of its content (natural), and the content. Encodings in brackets are methods of `ByteWriter`.
 * - `frame`: tick time (double), hash8 (value).
 * - `opened`: number of the launch (natural), launch time (double), mint, kind of creator, name, symbol (values).
 * - `seen`: number of the launch (natural), seconds from the tick to the event (step), changes of its rows (columns.ts).
 * - `outcome`: number of the launch (natural), peak (value), the label as JSON (value).
 * The record of a frame precedes all other records of that frame; a record is never split between chunks.
 */
export const RECORD = { frame: 1, opened: 2, seen: 3, outcome: 4 } as const

/** The part of an outcome that a detector is graded by. */
export type Label = Pick<Outcome, 't0' | 'rugged' | 'rugDtS' | 'graduated' | 'censored'>

/** A snapshot of the chunks: earlier chunks never change, and the last one only grows. */
export interface KeptChunks {
  readonly of: 'mint' | 'curve'
  /** Number of the first chunk. */
  readonly first: number
  readonly chunks: readonly SharedArrayBuffer[]
  /** Bytes used in each chunk. */
  readonly used: readonly number[]
  /** Launches with lower numbers are incomplete and skipped. */
  readonly firstLaunch: number
  /** Unix seconds: the earliest launch time, and the newest tick. */
  readonly from: number
  readonly to: number
}
