// A backup of a running product restores the data directory as it was at one moment. A restore refuses files that are torn or changed, and
// directories that it cannot use, and names them.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as registerBackup } from '../../../topology/cli/commands/backup.ts'
import { register as registerRestore } from '../../../topology/cli/commands/restore.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import { type LmdbTables, openLmdbTables } from '../../../topology/data-dir/lmdb-tables.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../../topology/launch-risk.ts'
import { type DurableLog, openLmdbLog } from '../../../topology/logs/lmdb/lmdb.ts'
import { dataDirBackup, SALES_FOLDER, SALES_TABLES } from '../../../topology/operations/backup/data-dir.ts'
import { type ControlServer, serveControl } from '../../../topology/operations/control/server.ts'
import { startFolds } from '../../../topology/runtime/runtime.ts'
import { type Sandbox, startSandbox } from '../../../topology/sandbox/sandbox.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { curveContentsOf } from '../../fixtures/curve-contents.ts'
import { demoCurveBodies, forkedBodies } from '../../fixtures/demo-curves.ts'
import { marketBodies, QUICK } from '../../fixtures/rebuild-market.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { appendNext, chainContentsOf } from '../../fixtures/two-chains.ts'
import { readAll } from '../../live.ts'

const TOPIC = TOPICS.mintChangelog
let root = ''
const at = (...names: string[]): string => join(root, ...names)
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mintfold-backup-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const openLog = (name: string): Promise<DurableLog> => openLmdbLog({ dir: at(name, 'log'), partitions: 2 })
const append = async (log: DurableLog, from: number, count: number): Promise<void> => {
  const owner = await log.own('test')
  const outputs = Array.from({ length: count }, (_, i) => ({
    topic: TOPIC,
    partition: (from + i) % 2,
    key: Buffer.from(`key ${from + i}`),
    value: Buffer.alloc(1_000, from + i),
  }))
  await owner.commit({ outputs, inputs: new Map([['source', from + count]]) })
}
const contents = async (log: DurableLog): Promise<unknown> => ({
  records: (await readAll(log, TOPIC)).map(({ offset, key, value }) => [offset, String(key), value?.length, value?.[0]]),
  inputs: [...(await log.own('test')).committed()],
})

type PaymentTables = LmdbTables<Record<(typeof SALES_TABLES)[number], object>>

interface Running {
  readonly log: DurableLog
  readonly payments: PaymentTables['tables']
  readonly sandbox: Sandbox
  readonly control: ControlServer
  stop(): Promise<void>
}
/** Opens the log, the sales tables, the sandbox and the control server of a data directory, as `up` does. */
const start = async (name: string): Promise<Running> => {
  const dataDir = at(name)
  mkdirSync(dataDir, { recursive: true })
  const log = await openLog(name)
  const payments: PaymentTables = openLmdbTables(at(name, SALES_FOLDER), SALES_TABLES)
  const sandbox = await startSandbox({ dataDir })
  const live = () => [log.snapshot(), payments.snapshot(SALES_FOLDER), sandbox.snapshot()]
  const backup = dataDirBackup({ dataDir, version: 'test', now: Date.now, live })
  const control = await serveControl(dataDir, {
    status: () => ({ pid: 4711 }),
    backup: async ({ out }, { stop }) => (await backup({ out: String(out), progress: () => {}, stop })) ?? {},
  })
  return {
    log,
    payments: payments.tables,
    sandbox,
    control,
    stop: async () => {
      await control.close()
      await sandbox.close()
      await payments.close()
      await log.close()
    },
  }
}
const backup = (name: string, out: string) =>
  runCommand(registerBackup, ['backup', '--out', out], { env: { MINTFOLD_DATA_DIR: at(name), MINTFOLD_PARTITIONS: '2' } })
const restore = (file: string, name: string) => runCommand(registerRestore, ['restore', file], { env: { MINTFOLD_DATA_DIR: at(name) } })

