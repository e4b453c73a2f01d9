// decode and import of recorded data: the chain is detected from the file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register as registerDecode } from '../../../topology/cli/commands/recordings/decode.ts'
import { register as registerImport } from '../../../topology/cli/commands/recordings/import.ts'
import { readRecording } from '../../../topology/sources/recording/recording-file.ts'
import { type Ran, run } from '../../fixtures/run-command.ts'
import { Decoding, FILES } from '../../unit/processors/alt/fixtures.ts'

const fileOf = (name: keyof typeof FILES): string => join(process.cwd(), 'test/data/alt', `${FILES[name]}.json.gz`)
const SOLANA = join(process.cwd(), 'test/data/solana/tx/buy-3mpAjSPh.json.gz')
const decode = (...files: string[]): Promise<Ran> => run(registerDecode, 'decode', ...files)
const importing = (...args: string[]): Promise<Ran> => run(registerImport, 'import', ...args)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alt-commands-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('decode prints the events of both chains', async () => {
  const { lines, stderr, error } = await decode(fileOf('graduation'), SOLANA)
  expect(error).toBeUndefined()
  expect(Object.keys(lines[0] ?? {})).toEqual(['chain', 'block', 'tx_index', 'log_index', 'signature', 'address', 'event', 'fields'])
  expect(lines.map(({ chain, event }) => `${chain} ${event}`)).toEqual([
    'alt Transfer',
    'alt CurveBuyRefunded',
    'alt CurveBuy',
    'alt FeesSwept',
    'alt Transfer',
    'alt CurveCompleted',
    'alt LaunchSwept',
    'alt Transfer',
    'solana TradeEvent',
  ])
  expect(stderr.at(-1)).toBe('9 events, 0 records that could not be decoded, 2 files')
})

test('decode names a file that no chain can read and prints no line', async () => {
  const path = join(folder, 'routers.json')
  await writeFile(path, JSON.stringify({ chainId: 4663, terminals: {} }))
  const { lines, error } = await decode(fileOf('launch'), path)
  expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining('routers.json') })
  expect(lines).toEqual([])
})

test('import makes a recording whose frames decode to the same events', async () => {
  const out = join(folder, 'made.avro')
  const { stderr, error } = await importing(fileOf('launch'), fileOf('taxedBuy'), '--out', out)
  expect(error).toBeUndefined()
  expect(stderr.at(-1)).toContain('2 frames (0 of unknown slot) from 2 transactions, 2 of them stored in full; 0 repeated, 0 unreadable')
  const decoding = new Decoding()
  for await (const frame of readRecording(out)) decoding.add(frame)
  expect(decoding.events.map(({ type }) => type)).toEqual(['launch', 'tokenTransfer', 'trade', 'tokenTransfer', 'trade'])
})

test('import takes files of one chain at a time', async () => {
  const { error } = await importing(fileOf('launch'), SOLANA, '--out', join(folder, 'both.avro'))
  expect(error).toMatchObject({
    name: 'UsageError',
    message: expect.stringMatching(/buy-3mpAjSPh.* is of another chain than .*launch-receipt/),
  })
})
