// `kill -9` during a rebuild of a log on disk: the next start resumes it and leaves what an uninterrupted one leaves.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { contentsOf, foldAll, marketBodies, wiringOf } from '../fixtures/rebuild-market.ts'
import { appendRaw } from '../live.ts'
import { RUN } from '../tools/run.ts'

const PROCESS = fileURLToPath(new URL('rebuild-process.ts', import.meta.url))
const PARTITIONS = 2
const bodies = marketBodies(32, 9)
let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-rebuild-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

/** Runs the process; if `kill` is given, kills it `afterMs` after it printed that text. Resolves to its exit code, null if killed. */
const run = (threads: number, kill?: { readonly word: string; readonly afterMs: number }): Promise<number | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...RUN, PROCESS, dir, String(PARTITIONS), String(threads)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      const before = output
      output += chunk
      if (kill !== undefined && output.includes(kill.word) && !before.includes(kill.word))
        setTimeout(() => child.kill('SIGKILL'), kill.afterMs)
    })
    child.on('close', resolve)
  })

const folded = async (log: Log, decoder: number): Promise<Log> => {
  await appendRaw(log, bodies, 1)
  await foldAll(log, wiringOf(decoder))
  return log
}

test.each([1, 2])(
  'after kills while it decodes, folds in %i threads and swaps, the next start leaves what an uninterrupted run leaves',
  async (threads) => {
    await (await folded(await openLmdbLog({ dir: join(dir, 'log'), partitions: PARTITIONS }), 1)).close()
    const kills = [
      { word: 'decoding', afterMs: 0 },
      { word: 'folding', afterMs: 30 },
      { word: 'installing', afterMs: 0 },
    ]
    let killed = 0
    for (const kill of kills) if ((await run(threads, kill)) === null) killed++
    expect(killed).toBeGreaterThan(1)
    expect(await run(threads)).toBe(0)
    expect(existsSync(join(dir, 'scratch'))).toBe(false)
    const log = await openLmdbLog({ dir: join(dir, 'log'), partitions: PARTITIONS })
    const rebuilt = await contentsOf(log)
    await log.close()
    const expected = await contentsOf(await folded(createMemoryLog({ partitions: PARTITIONS }), 2))
    expect(rebuilt.letters).toEqual([])
    for (const name of Object.keys(expected)) expect([name, rebuilt[name]]).toEqual([name, expected[name]])
  },
)
