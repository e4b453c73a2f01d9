// `mintfold dev` on a log that grows and forks: later frames are evaluated too, and nothing of orphaned branches remains.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyText } from '../../../schemas/keys.ts'
import { LaunchReader } from '../../../topology/backtest/dev/launches.ts'
import { Stretch } from '../../../topology/backtest/dev/stretch.ts'
import { OF_MINTS } from '../../../topology/cli/commands/backtest/chains.ts'
import type { Batch } from '../../../topology/cli/commands/recordings/replay-file.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { type DurableLog, openLmdbLog } from '../../../topology/logs/lmdb/lmdb.ts'
import { Replay } from '../../../topology/runtime/replay.ts'
import { forkedMinute } from '../../fixtures/own-log.ts'
import { appendRaw, foldToEnd } from '../../live.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { until } from '../../tools/until.ts'
import { sourceOf } from '../../unit/backtest/given-file.ts'
import { type RunningDev, runDev } from './given-dev.ts'

const { bodies, canonical } = forkedMinute
const HALF = Math.floor(bodies.length / 2)
const LEAST_BUYS = 3
const dir = mkdtempSync(join(tmpdir(), 'mintfold-dev-log-'))
let log: DurableLog
let dev: RunningDev | undefined
beforeAll(async () => {
  log = await openLmdbLog({ dir: join(dir, 'log'), partitions: 3 })
})
afterAll(async () => {
  await dev?.stop()
  await log.close()
  removeDirectory(dir)
})

/** Mints that reached this many buys in final frames, oldest first. */
const expected = (): readonly string[] => {
  const folds = new Replay(LAUNCH_RISK)
  const tape = canonical.flatMap((frame) => (folds.decode(frame) as Batch | undefined) ?? [])
  const newest = tape.at(-1)?.number ?? 0
  const stretch = new Stretch<Parameters<typeof OF_MINTS.market.curveOf>[0], Batch>({
    ...{ of: 'mint', market: OF_MINTS.market, folds: OF_MINTS.folds, keptS: 3_600 },
  })
  for (const batch of tape) if (batch.final || batch.number <= newest - LAUNCH_RISK.chain.forkNumbersMax) stretch.take(batch)
  const reader = new LaunchReader<Parameters<typeof OF_MINTS.market.curveOf>[0]>('mint', ({ curve }) =>
    curve.buys >= LEAST_BUYS ? '{}' : undefined,
  )
  reader.read(stretch.kept(), () => true)
  return [...reader.launches].flatMap(({ trial, evidence }) => (evidence === undefined ? [] : [keyText(trial.mint)])).sort()
}
const mintsIn = (stdout: string): readonly string[] => [...stdout.matchAll(/^ {2}.* {2}(\w{32,44}) {2}\{/gm)].map(([, mint = '']) => mint)

test('follows newer frames, and its findings are those of the canonical branch', async () => {
  await appendRaw(log, bodies.slice(0, HALF), 0)
  await foldToEnd(log, DEFAULT_LIMITS)
  const path = join(dir, 'mine.ts')
  writeFileSync(path, sourceOf(`({ curve }) => (curve.buys >= ${LEAST_BUYS} ? { buys: curve.buys } : undefined)`))
  const running = await runDev(path, { MINTFOLD_DATA_DIR: dir })
  dev = running
  await until(() => running.stdout.includes('save 1: mine'), { seen: () => running.stderr })
  const before = mintsIn(running.stdout)
  await appendRaw(log, bodies.slice(HALF), HALF)
  await foldToEnd(log, DEFAULT_LIMITS)
  const all = expected()
  await until(() => mintsIn(running.stdout).length >= all.length, { seen: () => running.stdout })
  expect([...mintsIn(running.stdout)].sort()).toEqual(all)
  expect(before.length).toBeLessThan(all.length)
  expect(running.stdout).toMatch(/^ {2}arrived /m)
  expect(await (await fetch(running.url)).text()).toContain('follows its newest frames')
  expect(await running.stop()).toBe(0)
})
