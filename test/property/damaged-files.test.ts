// Damaged files of users: with bytes flipped or cut off anywhere, a file is read, or refused by an error that names it and the place.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { tapeBatchCodec } from '../../schemas/codecs.ts'
import type { Register } from '../../topology/cli/command.ts'
import { register as grade } from '../../topology/cli/commands/grade/grade.ts'
import { register as decode } from '../../topology/cli/commands/recordings/decode.ts'
import { register as replay } from '../../topology/cli/commands/recordings/replay.ts'
import { register as verifyTape } from '../../topology/cli/commands/recordings/verify-tape.ts'
import { readModelFile } from '../../topology/cli/wiring/model-file.ts'
import { writeTape } from '../../topology/sources/recording/tape-file.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { runCommand } from '../fakes/run-command.ts'
import { givenModelFile } from '../fixtures/odds-given.ts'

const SEED = 20_261_128
let dir = ''
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-damaged-'))
  const shape = { events: 200, eventsPerFrame: 20, eventsPerMint: 31, seed: 3 }
  await writeTape(join(dir, 'whole.tape'), syntheticTape(shape), tapeBatchCodec)
  writeFileSync(join(dir, 'model.json'), givenModelFile())
  const rows = Array.from({ length: 40 }, (_, n) => `2026-10-15T05:40:${String(n).padStart(2, '0')}Z,"m${n}",0.${n + 10},${n % 2}`)
  writeFileSync(join(dir, 'rows.csv'), `time,mint,probability,label\n${rows.join('\n')}\n`)
})
afterAll(() => rmSync(dir, { recursive: true }))

/** Flipped bits, by the share of the file before them, and the share of the file that stays. */
const damage = fc.record({
  flips: fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(7)), { maxLength: 3 }),
  kept: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) }),
})
const damaged = (whole: Buffer, { flips, kept }: typeof damage extends fc.Arbitrary<infer Value> ? Value : never): Buffer => {
  const bytes = Buffer.from(whole)
  for (const [share, bit] of flips) {
    const at = Math.floor(share * bytes.length)
    bytes[at] = (bytes[at] as number) ^ (1 << bit)
  }
  return bytes.subarray(0, Math.ceil(kept * bytes.length))
}

type Run = (path: string) => Promise<unknown>
const command =
  (register: Register, ...args: readonly string[]): Run =>
  async (path) =>
    (await runCommand(register, [...args, path])).error
const model: Run = (path) =>
  readModelFile(path).then(
    () => undefined,
    (failure: unknown) => failure,
  )
const DATA = join(process.cwd(), 'test/data/solana')
const FILES: readonly (readonly [what: string, path: () => string, run: Run, runs: number])[] = [
  ['a tape, replayed', () => join(dir, 'whole.tape'), command(replay, 'replay', '--print', 'cards'), 150],
  ['a tape, verified', () => join(dir, 'whole.tape'), command(verifyTape, 'verify-tape'), 60],
  ['a recording, replayed', () => join(process.cwd(), 'test/recordings/launches.avro'), command(replay, 'replay'), 60],
  ['a recording, verified', () => join(process.cwd(), 'test/recordings/launches.avro'), command(verifyTape, 'verify-tape'), 60],
  ['compressed JSON of a node', () => join(DATA, 'tx/amm_buy-2zNeSn8c.json.gz'), command(decode, 'decode'), 60],
  ['compressed protobuf of a node', () => join(DATA, 'blocks/mainnet-332254908.ConfirmedBlock.pb.gz'), command(decode, 'decode'), 20],
  ['predictions, graded', () => join(dir, 'rows.csv'), command(grade, 'grade'), 60],
  ['a model, read', () => join(dir, 'model.json'), model, 60],
]

test.each(FILES)('%s, with damage anywhere: it is read, or refused with its name and the place', async (_what, pathOf, run, numRuns) => {
  const whole = pathOf()
  const bytes = readFileSync(whole)
  const path = join(dir, `damaged-${basename(whole)}`)
  expect(await run(whole)).toBeUndefined()
  await fc.assert(
    fc.asyncProperty(damage, async (how) => {
      writeFileSync(path, damaged(bytes, how))
      const failure = await run(path)
      if (failure === undefined) return
      expect(failure).toMatchObject({ name: expect.stringMatching(/^(EngineError|UsageError)$/), message: expect.any(String) })
      const { code = null, facts = {}, message } = failure as { code?: string; facts?: object; message: string }
      if (code === 'torn_recording') expect(facts).toMatchObject({ path, offset: expect.any(Number) })
      // The tick time is that of a frame: its number is the place.
      else if (code === 'time_fell') expect(facts).toMatchObject({ number: expect.any(Number) })
      else expect(message).toContain(basename(path))
    }),
    { numRuns, seed: SEED },
  )
})

test('a flipped byte in a record of a tape is torn_recording with the byte of its block and the number of the record in it', async () => {
  const bytes = readFileSync(join(dir, 'whole.tape'))
  const path = join(dir, 'flipped.tape')
  const codes = new Set<string>()
  const start = bytes.indexOf('mintfold.tape.v1') + 16
  for (let at = start + 8; at < bytes.length - 16 && !codes.has('torn_recording'); at += 1) {
    const flipped = Buffer.from(bytes)
    flipped[at] = 0xff
    writeFileSync(path, flipped)
    const error = (await command(replay, 'replay')(path)) as { code: string; facts: object; message: string } | undefined
    if (error?.code !== 'torn_recording') continue
    codes.add(error.code)
    expect(error.facts).toEqual({ path, offset: start, value: expect.any(Number) })
    expect(error.message).toMatch(
      new RegExp(`flipped.tape is corrupt or truncated at byte ${start}: value \\d+ of the block there cannot be decoded`),
    )
  }
  expect([...codes]).toEqual(['torn_recording'])
})
