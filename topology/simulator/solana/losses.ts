// Losses that the demo simulates: gaps and lost trades, for the checks that must find them.
import type { Stretch } from '../../sources/source.ts'
import type { DemoTransaction } from './market-types.ts'

/** Data that happened but is never sent. The same seed loses the same. */
export interface DemoLosses {
  /** Intervals of the stream, in seconds after its start, of which no slot is sent. */
  readonly gaps: readonly Stretch[]
  /** Launchpad transactions per million that are missing from their frame, although the frame is marked as whole. */
  readonly lostPerMillion: number
}

export const NO_LOSSES: DemoLosses = { gaps: [], lostPerMillion: 0 }

const MILLION = 1_000_000

/** True if the time, in seconds after the start, lies in a gap. */
export const isInGap = ({ gaps }: DemoLosses, atS: number): boolean => gaps.some(({ fromS, toS }) => atS >= fromS && atS < toS)

/** Decided by the signature, which is random enough. */
export const isLost = ({ lostPerMillion }: DemoLosses, { signature, instructions }: DemoTransaction): boolean => {
  if (lostPerMillion === 0 || !instructions.some(({ kind }) => kind === 'launchpad')) return false
  return Buffer.from(signature.slice(0, 4), 'latin1').readUInt32LE() % MILLION < lostPerMillion
}
