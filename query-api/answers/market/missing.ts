// The gaps of a time window (capture gaps, or a window that begins before capture did), and lists with their coverage.
import type { MissingBlocks } from '../../answer-schemas/curve.ts'
import type { Missing } from '../../answer-schemas/envelope.ts'
import type { Answer } from '../../questions/bodies.ts'
import { enveloped, type RequestContext } from '../question.ts'
import type { Instant } from '../service.ts'

/**
 * Why data after `since` may be missing; null if none are missing.
 * @param since unix seconds.
 * @param what plural noun for the data.
 */
export const missingOf = (instant: Instant, since: number, what: string): Missing | null => {
  const lack = lackOf(instant, since, what)
  if (lack === null) return null
  const { gap, ...more } = lack
  return { ...more, ...(gap && { coverage_range: { from_slot: gap.from, to_slot: gap.to } }) }
}

/** As `missingOf`, for a chain whose numbers are blocks. */
export const missingBlocksOf = (instant: Instant, since: number, what: string): MissingBlocks | null => {
  const lack = lackOf(instant, since, what)
  if (lack === null) return null
  const { gap, ...more } = lack
  return { ...more, ...(gap && { coverage_range: { from_block: gap.from, to_block: gap.to } }) }
}

interface Lack {
  readonly coverage_reason: string
  readonly observed_since?: number
  readonly gap?: { readonly from: number; readonly to: number }
}

const lackOf = ({ status: { gap, observedSince }, unit }: Instant, since: number, what: string): Lack | null => {
  if (gap !== null && gap.until >= since) {
    const why = gap.reason === undefined ? '' : ` (${gap.reason})`
    return { coverage_reason: `gap: ${unit}s ${gap.from} to ${gap.to} were not delivered; ${what} in them are missing${why}`, gap }
  }
  if (observedSince === null) return { coverage_reason: 'no frame was captured yet' }
  if (observedSince > since) return { coverage_reason: 'capture began within the requested window', observed_since: observedSince }
  return null
}

/** A list of `what` (plural noun), complete since `since` (unix seconds) unless data are missing. */
interface List {
  readonly items: readonly string[]
  readonly since: number
  readonly what: string
  /** `meta.next`, as JSON text; absent: links for mints. */
  readonly next?: string
  /** Delay of a free list, seconds. */
  readonly delayedS?: number
}

const MINT_LINKS = '{"mint":"/v1/mint/{mint}"}'

/** The answer of a list, with its gaps and coverage. Items are JSON texts. */
export const listed = (ask: RequestContext, { items, since, what, next = MINT_LINKS, delayedS }: List): Answer => {
  const missing = (ask.instant.unit === 'slot' ? missingOf : missingBlocksOf)(ask.instant, since, what)
  const lack = missing === null ? '' : `,${JSON.stringify(missing).slice(1, -1)}`
  const tail = delayedS === undefined ? '' : `,"delayed_s":${delayedS}`
  return enveloped(ask, {
    coverage: missing === null ? 'full' : 'thin',
    data: `{"count":${items.length},"items":[${items.join(',')}]${lack}${tail}}`,
    next,
    ...(delayedS !== undefined && { delayedS }),
  })
}

/** The first items, at most `most`. */
export const first = <Item>(items: Iterable<Item>, most: number): Item[] => {
  const taken: Item[] = []
  for (const item of items) if (taken.push(item) >= most) break
  return taken
}
