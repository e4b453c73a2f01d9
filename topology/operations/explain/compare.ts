// Compares a stored finding with the recomputed one, field by field.
import { formatPosition, type Position } from '../../../schemas/position.ts'
import type { Difference, StoredFinding, Verdict } from '../../ports/recompute.ts'
import type { FindingConclusion, Recomputed, Wanted } from './recompute.ts'

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The differences of two flat JSON objects. */
const differing = (name: string, stored: object, now: object): Difference[] => {
  const [was, is] = [stored, now] as [Record<string, unknown>, Record<string, unknown>]
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => !isSame(was[field], is[field]))
    .map((field) => ({ field: `${name}${field}`, stored: was[field] ?? null, recomputed: is[field] ?? null }))
}

type Facts = Pick<StoredFinding, 'flag' | 'at' | 'mintAgeS' | 'detectorVersion' | 'detectorHash' | 'events'>
/** The hash is unknown for a detector that was not registered when the finding was made. */
const factsOf = ({ flag, detectorVersion, detectorHash, at, mintAgeS, events }: Facts) => ({
  flag,
  detector_version: detectorVersion,
  detector_hash: detectorHash ?? undefined,
  first_seen_at: at,
  mint_age_at_flag_s: mintAgeS,
  events,
})
/** The fields that the other object has as well. */
const knownIn = (facts: object, other: object): object =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => (other as Record<string, unknown>)[name] !== undefined))

/** Compares the parts of the id, and the stored finding where it is known. */
const againstFound = (wanted: Wanted, stored: StoredFinding | undefined, found: FindingConclusion): Difference[] => {
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

/** The hash8 in an id. */
const hashIn = (id: string): string => /@([^:]+)/.exec(id)?.[1] ?? ''

/** `stored`: undefined if only the id is known. */
export const verdictOf = (wanted: Wanted, stored: StoredFinding | undefined, { isLaunched, hasReached, found }: Recomputed): Verdict => {
  if (!isLaunched) return { recomputed: null, recomputed_reason: 'the launch of the mint is not on the tape' }
  if (!hasReached) return { recomputed: null, recomputed_reason: 'the tape ends before the finding' }
  if (stored?.isRetracted === true)
    return found?.id === wanted.id
      ? { recomputed: 'differs', differences: [{ field: 'status', stored: 'retracted', recomputed: 'stands' }] }
      : { recomputed: 'same' }
  if (found === undefined) return { recomputed: 'differs', differences: [{ field: 'finding', stored: wanted.id, recomputed: null }] }
  const differences = againstFound(wanted, stored, found)
  return differences.length === 0 ? { recomputed: 'same' } : { recomputed: 'differs', differences }
}
