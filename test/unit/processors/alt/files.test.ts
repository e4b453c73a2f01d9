// Files of an Ethereum node's answers, in any stored form.
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { alt } from '../../../../processors/chains/alt/chain.ts'
import { linesOfFile } from '../../../../processors/chains/alt/decode-lines.ts'
import {
  CURVE,
  Decoding,
  FILES,
  framesOf,
  launchLog,
  log,
  openJson,
  parse,
  readJson,
  readText,
  rpcLog,
  transaction,
  WALLET,
} from './fixtures.ts'

const NAMES = Object.keys(FILES) as (keyof typeof FILES)[]
const linesOf = (text: string | Buffer): object[] => [...linesOfFile(parse(Buffer.from(text as string)))]
const json = JSON.stringify

test('a line has the names of the ABI, addresses with their checksum and numbers as text', () => {
  expect(linesOf(readText('taxedBuy'))[2]).toEqual({
    chain: 'alt',
    ...{ block: 62_357_147, tx_index: 7, log_index: 22 },
    signature: '0xe9dc8980da77fb357d6f4083f5f546ba25b4d1138bf48501994c64c2012f6a62',
    ...{ address: '0xdDF3AFb29E265b00c48015c3aACdEdCB10088FCf', event: 'CurveBuy' },
    fields: {
      ...{ buyer: '0xEcd309f4154682BbcB073AeA161A554d60012b56', recipient: '0xEcd309f4154682BbcB073AeA161A554d60012b56' },
      ...{ quoteIn: '37976881881113740', tokensOut: '20435743770856687010263909', fee: '451924894385253', tax: '379768818811137' },
    },
  })
})

test.each<[keyof typeof FILES, number]>([
  ['launch', 11],
  ['taxedBuy', 3],
  ['cleanLaunch', 4],
  ['graduation', 8],
  ['curve', 31],
])('%s has the same lines bare, in the envelope, in lists, by line and gzipped', (name, count) => {
  const { result } = readJson(name)
  const lines = linesOf(readText(name))
  expect(lines).toHaveLength(count)
  expect(lines.filter((line) => 'error' in line)).toEqual([])
  const forms = [
    json(result),
    json({ jsonrpc: '2.0', id: 1, result }),
    json([{ id: 1, result }]),
    json([result].flat()),
    `${json([result].flat())}\n`,
  ]
  for (const form of [...forms, ...forms.map((text) => gzipSync(text))]) expect(linesOf(form)).toEqual(lines)
  expect(
    linesOf(
      [result]
        .flat()
        .map((one) => json(one))
        .join('\n'),
    ),
  ).toEqual(lines)
})

test('any order of keys and of logs gives the same lines', () => {
  const { result } = readJson('curve')
  const lines = linesOf(json(result))
  fc.assert(
    fc.property(fc.shuffledSubarray<object>(result, { minLength: result.length }), fc.func(fc.integer()), (logs, rank) => {
      const shuffled = logs.map((one) => Object.fromEntries(Object.entries(one).sort(([a], [b]) => rank(a) - rank(b))))
      expect(linesOf(json(shuffled))).toEqual(lines)
    }),
    { numRuns: 20 },
  )
})

test('any split of the answers into files gives the same frames', () => {
  const receipts = NAMES.map((name) => readJson(name).result)
  const logs: readonly object[] = receipts.flatMap((result) => result.logs ?? result)
  const whole = framesOf(openJson(logs))
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4 }), { minLength: logs.length, maxLength: logs.length }), (choices) => {
      const files = Array.from({ length: 5 }, (_, file) => openJson(logs.filter((_log, i) => choices[i] === file)))
      expect(framesOf(...files)).toEqual(whole)
    }),
    { numRuns: 20 },
  )
})

