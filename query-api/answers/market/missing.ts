// What a window of time lacks: a gap of the capture, or its beginning.
import type { Missing } from '../../answer-schemas/envelope.ts'
import type { Look } from '../service.ts'

/**
 * Why something since `since` may be missing; null where nothing is.
 * @param since unix seconds.
 * @param what plural, of which some may be missing.
 */
export const missingOf = ({ status: { gap, observedSince } }: Look, since: number, what: string): Missing | null => {
  if (gap !== null && gap.until >= since)
    return {
      coverage_reason: `gap: slots ${gap.from} to ${gap.to} were not delivered; ${what} in them are missing${gap.reason === undefined ? '' : ` (${gap.reason})`}`,
      coverage_range: { from_slot: gap.from, to_slot: gap.to },
    }
  if (observedSince === null) return { coverage_reason: 'no frame was captured yet' }
  if (observedSince > since) return { coverage_reason: 'capture began within the window asked', observed_since: observedSince }
  return null
}

/** `data` of a list with what it lacks, and the coverage that follows. Items are JSON texts; `tail` is JSON members after a comma, or empty. */
export const listParts = (
  items: readonly string[],
  missing: Missing | null,
  tail = '',
): { readonly coverage: 'full' | 'thin'; readonly data: string } => {
  const lack = missing === null ? '' : `,${JSON.stringify(missing).slice(1, -1)}`
  return { coverage: missing === null ? 'full' : 'thin', data: `{"count":${items.length},"items":[${items.join(',')}]${lack}${tail}}` }
}
