// Runs the detectors and says what they find: once per mint, at the position where it became true.
import { type Key, keyText } from '../../../schemas/keys.ts'
import { eventId, findingId, isTick } from '../../../schemas/position.ts'
import type { TapeAt } from '../../tape.ts'
import { bundleDumped } from '../detectors/bundle-dumped.ts'
import type { Detector, DetectorRows, Evidence } from '../detectors/detector.ts'
import { isWatched, type MintContext, type Sight } from '../rows.ts'

/** Looks at the mint after an event or tick. `second` is the block time of the cause, unix seconds. */
export const detect = (
  detectors: readonly Detector[],
  ctx: MintContext,
  rows: DetectorRows & Pick<Sight, 'curve'>,
  at: TapeAt,
  second: number,
): void => {
  const { curve } = rows
  if (!isWatched(curve)) return
  for (const detector of detectors) {
    if ((curve.flagBits & detector.bit) !== 0) continue
    const evidence = detector.find(rows)
    if (evidence === undefined) continue
    curve.flagBits |= detector.bit
    report(ctx, detector, rows, evidence, at, second)
    if (detector === bundleDumped) dropProofs(ctx)
  }
}

const report = (ctx: MintContext, detector: Detector, rows: DetectorRows, found: Evidence, at: TapeAt, second: number): void => {
  const { launch, curve } = rows
  const { chain, number, tx, outer, inner } = at.position
  const { hash8 } = at.header
  const mint = ctx.key as Key
  const id = findingId(at.position, hash8, detector.id, keyText(mint))
  const evidence = JSON.stringify(found)
  const { flag, id: detectorId, version: detectorVersion } = detector
  ctx.edit('flags', flag, () => ({
    flag,
    findingId: id,
    detector: detectorId,
    detectorVersion,
    number,
    tx,
    outer,
    inner,
    firstSeenAt: second,
    evidence,
  }))
  const last = isTick(at.position)
    ? { chain, number: curve.lastNumber, tx: curve.lastTx, outer: curve.lastOuter, inner: curve.lastInner }
    : at.position
  const events = [
    ...new Set([
      ...detector.proof(rows, ctx.rows('proofs')).map(({ hash8: proofHash8, ...proof }) => eventId({ chain, ...proof }, proofHash8)),
      eventId(last, hash8),
    ]),
  ]
  const mintAgeS = Math.max(0, second - launch.at)
  ctx.emit({
    topic: 'flags',
    conclusion: {
      id,
      chain,
      number,
      tx,
      outer,
      inner,
      hash8,
      at: second,
      body: { type: 'finding', mint, creator: launch.creator, flag, detector: detectorId, detectorVersion, mintAgeS, evidence, events },
    },
  })
}

const dropProofs = (ctx: MintContext): void => {
  const last = ctx.count('proofs')
  for (let n = 0; n < last; n += 1) ctx.remove('proofs', n)
}
