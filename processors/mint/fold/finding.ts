// Builds a finding's row and its conclusion: the same for every kind of key that detectors judge.
import { assert } from '../../../schemas/errors.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import { eventId, findingId, type Position } from '../../../schemas/position.ts'
import type { Conclusion, FlagRow } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import type { DetectorFacts, Evidence, ProofEvent } from '../detectors/detector.ts'

/** A finding and its subject. */
interface Found {
  readonly detector: DetectorFacts
  readonly mint: Key
  /** Creator of the mint, and launch time in unix seconds. */
  readonly creator: Key
  readonly launchedAt: number
  readonly evidence: Evidence
  /** The earlier events that prove it, in position order. */
  readonly proof: readonly ProofEvent[]
  /** The last event that proves it: the one at the finding's own position or, where a tick caused the finding, the last one before it. */
  readonly last: Position
}

/** `second`: time of the event or tick that caused the finding, unix seconds. */
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
  const detected = { flag, detector: detectorId, detectorVersion, detectorHash, evidence }
  const mintAgeS = Math.max(0, second - launchedAt)
  const body = { type: 'finding' as const, mint, creator, ...detected, mintAgeS, events }
  return {
    flag: { ...detected, findingId: id, ...place, firstSeenAt: second },
    conclusion: { id, chain, ...place, hash8, at: second, body },
  }
}

/** A shadow detector's finding, emitted with the outcomes: no row, no flag. */
export const inShadow = (conclusion: Conclusion): Conclusion => {
  const { body } = conclusion
  assert(body.type === 'finding', `${conclusion.id} is a finding`)
  return { ...conclusion, body: { ...body, type: 'shadowFinding' } }
}
