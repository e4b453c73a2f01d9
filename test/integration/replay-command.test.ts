// `mintfold replay` for a user: same bytes on every run, tapes equal to recordings, filters that only filter output.

import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { solana } from '../../processors/chains/solana/chain.ts'
import { readModel } from '../../processors/odds/model.ts'
import { tapeBatchCodec } from '../../schemas/codecs.ts'
import { comparePositions, formatPosition, type Position, parsePosition } from '../../schemas/position.ts'
import type { TapeBatch } from '../../schemas/types.ts'
import type { Io } from '../../topology/cli/command.ts'
import { register as registerReplay } from '../../topology/cli/commands/recordings/replay.ts'
import { readTape, writeTape } from '../../topology/sources/recording/tape-file.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
import { givenModelFile } from '../fixtures/odds-given.ts'

const RECORDINGS = join(__dirname, '../recordings')
const BLOCKS = join(RECORDINGS, 'blocks.avro')
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-replay-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const replay = async (...args: string[]): Promise<{ text: string; stderr: string[] }> => {
  let text = ''
  const stderr: string[] = []
  const io: Io = {
    out: async (piece) => {
      text += piece
    },
    printNotice: (line) => stderr.push(line),
    env: {},
    terminal: false,
    stop: new AbortController().signal,
    setExitCode: () => {},
  }
  const program = new Command().exitOverride()
  registerReplay(program.command('replay'), io)
  await program.parseAsync(['replay', ...args], { from: 'user' })
  return { text, stderr }
}
const linesOf = (text: string): { position: string; type: string }[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { position: string; type: string })

const sorted = (positions: readonly string[]): string[] => {
  const parsed = positions.map((text) => parsePosition(text, solana.positions) as Position)
  return parsed.sort(comparePositions).map(formatPosition)
}

test.each(['tape', 'flags', 'outcomes', 'cards'])('--print %s gives the same bytes on every run', async (what) => {
  const files = ['blocks', 'launches'].map((name) => join(RECORDINGS, `${name}.avro`))
  const [first, second] = [await replay(...files, '--print', what), await replay(...files, '--print', what)]
  expect(first.text).toBe(second.text)
  expect(first.stderr.at(-1)).toContain('7 frames folded')
})

describe('--print odds', () => {
  const modelFile = (): string => {
    const path = join(dir, 'model.json')
    writeFileSync(path, givenModelFile())
    return path
  }
  test('prints what the scorer logs, the same bytes on every run', async () => {
    const tape = join(dir, 'demo.tape')
    await writeTape(
      tape,
      (async function* () {
        for (const slot of demoSlots({ seed: 5, rate: 10, seconds: 60 })) yield batchOf(slot)
      })(),
      tapeBatchCodec,
    )
    const model = modelFile()
    const [first, second] = [
      await replay(tape, '--print', 'odds', '--model', model),
      await replay(tape, '--print', 'odds', '--model', model),
    ]
    expect(first.text).toBe(second.text)
    const lines = linesOf(first.text)
    expect(lines.length).toBeGreaterThan(30)
    const { id } = readModel(givenModelFile())
    expect(lines[0]).toMatchObject({ type: 'odds', head: 'rug_within_300s', model: id, shadow: false, ppm: expect.any(Number) })
  })
  test.each([
    [['--print', 'odds'], '--print odds needs --model FILE'],
    [['--print', 'flags', '--model', 'm.json'], '--model cannot be used with --print flags'],
    [['--print', 'odds', '--model', 'no-such-file.json'], 'there is no file no-such-file.json'],
  ])('refuses %j', async (args, message) => expect(replay(BLOCKS, ...args)).rejects.toThrow(message))
  test('refuses a file that is no model', async () =>
    expect(replay(BLOCKS, '--print', 'odds', '--model', BLOCKS)).rejects.toMatchObject({ code: 'model_unfit' }))
})

test('the tape is printed in position order, one tick a frame', async () => {
  const { text } = await replay(BLOCKS, '--print', 'tape')
  const lines = linesOf(text)
  expect(lines).toHaveLength(28 + 35 + 13 + 8 + 2)
  expect(lines.filter(({ type }) => type === 'tick').map(({ position }) => position)).toEqual(['solana:285000037.~', 'solana:332254908.~'])
  expect(lines.map(({ position }) => position)).toEqual(sorted(lines.map(({ position }) => position)))
})

test('--from and --to filter what is printed, not what is folded', async () => {
  const all = linesOf((await replay(BLOCKS, '--print', 'tape')).text)
  const later = linesOf((await replay(BLOCKS, '--print', 'tape', '--from', 'solana:332254908.0.0.0')).text)
  expect(later).toEqual(all.filter(({ position }) => position.startsWith('solana:332254908')))
  const earlier = linesOf((await replay(BLOCKS, '--print', 'tape', '--to', 'solana:285000037.~')).text)
  expect(earlier).toEqual(all.filter(({ position }) => position.startsWith('solana:285000037')))
  await expect(replay(BLOCKS, '--from', 'slot 5')).rejects.toThrow('is not a position')
})

test('a tape written by --tape-out replays to the same flags, outcomes and cards as its recording', async () => {
  const tape = join(dir, 'tape.avro')
  const recording = join(RECORDINGS, 'transactions.avro')
  await replay(recording, '--tape-out', tape)
  for (const what of ['tape', 'flags', 'outcomes', 'cards'])
    expect((await replay(tape, '--print', what)).text).toBe((await replay(recording, '--print', what)).text)
})

test('a synthetic tape: flags come in position order, and each names the events that prove it', async () => {
  const tape = join(dir, 'tape.avro')
  await writeTape(tape, syntheticTape({ events: 4_000, eventsPerFrame: 20, eventsPerMint: 31, seed: 3 }), tapeBatchCodec)
  const { text } = await replay(tape, '--print', 'flags')
  const flags = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { position: string; flag: string; events: string[] })
  expect(flags.length).toBeGreaterThan(50)
  const numbers = flags.map(({ position }) => Number(/:(\d+)/.exec(position)?.[1]))
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  for (const { position, events } of flags) expect(events.some((id) => id.startsWith(`${position}@`))).toBe(true)
})

test('refuses a truncated tape, a file of another kind and a missing one by name', async () => {
  const tape = join(dir, 'tape.avro')
  await writeTape(tape, syntheticTape({ events: 2_000, eventsPerFrame: 20, eventsPerMint: 31, seed: 3 }), tapeBatchCodec)
  truncateSync(tape, readFileSync(tape).length - 7)
  await expect(replay(tape)).rejects.toMatchObject({ code: 'torn_recording', facts: { path: tape } })
  const other = join(dir, 'other.txt')
  writeFileSync(other, 'not a recording')
  await expect(replay(other)).rejects.toMatchObject({ code: 'not_a_recording' })
  await expect(replay(join(dir, 'missing'))).rejects.toMatchObject({ code: 'file_unreadable' })
})

test('a tape reads back as written, and the same tape gives the same file', async () => {
  const shape = { events: 500, eventsPerFrame: 10, eventsPerMint: 31, seed: 9 }
  const [first, second] = [join(dir, 'a.avro'), join(dir, 'b.avro')]
  await writeTape(first, syntheticTape(shape), tapeBatchCodec)
  await writeTape(second, syntheticTape(shape), tapeBatchCodec)
  expect(readFileSync(first).equals(readFileSync(second))).toBe(true)
  const read: TapeBatch[] = []
  for await (const batch of readTape(first, tapeBatchCodec)) read.push(batch)
  expect(JSON.stringify(read)).toBe(JSON.stringify([...syntheticTape(shape)]))
})
