// Decides whether memory stays flat over simulated days: it may grow only with the live keys, and by few bytes for each.
import type { Day } from './days.ts'

/** A mint's stub is removed a day later, a wallet within the hour: from this day on only creators grow, for 90 days. */
const WINDOWS_FULL_DAY = 3
/** Number of days over which the bytes per creator are measured. */
const MEASURED_DAYS = 7
/** Later days may exceed the extrapolation from the measured ones by this share. */
const OVER_SHARE_MAX = 0.1
/** Folds and view together: pages of about 200 bytes each, a name and a number, the folds' timer. */
const CREATOR_BYTES_MAX = 1_500
/** Resident memory beyond committed heap and buffers: the allocator's. It may vary by this much, but not grow further. */
const RESIDENT_MB_MAX = 250

const MB = 1e6

export interface Verdict {
  /** Heap and external memory per additional creator, folds and view together. */
  readonly creatorBytes: number
  /** Memory that does not grow with creators, MB. */
  readonly baseMB: number
  /** The largest excess of a later day over the extrapolation, as a share. */
  readonly overShare: number
  readonly faults: readonly string[]
}

const heldMB = ({ heapMB, externalMB }: Day): number => heapMB + externalMB

/** Least squares of memory over creators, on the measured days. */
const lineOf = (days: readonly Day[]): { readonly creatorBytes: number; readonly baseMB: number } => {
  const [x, y] = [meanOf(days.map(({ creators }) => creators)), meanOf(days.map(heldMB))]
  let [over, under] = [0, 0]
  for (const day of days) {
    over += (day.creators - x) * (heldMB(day) - y)
    under += (day.creators - x) ** 2
  }
  const slope = under === 0 ? 0 : over / under
  return { creatorBytes: Math.round(slope * MB), baseMB: Math.round(y - slope * x) }
}

/** @param days all days of a run, in order */
export const verdictOf = (days: readonly Day[]): Verdict => {
  const full = days.filter(({ day }) => day >= WINDOWS_FULL_DAY)
  const { creatorBytes, baseMB } = lineOf(full.slice(0, MEASURED_DAYS))
  const later = full.slice(MEASURED_DAYS)
  const overs = later.map((day) => heldMB(day) / (baseMB + (day.creators * creatorBytes) / MB) - 1)
  const overShare = Math.round(1_000 * Math.max(0, ...overs)) / 1_000
  const faults: string[] = []
  if (creatorBytes > CREATOR_BYTES_MAX) faults.push(`a creator takes ${creatorBytes} bytes, at most ${CREATOR_BYTES_MAX}`)
  if (overShare > OVER_SHARE_MAX) faults.push(`a later day holds ${overShare} more than the days ${WINDOWS_FULL_DAY} to 9 foretell`)
  const beyond = full.map(({ rssMB, heapKeptMB, externalMB }) => rssMB - heapKeptMB - externalMB)
  const grownMB = Math.round((beyond.at(-1) ?? 0) - (beyond[0] ?? 0))
  if (grownMB > RESIDENT_MB_MAX) faults.push(`resident memory grew by ${grownMB} MB beyond heap and buffers`)
  return { creatorBytes, baseMB, overShare, faults }
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
