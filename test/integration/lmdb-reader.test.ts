// Reads a log while another process writes it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { type WatchedLog, watchLmdbLog } from '../../topology/logs/lmdb/lmdb-reader.ts'
import { EVENTS, out, ROWS, SETUP, text } from '../contract/log-topics.ts'
import { RUN } from '../tools/run.ts'

const WRITER = fileURLToPath(new URL('./lmdb-writer.ts', import.meta.url))
const LIMITS = { recordsMax: 10_000, bytesMax: 1 << 30 }
let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-watch-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const numbersOf = async (log: WatchedLog): Promise<(string | null)[]> =>
  (await log.read(EVENTS, 0, log.start(EVENTS, 0), LIMITS)).map(({ value }) => text(value))

test('reads whole commits of a running writer as the log grows, and does not disturb it', async () => {
  const child: ChildProcess = spawn(process.execPath, [...RUN, WRITER, dir, '7'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const nextLine = async (wanted: RegExp): Promise<string> => {
    for (let line = await lines.next(); !line.done; line = await lines.next()) if (wanted.test(line.value)) return line.value
    throw new Error('the writer ended')
  }
  await nextLine(/^a 1$/)
  const log = await watchLmdbLog(dir)
  let read = 0
  for (let look = 0; look < 5; look++) {
    const acknowledged = Number((await nextLine(/^a /)).slice(2))
    const committed = log.inputsOf('a').get('in') ?? 0
    const numbers = await numbersOf(log)
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => String(index + 1)))
    expect(committed).toBeGreaterThanOrEqual(acknowledged)
    expect(numbers.length).toBeGreaterThanOrEqual(committed)
    expect(log.end(EVENTS, 0)).toBeGreaterThanOrEqual(numbers.length)
    expect(numbers.length).toBeGreaterThan(read)
    read = numbers.length
  }
  await log.close()
  await nextLine(/^a /)
  child.kill('SIGKILL')
  await once(child, 'exit')
})
test('sees the newest of several commits by another process within one turn of the event loop', async () => {
  await (await openLmdbLog({ dir, ...SETUP })).close()
  const log = await watchLmdbLog(dir)
  expect(log.inputsOf('a').get('in')).toBeUndefined()
  const { stdout } = spawnSync(process.execPath, [...RUN, WRITER, dir, '7'], { timeout: 2_000, killSignal: 'SIGKILL', encoding: 'utf8' })
  const acknowledged = Number(/^a (\d+)$/m.exec(stdout.slice(stdout.lastIndexOf('a ')))?.[1])
  expect(acknowledged).toBeGreaterThan(0)
  expect(log.inputsOf('a').get('in')).toBeGreaterThanOrEqual(acknowledged)
  await log.close()
})
test('trimmed records are expired; a topic without records is empty', async () => {
  const writer = await openLmdbLog({ dir, ...SETUP })
  const owner = await writer.own('a')
  for (const number of [1, 2, 3])
    await owner.commit({ outputs: [out(EVENTS, 1, 'key', String(number))], inputs: new Map([['in', number]]) })
  await writer.trim(EVENTS, 1, 2)
  await writer.close()
  const log = await watchLmdbLog(dir)
  expect([log.partitions(EVENTS), log.start(EVENTS, 1), log.end(EVENTS, 1)]).toEqual([SETUP.partitions, 2, 3])
  await expect(log.read(EVENTS, 1, 1, LIMITS)).rejects.toMatchObject({ code: 'offset_expired' })
  expect((await log.read(EVENTS, 1, 2, LIMITS)).map(({ offset, value }) => [offset, text(value)])).toEqual([[2, '3']])
  expect([await log.read(EVENTS, 1, 3, LIMITS), await log.read(ROWS, 0, 0, LIMITS), log.end(ROWS, 0)]).toEqual([[], [], 0])
  expect([[...log.inputsOf('a')], [...log.inputsOf('nobody')]]).toEqual([[['in', 3]], []])
  await log.close()
})
test.each([
  ['a file of another kind', () => writeFileSync(join(dir, 'data.mdb'), 'x'.repeat(10_000))],
  ['an empty directory', () => {}],
])('refuses %s and leaves it unchanged', async (_what, make) => {
  make()
  const before = readdirSync(dir)
  await expect(watchLmdbLog(dir)).rejects.toMatchObject({ name: 'EngineError' })
  expect(readdirSync(dir)).toEqual(before)
})
