// Parts of what a view says of how far it is.
import { deadLetterCodec } from '../../../schemas/codecs.ts'
import type { Progress, TipRow } from '../../../schemas/types.ts'
import type { ViewFinality, ViewStatus } from '../../ports/chain-view.ts'
import { WITHDRAWN } from '../../records/records.ts'

/** What every partition knows; a partition that was told nothing yet counts as sure of nothing once another was. */
export const finalityOf = (all: readonly Progress[]): ViewFinality | null => {
  if (all.every(({ confirmed, finalized }) => confirmed === null && finalized === null)) return null
  return {
    confirmed: Math.min(...all.map(({ confirmed }) => confirmed ?? -1)),
    finalized: Math.min(...all.map(({ finalized }) => finalized ?? -1)),
  }
}

/** The newest gap, and up to which time it reaches as far as is known. */
export const gapOf = (folded: Progress | null, tip: TipRow | undefined): ViewStatus['gap'] => {
  if (folded === null || folded.gapFrom === null || folded.gapTo === null) return null
  const { gapUntil = null, gapReason = null } = tip?.gapTo === folded.gapTo ? tip : {}
  return { from: folded.gapFrom, to: folded.gapTo, until: gapUntil ?? folded.time, ...(gapReason === null ? {} : { reason: gapReason }) }
}

/** What a record of dead letters adds to their count. One record of a fork stands for all letters of a frame, however many. */
export const lettersOf = (value: Uint8Array | null): number => {
  const read = value === null ? undefined : deadLetterCodec.decode(value)
  if (read?.ok !== true || read.value.withdrawn === null) return 1
  return read.value.withdrawn === WITHDRAWN.byRedrive ? -1 : 0
}
