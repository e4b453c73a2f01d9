// `mintfold dead-letters` on a product that is stopped and on one that runs in a separate process.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
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
import { removeDirectory } from '../tools/remove-directory.ts'
import { fakeEdges } from '../unit/cli/fake-edges.ts'

const BIN = fileURLToPath(new URL('../../topology/cli/mintfold.mjs', import.meta.url))
const RECORDING = fileURLToPath(new URL('../recordings/launches.avro', import.meta.url))
/** Generous: a product starts and stops, and the machine may be busy. */
const TIMEOUT_MS = 120_000
/** Of the embedded log. */
const PARTITIONS = 4
let dir = ''
let up: ChildProcess | undefined
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-letters-'))
})
afterAll(() => {
  up?.kill('SIGKILL')
  removeDirectory(dir)
})

const start = (data: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [BIN, ...args], {
    env: { ...process.env, MINTFOLD_DATA_DIR: join(dir, data), MINTFOLD_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
interface Ended {
  readonly code: number
  readonly out: string
  readonly stderr: string
}
/** Runs a `dead-letters` command in this process. */
const mintfold = async (data: string, ...args: string[]): Promise<Ended> => {
  const edges = fakeEdges({ MINTFOLD_DATA_DIR: join(dir, data) })
  const code = await main(['dead-letters', ...args], createIo(edges))
  return { code, out: edges.written.stdout, stderr: edges.written.stderr }
}

/** Makes a data directory from the recording, with a decoder that cannot decode some trades. */
const deafDirectory = async (data: string): Promise<void> => {
  const log = await openLmdbLog({ dir: join(dir, data, 'log'), partitions: PARTITIONS })
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
    const listed = await mintfold('stopped', 'list', '--format', 'json')
    expect(listed.code).toBe(0)
    const letters = listed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; code: string; signature: string })
    expect(letters.length).toBeGreaterThan(1)
    expect(new Set(letters.map(({ code }) => code))).toEqual(new Set(['unknown_event']))
    expect(listed.stderr).toContain(`${letters.length} of ${letters.length} dead letters`)
    const [first] = letters
    expect((await mintfold('stopped', 'list', '--limit', '1')).out).toBe(
      `${first?.id}\tunknown_event\t${first?.signature}\ta layout of the future\n`,
    )
    expect((await mintfold('stopped', 'list', '--code', 'truncated')).out).toBe('')
    const shown = JSON.parse((await mintfold('stopped', 'show', first?.id ?? '')).out) as Record<string, string>
    expect(shown).toMatchObject({
      ...first,
      bytes_hex: expect.stringMatching(/^[0-9a-f]{2}$/),
      advice: expect.stringContaining('dead-letters redrive'),
    })
    expect(Buffer.from(shown.bytes_base64 ?? '', 'base64').toString('hex')).toBe(shown.bytes_hex)

    const redriven = await mintfold('stopped', 'redrive')
    expect(redriven).toMatchObject({ code: 0, stderr: expect.stringContaining(`${letters.length} dead letters gone, 0 new`) })
    expect(await mintfold('stopped', 'list')).toMatchObject({ code: 0, out: '', stderr: expect.stringContaining('no dead letters') })
    expect(await mintfold('stopped', 'show', first?.id ?? '')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('list --format json'),
    })
  },
  TIMEOUT_MS,
)

test(
  'a running product redrives its dead letters, then answers again',
  async () => {
    await deafDirectory('working')
    await copyHistory(join(dir, 'working'))
    const working = start('working', 'up', '--source', `recording:${RECORDING}`)
    up = working
    let output = ''
    for (const stream of [working.stdout, working.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk))
    while (!output.includes('try:') && working.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50))
    const { out } = await mintfold('working', 'list')
    expect(out.split('\n').length).toBeGreaterThan(2)
    expect(await mintfold('working', 'redrive')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/[1-9]\d* dead letters gone, 0 new/),
    })
    expect((await mintfold('working', 'list')).out).toBe('')
    const url = /answers on (\S+)/.exec(output)?.[1] ?? ''
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    const ended = new Promise((resolve) => working.on('exit', resolve))
    working.kill('SIGTERM')
    expect(await ended).toBe(0)
  },
  TIMEOUT_MS,
)

test(
  'reports a data directory without a log, and wrong usage',
  async () => {
    expect(await mintfold('none', 'list')).toMatchObject({ code: 2, stderr: expect.stringContaining('MINTFOLD_DATA_DIR') })
    expect(await mintfold('none', 'redrive')).toMatchObject({ code: 2, stderr: expect.stringContaining('MINTFOLD_DATA_DIR') })
    expect(await mintfold('stopped', 'list', '--limit', 'many')).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit') })
    expect(await mintfold('stopped', 'list', '--format', 'xml')).toMatchObject({ code: 2, stderr: expect.stringContaining('text or json') })
  },
  TIMEOUT_MS,
)
