// The engine's own tasks and runners under a seeded scheduler: whatever is done to them, what stands in the end is what a run says that saw
// only the branch that lives. `npm run soak -- simulation 10000 SEED` runs more.
import { readFileSync } from 'node:fs'
import { runSeeds } from './many.ts'
import { runTrial, type Trial } from './trial.ts'

const SEEDS = 200
const kept = JSON.parse(readFileSync(new URL('seeds.json', import.meta.url), 'utf8')) as { readonly trial: Trial; readonly found: string }[]

describe('a simulated cluster', () => {
  test.each(kept)('holds where it once did not: $found', async ({ trial }) => {
    expect((await runTrial(trial)).broken).toEqual([])
  })
  test.each(['ask', 'tape', 'frames', 'curves'] as const)('goes the same way again with the same seed: %s', async (domain) => {
    expect(await runTrial({ seed: 4, domain })).toEqual(await runTrial({ seed: 4, domain }))
  })
  test(`holds for ${SEEDS} seeds, in which every kind of fault happens`, async () => {
    const report = await runSeeds(SEEDS, Number(process.env.SIMULATION_SEED ?? 0), (line) => process.stderr.write(`${line}\n`))
    process.stderr.write(`simulation: ${JSON.stringify(report)}\n`)
    expect(report.failures).toEqual([])
    expect(report.never).toEqual([])
  }, 240_000)
})
