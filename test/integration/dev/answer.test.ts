// `mintfold dev`: over a stretch of the demo a detector file has the findings of a backtest of the same tape; each save marks what changed.
import type { DetectorRows } from '../../../processors/mint/detectors/detector.ts'
import { Backtest } from '../../../topology/backtest/backtest.ts'
import type { MintDetectorFile } from '../../../topology/backtest/detector-file/load.ts'
import { type Answer, answerOf, type DevFinding } from '../../../topology/backtest/dev/answer.ts'
import { changesOf, countsOf } from '../../../topology/backtest/dev/changes.ts'
import { LaunchReader } from '../../../topology/backtest/dev/launches.ts'
import { Stretch } from '../../../topology/backtest/dev/stretch.ts'
import { OF_MINTS } from '../../../topology/cli/commands/backtest/chains.ts'
import type { Batch } from '../../../topology/cli/commands/recordings/replay-file.ts'
import { batchOf, demoSlots } from '../../fixtures/demo-tape.ts'
import { givenFiles, loaded, sourceOf } from '../../unit/backtest/given-file.ts'

const FIND = `({ curve }, { percent }) =>
  solOf(curve.peakQuoteUnits) >= 1 && isAtMostPercent(curve.realQuoteUnits, curve.peakQuoteUnits, percent)
    ? { sol: solOf(curve.realQuoteUnits), buys: curve.buys }
    : undefined`
const SOURCE = sourceOf(FIND, `import { isAtMostPercent, solOf } from 'mintfold/detector'`, 'settings: { percent: 50 },')
const SECONDS = 5_200
const HOUR_S = 3_600

const batches: readonly Batch[] = [...demoSlots({ seed: 4, rate: 0.4, seconds: SECONDS })].map((slot) => batchOf(slot) as Batch)

const answerTo = (file: MintDetectorFile, stretch: Stretch<DetectorRows, Batch>): Answer => {
  const instance = file.make()
  const reader = new LaunchReader<DetectorRows>('mint', (rows) => {
    const evidence = instance.find(rows)
    return evidence && JSON.stringify(evidence)
  })
  const kept = stretch.kept()
  reader.read(kept, () => true)
  return answerOf(file, [...reader.launches], { chain: 'solana', delayS: 5, from: kept.from, to: kept.to })
}

test('the answer for a stretch equals a backtest of the same tape: findings, grades, chance and mistakes', async () => {
  const file = await loaded(givenFiles({ 'mine.ts': SOURCE }))
  const stretch = new Stretch<DetectorRows, Batch>({ of: 'mint', market: OF_MINTS.market, folds: OF_MINTS.folds, keptS: 2 * HOUR_S })
  const instance = file.make()
  const detector = { ...file, tier: 'yours' as const }
  const backtest = new Backtest<DetectorRows, Batch>({
    ...{
      chain: 'solana',
      market: OF_MINTS.market,
      folds: OF_MINTS.folds,
      from: 0,
      to: Number.MAX_SAFE_INTEGER,
      delayS: 5,
      purgeS: 0,
      seed: 1,
    },
    candidates: [{ name: 'mine', detector, settings: {}, isDefault: true, find: (rows) => instance.find(rows) }],
    ...{ buyer: null, explain: (_, mint) => mint, lossTested: new Set() },
  })
  for (const batch of batches) {
    stretch.take(batch)
    backtest.take(batch)
  }
  const { settings, summary } = backtest.report([null], { program: '', input: [], assumptions: [], isPartial: false, tookS: 0 })
  const answer = answerTo(file, stretch)
  const compared = (graded: (typeof settings)[number]) => {
    const { flagged, judged, hits, late, killedWinners, rugged, launches, leads, placebo, mistakes } = graded
    return { flagged, judged, hits, late, killedWinners, rugged, launches, leads, placebo, mistakes }
  }
  expect(compared(answer.graded)).toEqual(compared(settings[0] as (typeof settings)[number]))
  expect(answer.graded).toMatchObject({ judged: expect.any(Number), flagged: answer.findings.length })
  expect(answer.graded.judged).toBeGreaterThan(3)
  expect(answer).toMatchObject({ launches: summary.launches, unresolved: summary.unresolved })
  const labels = answer.findings.filter(({ label }) => label !== null)
  expect(labels.length).toBeGreaterThan(3)
  for (const { at, ageS, position } of answer.findings) expect({ at, ageS, position }).toMatchObject({ ageS: expect.any(Number) })
  expect(answer.findings.map(({ at }) => at)).toEqual(answer.findings.map(({ at }) => at).sort((a, b) => b - a))
})

const findingOf = (mint: string, at: number, evidence = '{}'): DevFinding => ({
  ...{ mint, name: '', symbol: '', position: `solana:${at}.0.0.0`, at, ageS: 10, evidence, label: null },
})

test('lists new, gone and changed findings first, then those of newer events; a finding older than the stretch is not gone', () => {
  const older = { findings: [findingOf('a', 300), findingOf('b', 200), findingOf('c', 250), findingOf('left', 50)], to: 400 }
  const answer = {
    findings: [findingOf('e', 500), findingOf('d', 210), findingOf('c', 240), findingOf('a', 300)],
    from: 100,
  }
  const changes = changesOf(answer, older)
  expect(changes.map(({ mark, finding }) => `${mark} ${finding.mint}`)).toEqual(['new d', 'gone b', 'other c', 'arrived e', 'same a'])
  expect(changes[2]?.before).toEqual(findingOf('c', 250))
  expect(countsOf(changes)).toEqual({ new: 1, gone: 1, other: 1, arrived: 1, same: 1 })
  expect(changesOf({ ...answer, findings: [findingOf('a', 300, '{"x":1}')] }, older)[0]).toMatchObject({ mark: 'gone' })
  expect(countsOf(changesOf({ ...answer, findings: [findingOf('a', 300, '{"x":1}')] }, older))).toMatchObject({ other: 1, gone: 2 })
  expect(countsOf(changesOf(answer, undefined))).toMatchObject({ same: 4 })
})
