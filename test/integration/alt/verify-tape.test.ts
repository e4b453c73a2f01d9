// `mintfold verify-tape` on recordings of the alt chain: blocks by their parents, trades on curves by the launchpad's formula.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alt } from '../../../processors/chains/alt/chain.ts'
import { openBody, toFrame } from '../../../processors/chains/alt/frame.ts'
import { FrameDecoding } from '../../../processors/verify/frame-decoding.ts'
import type { AltTapeEvent, AltTransaction, RawFrame } from '../../../schemas/types.ts'
import { register as registerRecord } from '../../../topology/cli/commands/recordings/record.ts'
import { register as registerReplay } from '../../../topology/cli/commands/recordings/replay.ts'
import { register as registerVerifyTape } from '../../../topology/cli/commands/recordings/verify-tape.ts'
import { readRecording, writeRecording } from '../../../topology/sources/recording/recording-file.ts'
import { type Ran, runCommand } from '../../fakes/run-command.ts'

type Trade = Extract<AltTapeEvent, { type: 'trade' }>

const SOLANA = fileURLToPath(new URL('../../recordings/launches.avro', import.meta.url))
const FRAMES = 300
const WORD_BYTES = 32

let folder = ''
const frames: RawFrame[] = []
/** Of each frame: whether it has a launch, and its trades. */
let launching: readonly boolean[] = []
let trades: readonly (readonly Trade[])[] = []
const at = (name: string): string => join(folder, name)
const verify = (...files: string[]): Promise<Ran> => runCommand(registerVerifyTape, ['verify-tape', ...files])
const verified = async (changed: readonly RawFrame[]): Promise<Ran> => {
  await writeRecording(at('changed.avro'), changed)
  return verify(at('changed.avro'))
}
const findings = ({ out }: Ran): Record<string, unknown>[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alt-verify-'))
  const demo = ['--source', 'demo:alt', '--speed', 'max', '--rate', '20', '--frames', String(FRAMES)]
  await runCommand(registerRecord, ['record', ...demo, '--out', at('demo.avro')])
  for await (const frame of readRecording(at('demo.avro'))) frames.push(frame)
  const decoding = new FrameDecoding(alt.decoder)
  const events = frames.map((frame) => decoding.decode(frame).events)
  trades = events.map((ofFrame) => ofFrame.filter((event): event is Trade => event.type === 'trade'))
  launching = events.map((ofFrame) => ofFrame.some(({ type }) => type === 'launch'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Index of the first frame after a third of them without a launch and with a trade of a curve that is traded again later. */
const tradedFrame = (): number => {
  const isTradedLater = (trade: Trade, index: number): boolean =>
    trades.slice(index + 1).some((later) => later.some(({ mint }) => mint === trade.mint))
  return trades.findIndex(
    (ofFrame, index) => index > FRAMES / 3 && !launching[index] && ofFrame.some((trade) => isTradedLater(trade, index)),
  )
}
const transactionsOf = (frame: RawFrame): AltTransaction[] => {
  const body = openBody(frame)
  if (!body.ok) throw new Error(body.reason)
  return body.value.transactions
}
/** The frame with the second amount of the trade's log one unit higher: tokens of a buy, quote of a sale. */
const withMore = (frame: RawFrame, trade: Trade): RawFrame => {
  const transactions = transactionsOf(frame)
  const log = transactions.find(({ index }) => index === trade.tx)?.logs.find(({ index }) => index === trade.outer)
  if (log === undefined) throw new Error('the trade has no log')
  const data = Buffer.from(log.data)
  const last = 2 * WORD_BYTES - 1
  data[last] = ((data[last] ?? 0) + 1) % 256
  log.data = data
  return { ...frame, body: toFrame({ ...frame }, transactions).body }
}

test('finds nothing missing in a demo of curves, checks every trade, and its tape verifies too', async () => {
  const ran = await verify(at('demo.avro'))
  expect([ran.out, ran.code, ran.error, ran.stderr.at(-1)]).toEqual(['', 0, undefined, 'nothing is missing'])
  const count = trades.flat().length
  expect(count).toBeGreaterThan(100)
  expect(ran.stderr[0]).toContain(`; ${count} of ${count} trades on curves could be checked; 0 curves without their launch`)
  await runCommand(registerReplay, ['replay', at('demo.avro'), '--tape-out', at('tape.avro')])
  expect((await verify(at('tape.avro'))).stderr).toEqual(ran.stderr)
})
test('reports an amount that is one unit too high, at the position of its trade', async () => {
  const index = tradedFrame()
  const [trade] = trades[index] as [Trade]
  const ran = await verified(frames.map((frame, n) => (n === index ? withMore(frame, trade) : frame)))
  expect([ran.code, ran.error]).toEqual([1, undefined])
  const position = `alt:${frames[index]?.number}.${trade.tx}.${trade.outer}`
  expect(findings(ran)).toMatchObject([{ file: at('changed.avro'), finding: 'reserves', position }])
})
test('reports the gap of a removed frame, and the next trade of each of its curves', async () => {
  const index = tradedFrame()
  const ran = await verified(frames.filter((_, n) => n !== index))
  const [gap, ...reserves] = findings(ran)
  const after = frames[index + 1] as RawFrame
  expect(ran.code).toBe(1)
  expect(gap).toMatchObject({ finding: 'gap', position: `alt:${after.number}.~`, to: after.parentNumber })
  const next = trades.slice(index + 1).flat()
  const lost = new Set(trades[index]?.map(({ mint }) => mint).filter((mint) => next.some((trade) => trade.mint === mint)))
  expect(reserves.map(({ finding }) => finding)).toEqual([...lost].map(() => 'reserves'))
})
test('reports swapped frames, and a frame of another branch', async () => {
  const index = tradedFrame()
  const [before, one, next] = frames.slice(index - 1, index + 2) as [RawFrame, RawFrame, RawFrame]
  const exchanged = findings(await verified([...frames.slice(0, index), next, one, ...frames.slice(index + 2)]))
  expect(exchanged.filter(({ finding }) => finding === 'order')).toMatchObject([{ position: `alt:${one.number}.~` }])
  const other = { ...before, hash: before.hash.replace(/./g, 'f') }
  const branched = findings(await verified([...frames.slice(0, index - 1), other, ...frames.slice(index)]))
  expect(branched).toMatchObject([{ finding: 'fork', position: `alt:${one.number}.~`, found: [before.hash] }])
})
test('refuses recordings of two chains', async () => {
  const { error } = await verify(at('demo.avro'), SOLANA)
  expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining('of another chain') })
})
