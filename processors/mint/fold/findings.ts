// Runs the detectors and emits their findings: once per mint, at the position where the condition became true.
import type { Key } from '../../../schemas/keys.ts'
import { isTick } from '../../../schemas/position.ts'
import type { TapeAt } from '../../tape.ts'
import { bundleDumped } from '../detectors/bundle-dumped.ts'
import type { Detector, DetectorRows, Evidence } from '../detectors/detector.ts'
import { isWatched, type MintContext, type MintRowsView } from '../rows.ts'
import { findingOf, inShadow } from './finding.ts'

/** Runs the detectors after an event or tick. `second` is the block time of the cause, unix seconds. */
export const detect = (
  detectors: readonly Detector[],
  ctx: MintContext,
  rows: DetectorRows & Pick<MintRowsView, 'curve'>,
  at: TapeAt,
  second: number,
): void => {
  const { curve } = rows
  if (!isWatched(curve)) return
  for (const detector of detectors) {
    const isShadow = detector.tier === 'shadow'
    if (((isShadow ? curve.shadowBits : curve.flagBits) & detector.bit) !== 0) continue
    const evidence = detector.find(rows, detector.settings)
    if (evidence === undefined) continue
    if (isShadow) curve.shadowBits |= detector.bit
    else curve.flagBits |= detector.bit
    report(ctx, detector, rows, evidence, at, second)
    if (detector.id === bundleDumped.id) dropProofs(ctx)
  }
}

const report = (ctx: MintContext, detector: Detector, rows: DetectorRows, evidence: Evidence, at: TapeAt, second: number): void => {
  const { launch, curve } = rows
  const { chain } = at.position
  const last = isTick(at.position)
    ? { chain, number: curve.lastNumber, tx: curve.lastTx, outer: curve.lastOuter, inner: curve.lastInner }
    : at.position
  const proof = detector.proof(rows, ctx.rows('proofs'))
  const found = { detector, mint: ctx.key as Key, creator: launch.creator, launchedAt: launch.at, evidence, proof, last }
  const { flag, conclusion } = findingOf(found, at, second)
  if (detector.tier === 'shadow') {
    ctx.emit({ topic: 'outcomes', conclusion: inShadow(conclusion) })
    return
  }
  ctx.edit('flags', flag.flag, () => flag)
  ctx.emit({ topic: 'flags', conclusion })
}

const dropProofs = (ctx: MintContext): void => {
  const last = ctx.count('proofs')
  for (let n = 0; n < last; n += 1) ctx.remove('proofs', n)
}
