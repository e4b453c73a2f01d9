// Runs the detectors and emits their findings: once per curve, at the position where the condition became true.
import type { Key } from '../../../schemas/keys.ts'
import type { Evidence } from '../../mint/detectors/detector.ts'
import { findingOf, inShadow } from '../../mint/fold/finding.ts'
import type { TapeAt } from '../../tape.ts'
import type { CurveDetector } from '../detectors/detector.ts'
import { type CurveContext, type CurveRowsView, isWatched } from '../rows.ts'

/** Runs the detectors after an event of the curve. */
export const detect = (detectors: readonly CurveDetector[], ctx: CurveContext, view: CurveRowsView, at: TapeAt): void => {
  const { figures } = view
  if (!isWatched(figures)) return
  for (const detector of detectors) {
    const isShadow = detector.tier === 'shadow'
    if (((isShadow ? figures.shadowBits : figures.flagBits) & detector.bit) !== 0) continue
    const evidence = detector.find(view, detector.settings)
    if (evidence === undefined) continue
    if (isShadow) figures.shadowBits |= detector.bit
    else figures.flagBits |= detector.bit
    report(ctx, detector, view, evidence, at)
  }
}

const report = (ctx: CurveContext, detector: CurveDetector, view: CurveRowsView, evidence: Evidence, at: TapeAt): void => {
  const { deployer: creator, at: launchedAt } = view.launch
  const found = { detector, mint: ctx.key as Key, creator, launchedAt, evidence, proof: detector.proof(view), last: at.position }
  const { flag, conclusion } = findingOf(found, at, at.header.time)
  if (detector.tier === 'shadow') {
    ctx.emit({ topic: 'outcomes', conclusion: inShadow(conclusion) })
    return
  }
  ctx.edit('flags', flag.flag, () => flag)
  ctx.emit({ topic: 'flags', conclusion })
}
