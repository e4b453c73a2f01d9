// Whether what was concluded once holds on this tape: every field of the finding, one by one.
import { formatPosition, type Position } from '../../../schemas/position.ts'
import type { Difference, StoredFinding, Verdict } from '../../ports/recompute.ts'
import type { Found, Recomputed, Wanted } from './recompute.ts'

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Of two flat JSON objects, field by field. */
const differing = (name: string, stored: object, now: object): Difference[] => {
  const [was, is] = [stored, now] as [Record<string, unknown>, Record<string, unknown>]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => !isSame(was[field], is[field]))
    .map((field) => ({ field: `${name}${field}`, stored: was[field] ?? null, recomputed: is[field] ?? null }))
}

type Facts = Pick<StoredFinding, 'flag' | 'at' | 'mintAgeS' | 'detectorVersion' | 'detectorHash' | 'events'>
/** A detector that was not registered then has no hash to compare. */
const factsOf = ({ flag, detectorVersion, detectorHash, at, mintAgeS, events }: Facts) => ({
  flag,
  detector_version: detectorVersion,
  detector_hash: detectorHash ?? undefined,
  first_seen_at: at,
  mint_age_at_flag_s: mintAgeS,
  events,
})
/** Without what is not known of the other. */
const knownIn = (facts: object, other: object): object =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => (other as Record<string, unknown>)[name] !== undefined))

/** What the id itself says, and what was stored under it where that is known. */
const againstFound = (wanted: Wanted, stored: StoredFinding | undefined, found: Found): Difference[] => {
  const { at: second, body, hash8 } = found
  const position = (at: Position): string => formatPosition(at)
  const place = differing('', { position: position(wanted.at), hash8: hashIn(wanted.id) }, { position: position(found), hash8 })
  if (stored === undefined) return place
  const [was, is] = [factsOf(stored), factsOf({ ...body, at: second })]
  return [
    ...place,
    ...differing('', knownIn(was, was), knownIn(is, was)),
    ...differing('evidence.', JSON.parse(stored.evidence) as object, JSON.parse(body.evidence) as object),
  ]
}

/** The branch that an id names. */
const hashIn = (id: string): string => /@([^:]+)/.exec(id)?.[1] ?? ''

/** `stored`: undefined where nothing but the id is known. */
export const verdictOf = (wanted: Wanted, stored: StoredFinding | undefined, { isLaunched, isReached, found }: Recomputed): Verdict => {
  if (!isLaunched) return { recomputed: null, recomputed_reason: 'the tape does not hold the launch of the mint' }
  if (!isReached) return { recomputed: null, recomputed_reason: 'the tape ends before the finding' }
  if (stored?.isRetracted === true)
    return found?.id === wanted.id
      ? { recomputed: 'differs', differences: [{ field: 'status', stored: 'retracted', recomputed: 'stands' }] }
      : { recomputed: 'same' }
  if (found === undefined) return { recomputed: 'differs', differences: [{ field: 'finding', stored: wanted.id, recomputed: null }] }
  const differences = againstFound(wanted, stored, found)
  return differences.length === 0 ? { recomputed: 'same' } : { recomputed: 'differs', differences }
}
