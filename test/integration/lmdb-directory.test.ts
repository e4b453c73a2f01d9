// The data directory: who may open it, what survives, what is refused.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from 'lmdb'
import { OWNER_KEY, SHAPE_KEY } from '../../topology/data-dir/data-dir-lock.ts'
import { thisProcess } from '../../topology/data-dir/process-identity.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { code, EVENTS, out, ROWS, readAll, SETUP, text, values, write } from '../contract/log-topics.ts'
import { RUN } from '../tools/run.ts'

const WRITER = fileURLToPath(new URL('./lmdb-writer.ts', import.meta.url))
let dir: string
const children: ChildProcess[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-dir-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dir, { recursive: true })
})

/** Puts a row straight into the files of a closed log. */
const plant = async (database: string, key: Uint8Array, value: object, version?: number): Promise<void> => {
  const env = open({ path: dir, noSubdir: false, overlappingSync: false, maxDbs: 2 })
  const rows = env.openDB<Uint8Array, Uint8Array>({
    name: database,
    encoding: 'binary',
    keyEncoding: 'binary',
    useVersions: version !== undefined,
  })
  await rows.put(key, Buffer.from(JSON.stringify(value)), version ?? 0)
  await env.close()
}
const writerProcess = async (): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [...RUN, WRITER, dir, '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

test('committed records are there after closing and reopening', async () => {
  const log = await openLmdbLog({ dir, ...SETUP })
  await write(await log.own('a'), [out(EVENTS, 1, 'k', 'e'), out(ROWS, 1, 'k', 'old'), out(ROWS, 1, 'k', 'new')], { 'raw/0': 3 })
  await log.trim(EVENTS, 1, 1)
  await log.close()
  const again = await openLmdbLog({ dir, ...SETUP })
  expect([again.start(EVENTS, 1), again.end(EVENTS, 1)]).toEqual([1, 1])
  expect((await readAll(again, ROWS, 1)).map(({ offset, value }) => [offset, text(value)])).toEqual([[1, 'new']])
  expect(Object.fromEntries((await again.own('a')).committed())).toEqual({ 'raw/0': 3 })
  await again.close()
})

test('refuses a second process with the pid of the first, which continues', async () => {
  const child = await writerProcess()
  const refusal = openLmdbLog({ dir, ...SETUP })
  await expect(refusal).rejects.toEqual(code('data_dir_owned'))
  await expect(refusal).rejects.toMatchObject({ facts: { pid: child.pid }, message: expect.stringContaining(String(child.pid)) })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
})

test('of several processes that start at once, one opens the directory and the others end', async () => {
  const starting = [1, 2, 3, 4].map(() => spawn(process.execPath, [...RUN, WRITER, dir, '1'], { stdio: ['ignore', 'pipe', 'ignore'] }))
  children.push(...starting)
  const outcomes = starting.map((child) =>
    Promise.race([once(child, 'exit').then(([status]) => `exit ${status}`), once(child.stdout, 'data').then(() => 'open')]),
  )
  expect((await Promise.all(outcomes)).sort()).toEqual(['exit 1', 'exit 1', 'exit 1', 'open'])
})

test('refuses to open the directory twice in one process', async () => {
  const log = await openLmdbLog({ dir, ...SETUP })
  await expect(openLmdbLog({ dir, ...SETUP })).rejects.toMatchObject({ code: 'data_dir_owned', facts: { pid: process.pid } })
  await write(await log.own('a'), [out(EVENTS, 0, 'k', 'v')])
  await log.close()
})

test('takes over from an owner that was killed', async () => {
  const child = await writerProcess()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const log = await openLmdbLog({ dir, ...SETUP })
  await write(await log.own('c'), [out(EVENTS, 0, 'k', 'mine')])
  await log.close()
})

test.each([
  ['an earlier boot', { boot: 'another boot' }],
  ['an earlier process of the same pid', { startedAt: '1' }],
])('takes over from an owner of %s', async (_, difference) => {
  await (await openLmdbLog({ dir, ...SETUP })).close()
  await plant('owner', OWNER_KEY, { ...thisProcess(), ...difference }, 5)
  await (await openLmdbLog({ dir, ...SETUP })).close()
})

test('refuses while the recorded owner runs, even if that process does not have the log open', async () => {
  await (await openLmdbLog({ dir, ...SETUP })).close()
  await plant('owner', OWNER_KEY, thisProcess(), 5)
  await expect(openLmdbLog({ dir, ...SETUP })).rejects.toEqual(code('data_dir_owned'))
})

test('an owner that another process wrongly considered dead is fenced at its next commit and writes nothing', async () => {
  const log = await openLmdbLog({ dir, ...SETUP })
  const owner = await log.own('a')
  await write(owner, [out(EVENTS, 0, 'k', 'before')])
  const usurper = spawn(process.execPath, ['-e', USURP, dir], { cwd: process.cwd(), stdio: 'inherit' })
  expect(await once(usurper, 'exit')).toEqual([0, null])
  await expect(write(owner, [out(EVENTS, 0, 'k', 'zombie')])).rejects.toMatchObject({ code: 'fenced', retriable: false })
  await expect(write(await log.own('b'), [out(EVENTS, 0, 'k', 'zombie')])).rejects.toEqual(code('fenced'))
  expect(await values(log, EVENTS, 0)).toEqual(['before'])
  await log.close()
})
/** Takes the lock like a process that does not see the owner (in another pid namespace): writes a newer generation. */
const USURP = `
const { open } = require('lmdb')
const env = open({ path: process.argv[1], noSubdir: false, overlappingSync: false, maxDbs: 2 })
const owners = env.openDB({ name: 'owner', useVersions: true, encoding: 'binary', keyEncoding: 'binary' })
const key = Buffer.from('owner')
const { value, version } = owners.getEntry(key)
owners.put(key, value, version + 1).then(() => env.close())
`

test('refuses a directory of another format, and names both formats and the options', async () => {
  await (await openLmdbLog({ dir, ...SETUP })).close()
  await plant('rows', SHAPE_KEY, { format: 1, partitions: SETUP.partitions })
  const refusal = openLmdbLog({ dir, ...SETUP })
  await expect(refusal).rejects.toMatchObject({ code: 'data_dir_version', facts: { found: '1', expected: 2 } })
  await expect(refusal).rejects.toThrow(/format 1.*format 2.*MINTFOLD_DATA_DIR/s)
})

test('refuses rows without a format: they are no new log', async () => {
  await plant('rows', Buffer.from('something'), {})
  await expect(openLmdbLog({ dir, ...SETUP })).rejects.toEqual(code('data_dir_version'))
})

test.each([
  ['no lmdb file', Buffer.alloc(100_000, 'not an lmdb ')],
  ['cut short', Buffer.from('cut')],
])('refuses a data file that is %s and leaves it unchanged', async (_, bytes) => {
  writeFileSync(join(dir, 'data.mdb'), bytes)
  await expect(openLmdbLog({ dir, ...SETUP })).rejects.toEqual(code('data_dir_version'))
  expect(readFileSync(join(dir, 'data.mdb')).equals(bytes)).toBe(true)
})

test('refuses a data file of another version of lmdb', async () => {
  await (await openLmdbLog({ dir, ...SETUP })).close()
  const bytes = readFileSync(join(dir, 'data.mdb'))
  bytes.writeUInt32LE(1, 28)
  writeFileSync(join(dir, 'data.mdb'), bytes)
  await expect(openLmdbLog({ dir, ...SETUP })).rejects.toThrow(/lmdb version 1, not 2/)
})

test('refuses another number of partitions, and names both numbers', async () => {
  await (await openLmdbLog({ dir, ...SETUP })).close()
  const refusal = openLmdbLog({ dir, ...SETUP, partitions: 12 })
  await expect(refusal).rejects.toMatchObject({ code: 'data_dir_partitions', facts: { found: 3, asked: 12 } })
  await (await openLmdbLog({ dir, ...SETUP })).close()
})

test('a directory that cannot be created fails with log_io', async () => {
  await expect(openLmdbLog({ dir: '/dev/null/nowhere', ...SETUP })).rejects.toEqual(code('log_io'))
})