test('a backup during writes restores the directory as it was at one moment', async () => {
  const running = await start('a')
  await append(running.log, 0, 3_000)
  await running.payments.book.put('p1', { state: 'done', answer: 'é' })
  await running.payments.settlements.put('l1', { state: 'settled' })
  writeFileSync(at('a', 'keys.json'), 'x'.repeat(600_000), { mode: 0o600 })
  writeFileSync(at('a', 'torn.tmp'), 'left by a kill')
  mkdirSync(at('a', 'history'))
  const before = await contents(running.log)
  const made = backup('a', at('b1'))
  const writing = (async () => {
    for (let from = 5_000; from < 9_000; from += 500) await append(running.log, from, 500)
    await running.payments.book.put('p2', { state: 'done' })
  })()
  const { error, stderr } = await made
  await writing
  expect(error).toBeUndefined()
  expect(stderr[0]).toMatch(/rows and 2 files of .*left out: history$/)
  expect(statSync(at('b1')).mode & 0o777).toBe(0o600)
  const balances = await running.sandbox.balances()
  await running.stop()

  expect((await restore(at('b1'), 'c')).error).toBeUndefined()
  expect(readdirSync(at('c')).sort()).toEqual(['keys.json', 'log', 'sales', 'sandbox', 'wallet.json'])
  expect(readFileSync(at('c', 'keys.json'), 'utf8')).toHaveLength(600_000)
  expect(readFileSync(at('c', 'wallet.json'))).toEqual(readFileSync(at('a', 'wallet.json')))
  const again = await start('c')
  const log = (await contents(again.log)) as { records: unknown[]; inputs: unknown[] }
  const whole = before as typeof log
  expect(log.records.length % 500).toBe(0)
  expect(log.records.length).toBeGreaterThanOrEqual(whole.records.length)
  if (log.records.length === whole.records.length) expect(log).toEqual(whole)
  expect(again.payments.book.get('p1')).toEqual({ state: 'done', answer: 'é' })
  expect([...again.payments.settlements.entries()]).toEqual([['l1', { state: 'settled' }]])
  expect(await again.sandbox.balances()).toEqual(balances)
  await append(again.log, 20_000, 10)
  await again.stop()
})

test('backs up the directory of a product that is not running, with its stores', async () => {
  const running = await start('a')
  await append(running.log, 0, 10)
  await running.payments.book.put('p1', { n: 1 })
  const before = await contents(running.log)
  await running.stop()
  expect((await backup('a', at('b1'))).error).toBeUndefined()
  expect((await restore(at('b1'), 'c')).error).toBeUndefined()
  const again = await start('c')
  expect(await contents(again.log)).toEqual(before)
  expect(again.payments.book.get('p1')).toEqual({ n: 1 })
  await again.stop()
})

test('with the tasks of both chains on one log, the restored directory has their state, and each chain continues from there', async () => {
  const curves = forkedBodies(await demoCurveBodies({ seed: 3, rate: 10, blocks: 900 }))
  const market = marketBodies(20, 3)
  const foldTo = async (log: DurableLog, share: number): Promise<void> => {
    for (const [topology, bodies] of [
      [LAUNCH_RISK, market],
      [CURVE_RISK, curves],
    ] as const)
      await appendNext(log, topology, bodies, Math.ceil(bodies.length * share))
    const folds = await startFolds(log, TOPOLOGIES, QUICK)
    await folds.caughtUp()
    await folds.stop()
  }
  const left = async (log: DurableLog) => ({ curves: await curveContentsOf(log), mints: await chainContentsOf(log, LAUNCH_RISK) })
  const running = await start('a')
  await foldTo(running.log, 0.5)
  expect((await backup('a', at('b1'))).error).toBeUndefined()
  const before = await left(running.log)
  await foldTo(running.log, 0.5)
  const after = await left(running.log)
  await running.stop()
  expect((await restore(at('b1'), 'c')).error).toBeUndefined()
  const again = await openLog('c')
  expect(await left(again)).toEqual(before)
  await foldTo(again, 0.5)
  expect(await left(again)).toEqual(after)
  await again.close()
  expect(before.curves['cards of curves']?.length).toBeGreaterThan(5)
  expect(after.curves['cards of curves']).not.toEqual(before.curves['cards of curves'])
})

