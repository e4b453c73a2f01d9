// Runs the detectors and emits their findings: once per curve, at the position where the condition became true.
import type { Key } from '../../../schemas/keys.ts'
import type { Evidence } from '../../mint/detectors/detector.ts'
import { findingOf, inShadow } from '../../mint/fold/finding.ts'
import type { TapeAt } from '../../tape.ts'
import type { CurveDetector } from '../detectors/detector.ts'
import { type CurveContext, type CurveSight, isWatched } from '../rows.ts'

/** Runs the detectors after an event of the curve. */
export const detect = (detectors: readonly CurveDetector[], ctx: CurveContext, sight: CurveSight, at: TapeAt): void => {
  const { figures } = sight
  if (!isWatched(figures)) return
  for (const detector of detectors) {
    const isShadow = detector.tier === 'shadow'
    if (((isShadow ? figures.shadowBits : figures.flagBits) & detector.bit) !== 0) continue
    const evidence = detector.find(sight, detector.settings)
    if (evidence === undefined) continue
    if (isShadow) figures.shadowBits |= detector.bit
    else figures.flagBits |= detector.bit
    report(ctx, detector, sight, evidence, at)
  }
}

const report = (ctx: CurveContext, detector: CurveDetector, sight: CurveSight, evidence: Evidence, at: TapeAt): void => {
  const { deployer: creator, at: launchedAt } = sight.launch
  const found = { detector, mint: ctx.key as Key, creator, launchedAt, evidence, proof: detector.proof(sight), last: at.position }
  const { flag, conclusion } = findingOf(found, at, at.header.time)
  if (detector.tier === 'shadow') {
    ctx.emit({ topic: 'outcomes', conclusion: inShadow(conclusion) })
    return
  }
  ctx.edit('flags', flag.flag, () => flag)
  ctx.emit({ topic: 'flags', conclusion })
}
