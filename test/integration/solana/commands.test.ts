import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { register as registerDecode } from '../../../topology/cli/commands/recordings/decode.ts'
import { register as registerImport } from '../../../topology/cli/commands/recordings/import.ts'
import { readRecording } from '../../../topology/sources/recording/recording-file.ts'
import { type Ran, run } from '../../fixtures/run-command.ts'

const DATA = join(process.cwd(), 'test/data/solana')
const tx = (name: string): string => join(DATA, 'tx', `${name}.json.gz`)
const block = (name: string): string => join(DATA, 'blocks', name)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commands-'))
})
afterAll(() => rm(folder, { recursive: true }))

const decode = (...files: string[]): Promise<Ran> => run(registerDecode, 'decode', ...files)
const make = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}
const foreign = JSON.stringify({
  signature: 'x',
  slot: '1',
  transactionIndex: 1,
  instructions: [{ programId: 'x', dataHex: '02' }],
  error: null,
})

describe('mintfold decode', () => {
  test('prints every event of a block as a line with its position, names and tail', async () => {
    const { lines, stderr, error } = await decode(block('mainnet-285000037.getBlock.json.gz'))
    expect(error).toBeUndefined()
    expect(lines).toHaveLength(12)
    expect(Object.keys(lines[0] as object)).toEqual([
      'chain',
      'slot',
      'tx_index',
      'outer_ix',
      'inner_ix',
      'signature',
      'program',
      'event',
      'layout',
      'fields',
      'tail_hex',
    ])
    expect(lines[0]).toMatchObject({ chain: 'solana', slot: 285000037, program: 'pump', event: 'TradeEvent', layout: 'G1', tail_hex: '' })
    expect((lines[0] as { fields: object }).fields).toMatchObject({
      sol_amount: expect.stringMatching(/^\d+$/),
      is_buy: expect.any(Boolean),
    })
    expect(stderr.at(-1)).toBe('12 events, 0 records that could not be decoded, 1 files')
  })

  test('prints lone events, one of them unknown, as lines without a position and an error line, and continues', async () => {
    const path = await make(
      'events.jsonl',
      `${['{"program":"pump","data_base64":"AAAAAAAAAAA="}', '{"program":"pump_amm","data_base64":"4tb2IQfyk+UAAA=="}'].join('\n')}\n`,
    )
    const { lines, stderr } = await decode(path)
    expect(lines).toMatchObject([
      { error: 'unknown_event', slot: null, tx_index: null },
      { program: 'pump_amm', event: 'ClaimCashbackEvent', slot: null, fields: {}, tail_hex: '0000' },
    ])
    expect(stderr.at(-1)).toContain('1 events, 1 records')
  })

  test('prints a transaction that cannot be read as an error line with its position, and the others', async () => {
    const answer = { blockhash: 'HPGE1rkrYqcRpASsdqA2zzetCGa8DD6mCTDus3tei2fN', parentSlot: 7, transactions: [{ transaction: 1 }] }
    const notification = { method: 'blockNotification', params: { result: { context: { slot: 9 }, value: { slot: 9, block: answer } } } }
    const enveloped = { jsonrpc: '2.0', result: answer, id: 1 }
    const files = [await make('a.json', JSON.stringify(notification)), await make('b.json', JSON.stringify(enveloped))]
    const { lines, stderr } = await decode(...files)
    expect(lines).toMatchObject([
      { error: 'bad_transaction', slot: 9, tx_index: 0 },
      { error: 'bad_transaction', slot: 8, tx_index: 0 },
    ])
    expect(stderr[0]).toContain('slot 8 assumed')
  })

  test('names a file of another kind among others and prints no line', async () => {
    const path = await make('foreign.json', foreign)
    const { lines, error } = await decode(tx('buy-3mpAjSPh'), path)
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining('foreign.json') })
    expect(lines).toEqual([])
    expect((await decode(join(folder, 'absent'))).error).toMatchObject({ name: 'EngineError', code: 'file_unreadable' })
  })
})

describe('mintfold import', () => {
  const importing = (...args: string[]): Promise<Ran> => run(registerImport, 'import', ...args)

  test('makes a recording with a frame for each slot of the files, and one for a file without a slot', async () => {
    const out = join(folder, 'made.avro')
    const files = ['sell-V1tx-4DqvQfnU', 'buy-3mpAjSPh', 'create_v2+buy-4HbY43S9-base64', 'create_v2+buy-4HbY43S9-jsonParsed'].map(tx)
    const { stderr, error } = await importing(...files, '--out', out, '--assume-complete')
    expect(error).toBeUndefined()
    expect(stderr.at(-1)).toBe(
      `${out}: 3 frames (1 of unknown slot) from 3 transactions, 3 of them stored in full; 1 repeated, 0 unreadable; declared complete`,
    )
    const frames = []
    for await (const { number, vouched, placed } of readRecording(out)) frames.push([number, vouched, placed])
    expect(frames).toEqual([
      [0, true, false],
      [430584458, true, true],
      [451402602, true, true],
    ])
  })

  test('counts the same problems as decode: calls whose events the file does not have', async () => {
    const json = JSON.parse(gunzipSync(await readFile(tx('create+buy-52ar89rg'))).toString())
    const blind = { ...json, meta: { ...json.meta, innerInstructions: null, logMessages: null } }
    const path = await make('blind.json', JSON.stringify(blind))
    const { lines, stderr } = await decode(path)
    expect(lines.map(({ error }) => error)).toEqual(['event_missing', 'event_missing'])
    expect(stderr.at(-1)).toContain('0 events, 2 records that could not be decoded')
    const imported = await importing(path, '--out', join(folder, 'blind.avro'))
    expect(imported.stderr.at(-2)).toMatch(/^2 records could not be decoded/)
  })

  test('names a file of another kind, or events without transactions, and leaves nothing behind', async () => {
    const out = join(await mkdtemp(join(folder, 'out-')), 'x.avro')
    const wrong = [await make('foreign.json', foreign), join(DATA, 'events', 'event-vectors.jsonl')]
    for (const path of wrong) {
      const { error } = await importing(tx('buy-3mpAjSPh'), path, '--out', out)
      expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(path.split('/').at(-1) as string) })
    }
    expect(await readdir(join(out, '..'))).toEqual([])
  })
})
