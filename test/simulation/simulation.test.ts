// The engine's own tasks and runners under a seeded scheduler: whatever faults are injected, the final outputs equal those of a run over
// the canonical branch alone. `npm run soak -- simulation 10000 SEED` runs more.
import { readFileSync } from 'node:fs'
import { runSeeds } from './many.ts'
import { runTrial, type Trial } from './trial.ts'

const SEEDS = 200
const kept = JSON.parse(readFileSync(new URL('seeds.json', import.meta.url), 'utf8')) as { readonly trial: Trial; readonly found: string }[]

describe('a simulated cluster', () => {
  test.each(kept)('stays fixed: $found', async ({ trial }) => {
    expect((await runTrial(trial)).broken).toEqual([])
  })
  test.each(['ask', 'tape', 'frames', 'curves'] as const)('repeats exactly with the same seed: %s', async (domain) => {
    expect(await runTrial({ seed: 4, domain })).toEqual(await runTrial({ seed: 4, domain }))
  })
  test(`keeps its invariants in ${SEEDS} seeds, in which every kind of fault happens`, async () => {
    const report = await runSeeds(SEEDS, Number(process.env.SIMULATION_SEED ?? 0), (line) => process.stderr.write(`${line}\n`))
    process.stderr.write(`simulation: ${JSON.stringify(report)}\n`)
    expect(report.failures).toEqual([])
    expect(report.never).toEqual([])
  })
})
