// `mintfold replay` of EVM input: the chain is detected from the file and selects the folds.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { altTapeBatchCodec } from '../../../schemas/codecs.ts'
import { keyText } from '../../../schemas/keys.ts'
import type { AltTapeBatch } from '../../../schemas/types.ts'
import { register } from '../../../topology/cli/commands/recordings/replay.ts'
import { writeRecording } from '../../../topology/sources/recording/recording-file.ts'
import { writeTape } from '../../../topology/sources/recording/tape-file.ts'
import { type Ran, run } from '../../fixtures/run-command.ts'
import { FILES, frame, framesOf, launchLog, openJson, readJson, transaction } from '../../unit/processors/alt/fixtures.ts'
import { block, DEPLOYER_WALLET, ETH, type Frame, Pad, TOKEN } from '../../unit/processors/curve/launchpad.ts'

const answers = (name: keyof typeof FILES): string => join(process.cwd(), 'test/data/alt', `${FILES[name]}.json.gz`)
const SOLANA = join(process.cwd(), 'test/recordings/launches.avro')
const SOLANA_ANSWER = join(process.cwd(), 'test/data/solana/tx/buy-3mpAjSPh.json.gz')
const replay = (...args: string[]): Promise<Ran> => run(register, 'replay', ...args)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'alt-replay-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const writeAltTape = (name: string, frames: readonly Frame[]): Promise<void> =>
  writeTape(
    join(folder, name),
    frames.map(({ header, events }): AltTapeBatch => ({ type: 'batch', ...header, events: [...events] }) as AltTapeBatch),
    altTapeBatchCodec,
  )

/** The deployer buys with its launch and sells a quarter three seconds later; then this many quiet blocks. */
const sale = (quietBlocks: number): Frame[] => {
  const pad = new Pad()
  const [launch, bought] = [pad.launch(), pad.buy(DEPLOYER_WALLET, ETH / 10n)]
  const units = bought.reduce((sum, event) => (event.type === 'trade' ? sum + BigInt(event.tokenUnits) : sum), 0n) / 4n
  const ticks = Array.from({ length: quietBlocks / 100 }, (_, n) => block(131 + n * 100))
  return [block(0, launch), block(1, bought), block(30, pad.sell(DEPLOYER_WALLET, units)), ...ticks]
}

test('the card of the recorded curve has the reserves of the chain to the wei', async () => {
  const recorded = readJson('curve')
  const first = Number(recorded.result[0].blockNumber)
  const token = `0x${'11'.repeat(20)}`
  const launch = frame(first - 1, transaction(0, [launchLog(0, token, recorded.result[0].address)]))
  const path = join(folder, 'curve.avro')
  await writeRecording(
    path,
    [launch, ...framesOf(openJson(recorded))].map((one) => ({ ...one, vouched: true })),
  )
  const { lines, stderr, error } = await replay(path, '--print', 'cards')
  expect(error).toBeUndefined()
  expect(lines).toMatchObject([{ token, raised: { quote_units: '1001227946752784009' }, flow: { n_buys: 22, n_sells: 8 } }])
  expect(stderr.at(-1)).toBe('30 frames folded, 0 records not decoded')
})

test('a launch from a node’s receipts has a full card when they are vouched for, else a thin one', async () => {
  const files = [answers('launch'), answers('taxedBuy')]
  const [{ lines: full }, { lines: thin }] = [
    await replay(...files, '--print', 'cards', '--assume-complete'),
    await replay(...files, '--print', 'cards'),
  ]
  expect(full).toMatchObject([{ coverage: 'full', flow: { n_buys: 2 }, snipe_tax: { n_taxed_buys: 1 } }])
  expect(thin).toMatchObject([{ coverage: 'thin', coverage_reason: expect.stringContaining('gap') }])
})

test('prints the finding of a deployer that sells once, with its evidence', async () => {
  await writeAltTape('sale.tape', sale(0))
  const { lines } = await replay(join(folder, 'sale.tape'))
  expect(lines).toMatchObject([
    {
      position: expect.stringMatching(/^alt:62000030\.\d+\.\d+$/),
      flag: 'deployer_sold',
      mint: keyText(TOKEN),
      creator: keyText(DEPLOYER_WALLET),
      evidence: { tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    },
  ])
})

test('prints the outcome of the launch once trading has ended', async () => {
  await writeAltTape('quiet.tape', sale(40_000))
  const { lines } = await replay(join(folder, 'quiet.tape'), '--print', 'outcomes')
  expect(lines).toMatchObject([{ type: 'outcome', mint: keyText(TOKEN), graduated: false }])
})

test('a tape written by --tape-out replays like its receipts', async () => {
  const tape = join(folder, 'receipts.tape')
  const files = [answers('launch'), answers('taxedBuy'), '--assume-complete']
  await replay(...files, '--tape-out', tape)
  for (const what of ['tape', 'flags', 'cards'])
    expect((await replay(tape, '--print', what)).lines).toEqual((await replay(...files, '--print', what)).lines)
})

test('prints only what lies between two positions of the chain', async () => {
  const files = [answers('launch'), answers('taxedBuy'), '--print', 'tape']
  const all = (await replay(...files)).lines
  const { lines } = await replay(...files, '--from', 'alt:62357125')
  expect(lines.length).toBeGreaterThan(0)
  expect(lines).toEqual(all.filter(({ position }) => String(position) >= 'alt:62357125'))
})

test('refuses the second file by name when files are of two chains', async () => {
  for (const other of [SOLANA, SOLANA_ANSWER])
    expect((await replay(answers('launch'), other)).error).toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`${other} is of another chain than ${answers('launch')}`),
    })
})

test('replays responses of a node of the primary chain like its recordings', async () => {
  const { lines, error } = await replay(SOLANA_ANSWER, '--print', 'tape')
  expect(error).toBeUndefined()
  expect(lines.map(({ type }) => type)).toContain('trade')
})

test('refuses JSON that no chain can read: it is no recording', async () => {
  const path = join(folder, 'routers.json')
  writeFileSync(path, JSON.stringify({ chainId: 4663, terminals: {} }))
  expect((await replay(path)).error).toMatchObject({ code: 'not_a_recording' })
})
