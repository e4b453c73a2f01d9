// What the demo keeps back on purpose: gaps and lost trades, for the checks that must find them.
import type { DemoTransaction } from './market-types.ts'

/** What never arrives although it happened. The same seed loses the same. */
export interface DemoLosses {
  /** Stretches of the stream, seconds after its start: no slot of them is sent. */
  readonly gaps: readonly { readonly fromS: number; readonly toS: number }[]
  /** Launchpad transactions of a million that are missing from their frame, although it says that it is whole. */
  readonly lostPerMillion: number
}

export const NO_LOSSES: DemoLosses = { gaps: [], lostPerMillion: 0 }

const MILLION = 1_000_000

/** True where the moment, in seconds after the start, lies in a gap. */
export const isInGap = ({ gaps }: DemoLosses, atS: number): boolean => gaps.some(({ fromS, toS }) => atS >= fromS && atS < toS)

/** Decided by the signature, which is as good as chance. */
export const isLost = ({ lostPerMillion }: DemoLosses, { signature, instructions }: DemoTransaction): boolean => {
  if (lostPerMillion === 0 || !instructions.some(({ kind }) => kind === 'launchpad')) return false
  return Buffer.from(signature.slice(0, 4), 'latin1').readUInt32LE() % MILLION < lostPerMillion
}