describe('frames', () => {
  const header = (number: number, transactions: readonly string[]) => ({
    ...{ number: `0x${number.toString(16)}`, hash: hashOf(number), parentHash: hashOf(number - 1) },
    ...{ timestamp: `0x${(1_000 + Math.floor(number / 10)).toString(16)}`, transactions },
  })
  const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
  const TX = `0x${'00'.repeat(32)}`
  const receiptOf = (number: number, logs: readonly object[]) => ({
    ...{ blockNumber: `0x${number.toString(16)}`, blockHash: hashOf(number), transactionHash: TX, transactionIndex: '0x0' },
    ...{ from: WALLET, to: CURVE, logs },
  })

  test('blocks with all receipts are whole, and a run of quiet blocks of one second is one frame', () => {
    const logs = [rpcLog(12, transaction(0, []), launchLog(0))]
    const frames = framesOf(
      openJson([...[7, 8, 9, 10, 11, 13].map((number) => header(number, [])), header(12, [TX])]),
      openJson(receiptOf(12, logs)),
    )
    expect(frames.map(({ parentNumber, number, whole, blockTime }) => [parentNumber, number, whole, blockTime])).toEqual([
      [6, 7, true, 1_000],
      [7, 10, true, 1_001],
      [10, 12, true, 1_001],
      [12, 13, true, 1_001],
    ])
    const [launch] = new Decoding().add(...frames).of('launch')
    expect(launch).toMatchObject({ txFrom: expect.anything(), txTo: expect.anything() })
  })

  test('logs alone do not make a whole block, and a block without receipts gives nothing', () => {
    const [frame] = framesOf(openJson([rpcLog(12, transaction(0, []), launchLog(0))]))
    expect(frame).toMatchObject({ whole: false, parentNumber: null, blockTime: null, hash: hashOf(12).slice(2) })
    expect(framesOf(openJson([header(7, [TX])]))).toEqual([])
  })

  test('a receipt with a log that cannot be parsed makes no whole block, also across files, and no quiet one', () => {
    const logs = [rpcLog(12, transaction(0, []), launchLog(0)), { ...rpcLog(12, transaction(0, []), launchLog(1)), data: '0xzz' }]
    const receipts = openJson(receiptOf(12, logs))
    expect(receipts.blocks.flatMap(({ errors }) => errors)).toHaveLength(1)
    const [frame] = framesOf(openJson(header(12, [TX])), receipts)
    expect(frame).toMatchObject({ number: 12, whole: false })
    expect(framesOf(openJson(header(12, [TX])), openJson(receiptOf(12, logs.slice(1))))).toEqual([])
  })

  test('a block with different hashes in two files is refused', () => {
    const log = rpcLog(12, transaction(0, []), launchLog(0))
    const made = alt.files.frames(openJson([log, { ...log, blockHash: hashOf(99) }]).blocks, false)
    expect(made).toMatchObject({ ok: false, code: 'bad_frame', reason: expect.stringContaining('different blocks with number 12') })
  })

  test('a transaction in two files counts once', () => {
    const log = rpcLog(12, transaction(0, []), launchLog(0))
    const blocks = [openJson([log]), openJson(receiptOf(12, [log]))].flatMap((file) => file.blocks)
    expect(alt.files.frames(blocks, true)).toMatchObject({
      ok: true,
      value: { transactions: 1, kept: 1, repeated: 1, frames: [{ vouched: true }] },
    })
  })

  test('a log of another block than its receipt is a dead letter', () => {
    const logs = [rpcLog(13, transaction(0, []), launchLog(0)), rpcLog(12, transaction(0, []), launchLog(1))]
    const decoding = new Decoding().add(...framesOf(openJson(receiptOf(12, logs))))
    expect(decoding.letters).toMatchObject([
      { position: 'alt:12.0.0', reason: `the log belongs to block ${hashOf(13)}, not to the block of its frame` },
    ])
    expect(decoding.events).toMatchObject([{ type: 'launch', outer: 1 }])
  })
})

describe('unreadable input', () => {
  const good = rpcLog(12, transaction(0, []), log(5, CURVE, 'CurveBuy', WALLET, WALLET, 100n, 1_000n, 1n, 1n))

  test.each<[string, object, RegExp]>([
    ['an amount beyond 256 bits', { data: `${good.data}ff` }, /128 bytes of data, not 129/],
    ['short data', { data: good.data.slice(0, -2) }, /128 bytes of data, not 127/],
    ['half a byte', { data: good.data.slice(0, -1) }, /log: data: not bytes in hex/],
    ['a block number beyond 2^53', { blockNumber: `0x${'f'.repeat(16)}` }, /log: blockNumber: above 2\^53/],
    ['a short address', { address: CURVE.slice(0, -2) }, /log: address: not an address/],
    ['a topic of 31 bytes', { topics: [...good.topics.slice(0, 2), good.topics[2]?.slice(0, -2)] }, /log: topics.2: not 32 bytes in hex/],
    ['one topic too few', { topics: good.topics.slice(0, 2) }, /CurveBuy must have 3 topics, not 2/],
    ['a log removed by a reorg', { removed: true }, /log: removed: removed by a reorg/],
  ])('%s is a line with its reason, and the next log is read', (_what, change, reason) => {
    const lines = linesOf(
      json([
        { ...good, ...change },
        { ...good, logIndex: '0x6' },
      ]),
    )
    expect(lines).toContainEqual(expect.objectContaining({ event: 'CurveBuy', log_index: 6 }))
    expect(lines.filter((line) => 'error' in line)).toMatchObject([{ reason: expect.stringMatching(reason) }])
  })

  test('an address with an invalid checksum is accepted', () => {
    const upper = `0x${CURVE.slice(2).toUpperCase()}`
    expect(linesOf(json([{ ...good, address: upper }]))).toEqual(linesOf(json([good])))
  })

  test.each([
    ['a Solana transaction', json({ slot: 1, transaction: {}, meta: {} })],
    ['an error of the node', json({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'unknown block' } })],
    ['no answer', json({ result: null })],
    ['decoded events', json({ events: [{ event: 'CurveBuy', args: {} }] })],
    ['half a JSON', '{"result":['],
    ['text', 'no JSON'],
    ['nothing', ''],
    ['half a gzip', gzipSync('[]').subarray(0, 12)],
  ])('%s is refused', (_what, bytes) => {
    expect(alt.files.parse(Buffer.from(bytes as string), 'given.json')).toMatchObject({
      ok: false,
      code: 'bad_encoding',
      reason: expect.stringContaining('given.json'),
    })
  })
})
