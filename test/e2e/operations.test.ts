// The operator's commands, on a product that is stopped and on one that runs in a separate process.
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { main } from '../../topology/cli/main.ts'
import { createIo } from '../../topology/cli/output/io.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { RecordingSource } from '../../topology/sources/recording/recording.ts'
import { copyHistory } from '../fixtures/migrated-history.ts'
import { deafWiring, foldAll } from '../fixtures/rebuild-market.ts'
import { BIN, UpProcess } from '../soak/up-process.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { fakeEdges } from '../unit/cli/fake-edges.ts'

const RECORDING = fileURLToPath(new URL('../recordings/launches.avro', import.meta.url))
/** Generous: products start and stop, and the machine may be busy. */
const TIMEOUT_MS = 300_000
/** Of the embedded log. */
const PARTITIONS = 4
let dir = ''
const at = (name: string): string => join(dir, name)
const started: UpProcess[] = []
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-operations-'))
})
afterAll(async () => {
  for (const up of started) await up.kill()
  removeDirectory(dir)
})

/** `up` on the recording, once it answers. */
const startUp = async (data: string, env = {}): Promise<UpProcess> => {
  const args = [BIN, 'up', '--source', `recording:${RECORDING}`]
  const up = new UpProcess({ dataDir: at(data), port: await freePort(), args, env: { MINTFOLD_FOLD_THREADS: '1', ...env } })
  started.push(up)
  await up.printed('try:', TIMEOUT_MS)
  return up
}
interface Ended {
  readonly code: number
  readonly out: string
  readonly stderr: string
}
/** Runs a command in this process. */
const mintfold = async (data: string, ...args: string[]): Promise<Ended> => {
  const edges = fakeEdges({ MINTFOLD_DATA_DIR: at(data), MINTFOLD_PORT: '0' })
  const code = await main(args, createIo(edges))
  return { code, out: edges.written.stdout, stderr: edges.written.stderr }
}
const letters = (data: string, ...args: string[]): Promise<Ended> => mintfold(data, 'dead-letters', ...args)

/** Makes a data directory from the recording, with a decoder that cannot decode some trades. */
const deafDirectory = async (data: string): Promise<void> => {
  const log = await openLmdbLog({ dir: join(at(data), 'log'), partitions: PARTITIONS })
  const source = new RecordingSource(log, LAUNCH_RISK.sources.recording.writes.raw, {
    chain: LAUNCH_RISK.chain.name,
    path: RECORDING,
    speed: 'max',
    wall: Date.now,
    stop: new AbortController().signal,
  })
  await source.open()
  await source.run()
  await foldAll(log, deafWiring())
  await log.close()
}

test(
  'lists and shows the dead letters of a stopped product, and a redrive decodes them',
  async () => {
    await deafDirectory('stopped')
    const listed = await letters('stopped', 'list', '--format', 'json')
    expect(listed.code).toBe(0)
    const found = listed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; code: string; signature: string })
    expect(found.length).toBeGreaterThan(1)
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(['unknown_event']))
    expect(listed.stderr).toContain(`${found.length} of ${found.length} dead letters`)
    const [first] = found
    expect((await letters('stopped', 'list', '--limit', '1')).out).toBe(
      `${first?.id}\tunknown_event\t${first?.signature}\ta layout of the future\n`,
    )
    expect((await letters('stopped', 'list', '--code', 'truncated')).out).toBe('')
    const shown = JSON.parse((await letters('stopped', 'show', first?.id ?? '')).out) as Record<string, string>
    expect(shown).toMatchObject({
      ...first,
      bytes_hex: expect.stringMatching(/^[0-9a-f]{2}$/),
      advice: expect.stringContaining('dead-letters redrive'),
    })
    expect(Buffer.from(shown.bytes_base64 ?? '', 'base64').toString('hex')).toBe(shown.bytes_hex)

    const redriven = await letters('stopped', 'redrive')
    expect(redriven).toMatchObject({ code: 0, stderr: expect.stringContaining(`${found.length} dead letters gone, 0 new`) })
    expect(await letters('stopped', 'list')).toMatchObject({ code: 0, out: '', stderr: expect.stringContaining('no dead letters') })
    expect(await letters('stopped', 'show', first?.id ?? '')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('list --format json'),
    })
  },
  TIMEOUT_MS,
)

test(
  'a running product redrives its dead letters, doctor detects it, backup does not stop it, and restore accepts only another directory',
  async () => {
    await deafDirectory('data')
    await copyHistory(at('data'))
    const up = await startUp('data')
    expect((await letters('data', 'list')).out.split('\n').length).toBeGreaterThan(2)
    expect(await letters('data', 'redrive')).toMatchObject({ code: 0, stderr: expect.stringMatching(/[1-9]\d* dead letters gone, 0 new/) })
    expect((await letters('data', 'list')).out).toBe('')
    expect((await fetch(`${up.url}/ready`)).status).toBe(200)

    const doctor = await mintfold('data', 'doctor')
    expect(doctor.out).toMatch(new RegExp(`ok +data directory .*process ${up.pid}`))
    const backup = await mintfold('data', 'backup', '--out', at('b1'))
    expect({ ...backup, text: backup.out + backup.stderr }).toMatchObject({ code: 0, text: expect.stringContaining('3 files') })
    expect(await mintfold('data', 'restore', at('b1'))).toMatchObject({ code: 3, stderr: expect.stringContaining(`process ${up.pid}`) })
    expect({ code: await up.stop(), lines: up.lines }).toMatchObject({ code: 0 })
    expect(existsSync(join(at('data'), 'control.sock'))).toBe(false)

    expect((await mintfold('other', 'restore', at('b1'))).code).toBe(0)
    const again = await startUp('other', { CLICKHOUSE_URL: 'http://127.0.0.1:9' })
    expect(again.lines.join('\n')).toContain('from frame 6 on')
  },
  TIMEOUT_MS,
)

test(
  'reports a data directory without a log, and wrong usage',
  async () => {
    expect(await letters('none', 'list')).toMatchObject({ code: 2, stderr: expect.stringContaining('MINTFOLD_DATA_DIR') })
    expect(await letters('none', 'redrive')).toMatchObject({ code: 2, stderr: expect.stringContaining('MINTFOLD_DATA_DIR') })
    expect(await letters('stopped', 'list', '--limit', 'many')).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit') })
    expect(await letters('stopped', 'list', '--format', 'xml')).toMatchObject({ code: 2, stderr: expect.stringContaining('text or json') })
  },
  TIMEOUT_MS,
)
