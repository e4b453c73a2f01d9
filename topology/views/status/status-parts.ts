// Helpers for a view's status.
import { deadLetterCodec } from '../../../schemas/codecs.ts'
import type { Progress, TipRow } from '../../../schemas/types.ts'
import type { ViewFinality, ViewStatus } from '../../ports/chain-view.ts'
import { WITHDRAWN } from '../../records/records.ts'

/** The minimum over all partitions; a partition without finality counts as -1 once another one has it. */
export const finalityOf = (all: readonly Progress[]): ViewFinality | null => {
  if (all.every(({ confirmed, finalized }) => confirmed === null && finalized === null)) return null
  return {
    confirmed: Math.min(...all.map(({ confirmed }) => confirmed ?? -1)),
    finalized: Math.min(...all.map(({ finalized }) => finalized ?? -1)),
  }
}

/** The newest gap, and the time up to which it reaches: if that is not known, the time of the newest folded frame. */
export const gapOf = (folded: Progress | null, tip: TipRow | undefined): ViewStatus['gap'] => {
  if (folded === null || folded.gapFrom === null || folded.gapTo === null) return null
  const { gapUntil = null, gapReason = null } = tip?.gapTo === folded.gapTo ? tip : {}
  return { from: folded.gapFrom, to: folded.gapTo, until: gapUntil ?? folded.time, ...(gapReason === null ? {} : { reason: gapReason }) }
}

/** By how much a record changes the count of dead letters; 0 for a fork's record, which does not state how many it retracts. */
export const lettersOf = (value: Uint8Array | null): number => {
  const read = value === null ? undefined : deadLetterCodec.decode(value)
  if (read?.ok !== true || read.value.withdrawn === null) return 1
  return read.value.withdrawn === WITHDRAWN.byRedrive ? -1 : 0
}
