// Kills a writer at random times, and continues from the log each time: whole commits only, no acknowledged one lost.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import type { Log } from '../../topology/ports/log.ts'
import { EVENTS, folded, ROWS, readAll, SETUP, text } from '../contract/log-topics.ts'
import { RUN } from '../tools/run.ts'

const KILLS = 12
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)
const WRITER = fileURLToPath(new URL('./lmdb-writer.ts', import.meta.url))

/** Runs the writer, kills it `delayMs` after its log is open, and returns the last number that it printed per owner. */
const writeAndKill = async (dir: string, seed: number, delayMs: number): Promise<Map<string, number>> => {
  const child: ChildProcess = spawn(process.execPath, [...RUN, WRITER, dir, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const acknowledged = new Map<string, number>()
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (line === 'open') setTimeout(() => child.kill('SIGKILL'), delayMs)
    const [id = '', number] = line.split(' ')
    if (number !== undefined) acknowledged.set(id, Number(number))
  }
  await exited
  return acknowledged
}

/** Asserts that commits are atomic: every topic of a commit has the same number, and each smaller number occurs exactly once. */
const checkOwner = async (log: Log, id: string, partition: number, acknowledged: number): Promise<number> => {
  const last = (await log.own(id)).committed().get('in') ?? 0
  expect(last).toBeGreaterThanOrEqual(acknowledged)
  const expected = Array.from({ length: last }, (_, i) => String(i + 1))
  expect((await readAll(log, EVENTS, partition)).map(({ value }) => text(value))).toEqual(expected)
  const shared = (await readAll(log, EVENTS, 2)).filter(({ key }) => text(key) === id)
  expect(shared.map(({ value }) => text(value))).toEqual(expected)
  expect((await folded(log, ROWS, partition)).total).toBe(last === 0 ? undefined : String(last))
  return last
}

test(`${KILLS} kills at random times (seed ${SEED})`, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-kill-'))
  let before = [0, 0]
  for (let kill = 0; kill < KILLS; kill++) {
    const delayMs = ((SEED * 7_919 + kill * 104_729) % 2_500) / 10
    const acknowledged = await writeAndKill(dir, SEED + kill, delayMs)
    const log = await openLmdbLog({ dir, ...SETUP })
    const after = [
      await checkOwner(log, 'a', 0, acknowledged.get('a') ?? before[0] ?? 0),
      await checkOwner(log, 'b', 1, acknowledged.get('b') ?? before[1] ?? 0),
    ]
    await log.close()
    before = after
  }
  expect(Math.min(...before)).toBeGreaterThan(KILLS)
  rmSync(dir, { recursive: true })
})
