// A finding as its row and its conclusion: the same for every kind of key that detectors look at.
import { assert } from '../../../schemas/errors.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import { eventId, findingId, type Position } from '../../../schemas/position.ts'
import type { Conclusion, FlagRow } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import type { DetectorFacts, Evidence, ProofEvent } from '../detectors/detector.ts'

/** What was found, of whom. */
interface Found {
  readonly detector: DetectorFacts
  readonly mint: Key
  /** Who launched it, and when, unix seconds. */
  readonly creator: Key
  readonly launchedAt: number
  readonly evidence: Evidence
  /** The events that prove it, in position order. */
  readonly proof: readonly ProofEvent[]
  /** The event behind which it became true: that of the finding, unless a tick told it. */
  readonly last: Position
}

/** `second`: of the cause, unix seconds. */
export const findingOf = (
  { detector, mint, creator, launchedAt, evidence: found, proof, last }: Found,
  at: TapeAt,
  second: number,
): { readonly flag: FlagRow; readonly conclusion: Conclusion } => {
  const { chain, number, tx, outer, inner } = at.position
  const { hash8 } = at.header
  const { flag, id: detectorId, version: detectorVersion, hash: detectorHash = null } = detector
  const id = findingId(at.position, hash8, detectorId, keyText(mint))
  const evidence = JSON.stringify(found)
  const proven = proof.map(({ hash8: proofHash8, ...event }) => eventId({ chain, ...event }, proofHash8))
  const events = [...new Set([...proven, eventId(last, hash8)])]
  const place = { number, tx, outer, inner }
  const said = { flag, detector: detectorId, detectorVersion, detectorHash, evidence }
  const mintAgeS = Math.max(0, second - launchedAt)
  const body = { type: 'finding' as const, mint, creator, ...said, mintAgeS, events }
  return {
    flag: { ...said, findingId: id, ...place, firstSeenAt: second },
    conclusion: { id, chain, ...place, hash8, at: second, body },
  }
}

/** What a shadow detector found, beside the outcomes: no row, no flag. */
export const inShadow = (conclusion: Conclusion): Conclusion => {
  const { body } = conclusion
  assert(body.type === 'finding', `${conclusion.id} is a finding`)
  return { ...conclusion, body: { ...body, type: 'shadowFinding' } }
}
