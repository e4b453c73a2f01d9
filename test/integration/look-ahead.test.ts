// Later events never change earlier output: cuts of a forking market, which also ends there for a clone.
import { curveLookAhead } from '../fixtures/curve-look-ahead.ts'
import { lookAhead } from '../fixtures/look-ahead.ts'

test('output about the frames before each of the random cuts stays unchanged, and later frames add none about them', () => {
  const report = lookAhead({ seed: 1, rate: 1, seconds: 5_000, cuts: 25, freshRuns: 2, forksPerHour: 120, partitions: 3 })
  expect(report.flips).toEqual([])
  expect(report).toMatchObject({ cuts: 25, freshRuns: 2 })
  const { forks, cutsOnDeadBranches, priors, resolvedPriors, warm, flags, outcomes } = report
  expect(Math.min(forks, priors, warm, flags, outcomes)).toBeGreaterThan(30)
  expect(resolvedPriors).toBeGreaterThan(5)
  expect(cutsOnDeadBranches).toBeGreaterThan(0)
})

test('for a market of curves, cards and findings at a cut of its tape equal those of the whole tape up to there', async () => {
  const report = await curveLookAhead({ seed: 3, rate: 20, blocks: 8_000, cuts: 5, deployers: 30, partitions: 3 })
  expect(report.flips).toEqual([])
  const { curves, flags, outcomes, priors, resolvedPriors, compared } = report
  expect(Math.min(curves, flags, priors)).toBeGreaterThan(15)
  expect(Math.min(outcomes, resolvedPriors)).toBeGreaterThan(5)
  expect(compared).toBeGreaterThan(curves)
})
