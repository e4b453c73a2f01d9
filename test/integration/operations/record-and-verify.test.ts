// `mintfold record` keeps what a source sends unchanged, and `verify-tape` finds what is missing in a recording.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RawFrame } from '../../../schemas/types.ts'
import { register as registerRecord } from '../../../topology/cli/commands/recordings/record.ts'
import { register as registerReplay } from '../../../topology/cli/commands/recordings/replay.ts'
import { register as registerVerifyTape } from '../../../topology/cli/commands/recordings/verify-tape.ts'
import { readRecording, writeRecording } from '../../../topology/sources/recording/recording-file.ts'
import { type Ran, runCommand, type Surroundings } from '../../fakes/run-command.ts'

const recording = (name: string): string => fileURLToPath(new URL(`../../recordings/${name}.avro`, import.meta.url))
let dir = ''
const at = (name: string): string => join(dir, name)
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-record-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const framesIn = async (path: string): Promise<RawFrame[]> => {
  const frames = []
  for await (const frame of readRecording(path)) frames.push(frame)
  return frames
}
const record = (args: readonly string[], around: Surroundings = {}): Promise<Ran> =>
  runCommand(registerRecord, ['record', '--out', at('out.avro'), ...args], around)
const verify = (...files: string[]): Promise<Ran> => runCommand(registerVerifyTape, ['verify-tape', ...files])
const findings = ({ out }: Ran): unknown[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

describe('mintfold record', () => {
  test('keeps a source’s frames as it sent them, and creates no data directory', async () => {
    const { error, stderr } = await record(['--source', `recording:${recording('transactions')}`])
    expect(error).toBeUndefined()
    expect(await framesIn(at('out.avro'))).toEqual(await framesIn(recording('transactions')))
    expect(stderr.at(-1)).toBe(`${at('out.avro')}: 25 frames`)
    expect(readdirSync(dir)).toEqual(['out.avro'])
  })
  test.each([1, 7, 25, 1_000])('with --frames %i ends after that many frames, or with its source', async (frames) => {
    await record(['--source', `recording:${recording('transactions')}`, '--frames', String(frames)])
    expect(await framesIn(at('out.avro'))).toEqual((await framesIn(recording('transactions'))).slice(0, frames))
  })
  test('leaves a complete recording when it is stopped', async () => {
    const stop = new AbortController()
    const recorded = record(['--source', `recording:${recording('transactions')}`, '--speed', '1'], { stop: stop.signal })
    setTimeout(() => stop.abort(), 200)
    expect((await recorded).error).toBeUndefined()
    expect((await framesIn(at('out.avro'))).length).toBeLessThan(25)
  })
  test('of the demo has linked frames and every trade, and leaves no other file', async () => {
    const ran = await record(['--source', 'demo', '--speed', 'max', '--seed', '7', '--frames', '300'])
    expect(ran.error).toBeUndefined()
    expect(readdirSync(dir)).toEqual(['out.avro'])
    expect(await framesIn(at('out.avro'))).toHaveLength(300)
    const { code, stderr } = await verify(at('out.avro'))
    expect([stderr.at(-1), code]).toEqual(['nothing is missing', 0])
  })
  test('of a demo with a gap or with lost trades lacks them', async () => {
    const demo = ['--source', 'demo', '--speed', 'max', '--rate', '4', '--frames', '100']
    await record([...demo, '--gap', '-1190..-1185'])
    const gap = await verify(at('out.avro'))
    expect([gap.code, gap.stderr.at(-1)]).toEqual([1, expect.stringMatching(/found: .*1 gap/)])
    await record([...demo, '--lost-per-million', '100000'])
    const lost = await verify(at('out.avro'))
    expect([lost.code, lost.stderr.at(-1)]).toEqual([1, expect.stringMatching(/found: \d+ reserves/)])
  })
  test('of a demo whose regime changed before it began has other launches', async () => {
    const bytesOf = async (...args: string[]): Promise<string> => {
      await record(['--source', 'demo', '--speed', 'max', '--frames', '60', ...args])
      return (await framesIn(at('out.avro'))).map(({ body }) => Buffer.from(body).toString('base64')).join()
    }
    const [plain, changed] = [await bytesOf(), await bytesOf('--regime-after', '-1200')]
    expect(changed === plain).toBe(false)
  })
  test('names a path that cannot be written, a wrong number or an unknown source, and leaves nothing', async () => {
    const { error } = await runCommand(registerRecord, ['record', '--out', join(dir, 'no', 'place.avro')])
    expect(error).toMatchObject({ code: 'file_unreadable' })
    expect((await record(['--frames', '0'])).error).toMatchObject({ message: expect.stringContaining('a whole number from 1') })
    expect((await record(['--source', 'nothing'])).error).toMatchObject({ name: 'UsageError' })
    expect((await record(['--source', 'recording:absent.avro'])).error).toMatchObject({ code: 'file_unreadable' })
    expect(readdirSync(dir)).toEqual([])
  })
  test('fails when the source breaks, and leaves no recording', async () => {
    writeFileSync(at('torn.avro'), readFileSync(recording('transactions')).subarray(0, 30_000))
    expect((await record(['--source', `recording:${at('torn.avro')}`])).error).toMatchObject({ code: 'torn_recording' })
    expect(readdirSync(dir)).toEqual(['torn.avro'])
  })
})

describe('mintfold verify-tape', () => {
  test('finds nothing in a vouched recording whose reserves fit, and exits with 0', async () => {
    const ran = await verify(recording('launches'))
    expect([ran.out, ran.code, ran.error]).toEqual(['', 0, undefined])
    expect(ran.stderr.at(-1)).toBe('nothing is missing')
  })
  test('for frames of single transactions lists partial frames, gaps and missing trades, with counts, and exits with 1', async () => {
    const ran = await verify(recording('transactions'))
    expect(ran.code).toBe(1)
    expect(ran.stderr.at(-1)).toBe('found: 25 partial, 24 gap, 6 reserves')
    expect(findings(ran).length).toBe(55)
    expect(findings(ran)[1]).toMatchObject({ file: recording('transactions'), finding: 'gap', position: 'solana:1.~' })
  })
  test('finds nothing in linked frames, and reports repeated frames as out of order', async () => {
    const frames = await framesIn(recording('blocks'))
    const linked = frames.map((frame, i) => ({
      ...frame,
      parentNumber: frames[i - 1]?.number ?? null,
      parentHash: frames[i - 1]?.hash ?? null,
    }))
    await writeRecording(at('linked.avro'), linked)
    expect((await verify(at('linked.avro'))).code).toBe(0)
    await writeRecording(at('doubled.avro'), [...linked, ...linked.slice(1)])
    expect(findings(await verify(at('doubled.avro')))[0]).toMatchObject({ finding: 'order' })
  })
  test('checks the readable part of a torn file and reports where it is torn', async () => {
    writeFileSync(at('torn.avro'), readFileSync(recording('launches')).subarray(0, 10_000))
    const ran = await verify(at('torn.avro'))
    expect(ran.code).toBe(1)
    expect(findings(ran)).toMatchObject([{ finding: 'torn', words: expect.stringContaining('corrupt or truncated at byte') }])
    expect(ran.stderr[0]).toMatch(/^[1-4] frames/)
  })
  test('reports the trades of a removed middle frame as missing, besides the gap', async () => {
    await record(['--source', 'demo', '--speed', 'max', '--seed', '7', '--rate', '4', '--frames', '100'])
    const frames = await framesIn(at('out.avro'))
    await writeRecording(at('cut.avro'), frames.toSpliced(50, 1))
    const ran = await verify(at('cut.avro'))
    const removed = frames[50]?.number as number
    const [gap, ...missing] = findings(ran) as { finding: string; position: string; mint: string }[]
    expect(gap).toMatchObject({ finding: 'gap', from: removed, to: removed })
    expect(missing.length).toBeGreaterThan(1)
    expect(missing.filter(({ finding }) => finding !== 'reserves')).toEqual([])
    expect(missing.filter(({ position }) => Number(/:(\d+)/.exec(position)?.[1]) <= removed)).toEqual([])
    expect(new Set(missing.map(({ mint }) => mint)).size).toBe(missing.length)
    expect(ran.code).toBe(1)
  })
  test('finds the same missing trades in a tape file of the same frames', async () => {
    await runCommand(registerReplay, ['replay', recording('transactions'), '--tape-out', at('tape.avro')])
    const reserves = (ran: Ran): unknown[] => findings(ran).filter((one) => (one as { finding: string }).finding === 'reserves')
    const [ofTape, ofFrames] = [await verify(at('tape.avro')), await verify(recording('transactions'))]
    const without = (one: unknown): object => ({ ...(one as object), file: '' })
    expect(reserves(ofTape).map(without)).toEqual(reserves(ofFrames).map(without))
    expect(reserves(ofTape)).toHaveLength(6)
  })
  test('refuses a file of another kind', async () => {
    expect((await verify(fileURLToPath(import.meta.url))).error).toMatchObject({ code: 'not_a_recording' })
  })
})
