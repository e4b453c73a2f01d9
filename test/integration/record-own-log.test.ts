// A recording of one's own log: its replay concludes what the live folds concluded of the same frames, forks and gaps included.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RawFrame, RawRecord } from '../../schemas/types.ts'
import { register as registerRecord } from '../../topology/cli/commands/recordings/record.ts'
import { register as registerVerifyTape } from '../../topology/cli/commands/recordings/verify-tape.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { type DurableLog, openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { readRecording } from '../../topology/sources/recording/recording-file.ts'
import { type Ran, runCommand } from '../fakes/run-command.ts'
import { forkedMinute, liveAndReplayed } from '../fixtures/own-log.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw, foldToEnd } from '../live.ts'

const { bodies, canonical } = forkedMinute
let dir = ''
let log: DurableLog
const at = (name: string): string => join(dir, name)
const slot = (index: number): string => `solana:${(canonical.at(index) as RawFrame).number}`

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-own-log-'))
  log = await openLmdbLog({ dir: at('log'), partitions: 4 })
  await appendRaw(log, bodies, 0)
  await foldToEnd(log, DEFAULT_LIMITS)
})
afterAll(async () => {
  await log.close()
  rmSync(dir, { recursive: true })
})

const record = (...args: string[]): Promise<Ran> =>
  runCommand(registerRecord, ['record', '--source', 'log', '--out', at('out.avro'), ...args], { env: { MINTFOLD_DATA_DIR: dir } })
const recorded = async (): Promise<RawFrame[]> => {
  const frames: RawFrame[] = []
  for await (const frame of readRecording(at('out.avro'))) frames.push(frame)
  return frames
}
const named = (frames: readonly RawFrame[]): string[] =>
  frames.map(({ number, hash, body }) => `${number} ${hash} ${Buffer.from(body).toString('base64')}`)

test('a recording of a log in use by another part of the process has all canonical frames, and their replay equals the live conclusions', async () => {
  expect(await record()).toMatchObject({ error: undefined, code: 0 })
  const frames = await recorded()
  expect(named(frames)).toEqual(named(canonical))
  const { live, replayed } = await liveAndReplayed(log, frames)
  expect(live.conclusions.length).toBeGreaterThan(5)
  expect(replayed).toEqual(live)
})

test('a recording with a start and an end has the frames between them, both included', async () => {
  for (const [from, to] of [[40, 90] as const, [0, 0] as const, [canonical.length - 1, canonical.length - 1] as const]) {
    const { error, stderr } = await record('--from', slot(from), '--to', `${slot(to)}.~`)
    expect(error).toBeUndefined()
    expect(named(await recorded())).toEqual(named(canonical.slice(from, to + 1)))
    expect(stderr.at(-1)).toBe(`${at('out.avro')}: ${to - from + 1} frames`)
  }
})

test('a recording from a time before the newest frame has everything since; with --frames, the first of them', async () => {
  const newest = canonical.at(-1)?.blockTime as number
  const since = canonical.filter(({ blockTime }) => (blockTime as number) >= newest - 20)
  await record('--from', '-20s')
  expect(named(await recorded())).toEqual(named(since))
  await record('--from', '-20s', '--to', '-10s')
  expect(named(await recorded())).toEqual(named(since.filter(({ blockTime }) => (blockTime as number) <= newest - 10)))
  await record('--from', '-20s', '--frames', '3')
  expect(named(await recorded())).toEqual(named(since.slice(0, 3)))
})

test('a recording has the gap of slots that never arrived, as the log has it', async () => {
  const gap = canonical.findIndex(({ parentHash }, index) => index > 0 && parentHash !== canonical[index - 1]?.hash)
  const missing = async (from: number, to: number): Promise<string | undefined> => {
    await record('--from', slot(from), '--to', slot(to))
    return (await runCommand(registerVerifyTape, ['verify-tape', at('out.avro')])).stderr.at(-1)
  }
  expect(gap).toBeGreaterThan(20)
  expect(await missing(0, gap - 1)).toBe('nothing is missing')
  expect(await missing(0, gap + 5)).toMatch(/^found: 1 gap/)
})

test.each([
  [
    ['--from', 'solana:7'],
    /^--from solana:7 is outside the kept range, solana:\d+\.~ \(2026-.*Z\) to .*Z\): use a position in it, or omit --from$/,
  ],
  [['--from', '-1h'], /^--from -1h is outside the kept range/],
  [['--to', '-1h'], /^--to -1h is outside the kept range/],
  [['--to', 'solana:999999999'], /^--to solana:999999999 is outside the kept range/],
  [['--from', slot(9), '--to', slot(8)], /^--to solana:\d+ is before --from solana:\d+: swap them$/],
  [['--from', '-10s', '--to', '-20s'], /^--to -20s is before --from -10s: swap them$/],
  [['--from', '-1s', '--to', slot(8)], /^no frame of the canonical branch is kept from -1s to solana:\d+: /],
  [
    ['--from', 'yesterday'],
    /^yesterday is neither a position nor a time before the newest frame: write solana:332254908, or -1h, -30m, -90s$/,
  ],
  [['--from', '-1'], /^-1 is neither a position/],
  [['--speed', '1'], /^--speed cannot be used with --source log: the log cannot be changed$/],
  [['--seed', '1'], /^--seed can only be used with --source demo: the log cannot be changed$/],
])('refuses %j with what is valid, and leaves no file', async (args, message) => {
  rmSync(at('out.avro'), { force: true })
  expect((await record(...args)).error).toMatchObject({ name: 'UsageError', message: expect.stringMatching(message) })
  expect(readdirSync(dir).filter((name) => name !== 'log')).toEqual([])
})

test('reports that there is no log, a log without frames, or another source', async () => {
  const inDir = (dataDir: string): Promise<Ran> =>
    runCommand(registerRecord, ['record', '--source', 'log', '--out', at('out.avro')], { env: { MINTFOLD_DATA_DIR: dataDir } })
  expect((await inDir(at('absent'))).error).toMatchObject({ message: `${at('absent')} has no data of mintfold: set MINTFOLD_DATA_DIR` })
  await (await openLmdbLog({ dir: at('empty/log'), partitions: 1 })).close()
  expect((await inDir(at('empty'))).error).toMatchObject({ message: expect.stringMatching(`^${at('empty')} has no frames: `) })
  rmSync(at('empty'), { recursive: true })
  const other = await runCommand(registerRecord, ['record', '--out', at('out.avro'), '--from', '-1h'])
  expect(other.error).toMatchObject({ message: '--from and --to can only be used with --source log' })
})

test('a recording of a log whose end is being written leaves incomplete frames out', async () => {
  const last = canonical.at(-1) as RawFrame
  const begun: RawRecord['body'] = { ...last, number: last.number + 1, hash: 'begun', parentHash: last.hash, part: 0, parts: 2 }
  await appendRaw(log, [begun], bodies.length)
  await record('--from', slot(-3))
  expect(named(await recorded())).toEqual(named(canonical.slice(-3)))
  expect(log.end(TOPICS.raw, 0)).toBe(bodies.length + 1)
})
