// Helpers for a view's status.
import { newLayoutsOf } from '../../../processors/chains/decoder.ts'
import { deadLetterCodec } from '../../../schemas/codecs.ts'
import type { Progress, TipRow } from '../../../schemas/types.ts'
import { BLIND_S, type Unseen, type ViewFinality, type ViewStatus } from '../../ports/chain-view.ts'
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

/** How long a frame without inner calls is remembered, stream time. */
const CALLS_UNSEEN_S = 60

const unseenOf = (tip: TipRow | undefined): Unseen | null => {
  if (tip === undefined) return null
  const isBlind = tip.blindSince !== null && tip.time - tip.blindSince >= BLIND_S
  const areCalls = tip.callsUnseenAt !== null && tip.time - tip.callsUnseenAt <= CALLS_UNSEEN_S
  return isBlind || areCalls ? { isBlind, areCalls } : null
}

/** Status of a view that the decoder's row gives. */
export const tipStatus = (tip: TipRow | undefined): Pick<ViewStatus, 'unseen' | 'newLayouts'> => ({
  unseen: unseenOf(tip),
  newLayouts: tip === undefined ? [] : newLayoutsOf(tip),
})

/** Counts since the stores were created. */
export const countersOf = (tip: TipRow | undefined) => ({
  frames: tip?.frames ?? 0,
  events: tip?.events ?? 0,
  missing_events: tip?.missingEvents ?? 0,
  gaps: tip?.gaps ?? 0,
})