test('reports that there is nothing to back up, or a path that cannot be written, and leaves no file', async () => {
  expect((await backup('none', at('b1'))).error).toMatchObject({ name: 'UsageError', message: expect.stringContaining('has no data') })
  const running = await start('a')
  expect((await backup('a', at('no', 'such', 'place'))).error).toMatchObject({ code: 'control_failed', facts: { error: 'backup_failed' } })
  await running.stop()
  expect(readdirSync(root).filter((name) => name !== 'a')).toEqual([])
})

describe('restore', () => {
  const make = async (): Promise<string> => {
    const running = await start('a')
    await append(running.log, 0, 2_000)
    await running.stop()
    await backup('a', at('b1'))
    return at('b1')
  }
  const change = (file: string, edit: (bytes: Buffer) => Buffer): string => {
    writeFileSync(at('changed'), edit(readFileSync(file)))
    return at('changed')
  }
  const refused = async (file: string): Promise<unknown> => {
    const { error } = await restore(file, 'c')
    expect(existsSync(at('c'))).toBe(false)
    expect(readdirSync(root).filter((name) => name.includes('restore'))).toEqual([])
    return error
  }

  test('refuses a file that is cut, changed or too long as `backup_torn`, and leaves nothing half done', async () => {
    const file = await make()
    const size = statSync(file).size
    const cuts = [size - 1, size - 33, Math.floor(size / 2), 200, 30]
    for (const cut of cuts) expect(await refused(change(file, (bytes) => bytes.subarray(0, cut)))).toMatchObject({ code: 'backup_torn' })
    for (const offset of [500, Math.floor(size / 2), size - 5]) {
      const flipped = change(file, (bytes) => {
        bytes[offset] = (bytes[offset] ?? 0) ^ 1
        return bytes
      })
      expect(await refused(flipped)).toMatchObject({ code: 'backup_torn', message: expect.stringContaining('changed') })
    }
    expect(await refused(change(file, (bytes) => Buffer.concat([bytes, Buffer.from('x')])))).toMatchObject({ code: 'backup_torn' })
  })

  test('refuses a file of another kind, a file of another version and a missing file, each with its own error code', async () => {
    const file = await make()
    expect(await refused(change(file, () => Buffer.from('{"a": "settings file"}')))).toMatchObject({ code: 'not_a_backup' })
    expect(await refused(change(file, () => Buffer.alloc(0)))).toMatchObject({ code: 'not_a_backup' })
    const newer = change(file, (bytes) => Buffer.concat([Buffer.from('mintfold backup 2\n'), bytes.subarray(18)]))
    expect(await refused(newer)).toMatchObject({ code: 'backup_version', message: expect.stringContaining('format 2') })
    expect(await refused(at('absent'))).toMatchObject({ code: 'file_unreadable' })
  })

  test('refuses while the product runs, which continues', async () => {
    const file = await make()
    const running = await start('a')
    expect((await restore(file, 'a')).error).toMatchObject({ code: 'restore_target', message: expect.stringContaining('process 4711') })
    await append(running.log, 5_000, 1)
    await running.stop()
  })

  test('refuses a directory that is not empty and leaves it untouched; accepts an empty one', async () => {
    const file = await make()
    mkdirSync(at('c'))
    writeFileSync(at('c', 'notes.txt'), 'mine')
    expect((await restore(file, 'c')).error).toMatchObject({ code: 'restore_target', message: expect.stringContaining('notes.txt') })
    expect(readdirSync(at('c'))).toEqual(['notes.txt'])
    rmSync(at('c', 'notes.txt'))
    expect((await restore(file, 'c')).error).toBeUndefined()
    expect(existsSync(at('c', 'log', 'data.mdb'))).toBe(true)
  })

  test('reports a path where nothing can be created', async () => {
    const file = await make()
    writeFileSync(at('file'), '')
    expect((await restore(file, 'file')).error).toMatchObject({ code: 'directory_unusable' })
    expect((await restore(file, join('file', 'below'))).error).toMatchObject({ code: 'directory_unusable' })
  })
})
