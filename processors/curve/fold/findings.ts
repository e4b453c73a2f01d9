// Runs the detectors and emits their findings: once per curve, at the position where it became true.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { eventId, findingId } from '../../../schemas/position.ts'
import type { Evidence } from '../../mint/detectors/detector.ts'
import type { TapeAt } from '../../tape.ts'
import type { CurveDetector } from '../detectors/detector.ts'
import { type CurveContext, type CurveSight, isWatched } from '../rows.ts'

/** Looks at the curve after an event. */
export const detect = (detectors: readonly CurveDetector[], ctx: CurveContext, sight: CurveSight, at: TapeAt): void => {
  const { figures } = sight
  if (!isWatched(figures)) return
  for (const detector of detectors) {
    if ((figures.flagBits & detector.bit) !== 0) continue
    const evidence = detector.find(sight)
    if (evidence === undefined) continue
    figures.flagBits |= detector.bit
    report(ctx, detector, sight, evidence, at)
  }
}

const report = (ctx: CurveContext, detector: CurveDetector, sight: CurveSight, found: Evidence, at: TapeAt): void => {
  const { launch } = sight
  const { chain, number, tx, outer, inner } = at.position
  const { hash8, time } = at.header
  const mint = ctx.key as Key
  const findingIdText = findingId(at.position, hash8, detector.id, keyText(mint))
  const evidence = JSON.stringify(found)
  const { flag, id: detectorId, version: detectorVersion } = detector
  const place = { number, tx, outer, inner }
  ctx.edit('flags', flag, () => ({
    ...{ flag, findingId: findingIdText, detector: detectorId, detectorVersion },
    ...{ ...place, firstSeenAt: time, evidence },
  }))
  const proof = detector.proof(sight).map(({ hash8: proofHash8, ...event }) => eventId({ chain, ...event }, proofHash8))
  const events = [...new Set([...proof, eventId(at.position, hash8)])]
  const mintAgeS = Math.max(0, time - launch.at)
  const creator = launch.deployer
  const body = { type: 'finding' as const, mint, creator, flag, detector: detectorId, detectorVersion, mintAgeS, evidence, events }
  ctx.emit({ topic: 'flags', conclusion: { id: findingIdText, chain, ...place, hash8, at: time, body } })
}
