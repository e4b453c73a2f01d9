// Files in forms that are made here: compressed, in other encodings, with damaged lines, and as other clients print them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { compress } from '@bokuweb/zstd-wasm'
import { openZstd } from '../../../schemas/zstd.ts'
import { register as decode } from '../../../topology/cli/commands/recordings/decode.ts'
import { derivedForms } from '../../fixtures/derived-forms.ts'
import { packedFiles } from '../../fixtures/packed-files.ts'
import { type Ran, run } from '../../fixtures/run-command.ts'

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintfold-derived-'))
  await openZstd()
})
afterAll(() => rmSync(folder, { recursive: true }))

const forms = packedFiles('forms')
const text = (name: string): string => String(forms.get(name))
const LINES = text('03-lines-of-results.jsonl').trim().split('\n')
const [FIRST = '', SECOND = ''] = LINES
const decoded = (bytes: Buffer | string): Promise<Ran> => {
  writeFileSync(join(folder, 'file'), bytes)
  return run(decode, 'decode', join(folder, 'file'))
}
const countOf = ({ stderr }: Ran): string | undefined => stderr.at(-1)?.replace(' records that could not be decoded, 1 files', '')
const reasonsOf = ({ lines }: Ran): unknown[] => lines.flatMap(({ reason }) => reason ?? [])
const zstd = (bytes: Buffer | string): Buffer => Buffer.from(compress(Buffer.from(bytes)))

test.each(derivedForms().map(([what, json]) => ({ what, json })))('$what is read', async ({ json }) => {
  const { lines } = await decoded(JSON.stringify(json))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter(({ event }) => !/^(Trade|Buy)Event$/.test(String(event)))).toEqual([])
})

const both = LINES.join('\n')
test.each<readonly [what: string, make: () => Buffer]>([
  ['gzip', () => gzipSync(both)],
  ['zstd', () => zstd(both)],
  ['two frames of zstd', () => Buffer.concat([zstd(`${FIRST}\n`), zstd(SECOND)])],
  ['zstd of gzip', () => zstd(gzipSync(both))],
  ['UTF-16, big-endian', () => Buffer.from(`\ufeff${both}`, 'utf16le').swap16()],
  ['UTF-16 without a mark', () => Buffer.from(both, 'utf16le')],
])('%s is read', async (_what, make) => {
  expect(countOf(await decoded(make()))).toBe('3 events, 0')
})

test.each<readonly [what: string, make: () => Buffer, reason: RegExp]>([
  ['a bomb of gzip', () => gzipSync(Buffer.alloc(512 * 1024 * 1024)), /unpacked as gzip: it has more than 536869888 bytes: split it/],
  ['a bomb of zstd', () => zstdBomb(8 * 1024), /unpacked as zstd: it has more than 536869888 bytes: split it/],
  [
    'a size that zstd states and lacks',
    () => stated(zstd(both), 400_000_000),
    /unpacked as zstd: it states 400000000 bytes, but has at most/,
  ],
  ['a cut zstd', () => zstd(both).subarray(0, 2_000), /cannot be unpacked as zstd/],
  ['a cut gzip', () => gzipSync(both).subarray(0, 2_000), /cannot be unpacked as gzip/],
])('%s is refused', async (_what, make, reason) => {
  const { lines, error } = await decoded(make())
  expect([lines, error]).toEqual([[], expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(reason) })])
})

/** A frame without a stated size: blocks of 128 KiB, each one repeated byte. */
const zstdBomb = (blocks: number): Buffer => {
  const block = (isLast: boolean): Buffer => {
    const header = Buffer.alloc(4)
    header.writeUIntLE(((128 * 1024) << 3) | 2 | Number(isLast), 0, 3)
    return header
  }
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x70])
  return Buffer.concat([head, ...Array.from({ length: blocks }, (_, n) => block(n === blocks - 1))])
}
/** The frame with another size: of four bytes, in place of those that the library writes. */
const stated = (frame: Buffer, size: number): Buffer => {
  const sizeBytes = [1, 2, 4, 8][(frame[4] ?? 0) >> 6] ?? 0
  const head = Buffer.from([...frame.subarray(0, 4), ((frame[4] ?? 0) & 0x3f) | 0x80, 0, 0, 0, 0])
  head.writeUInt32LE(size, 5)
  return Buffer.concat([head, frame.subarray(5 + sizeBytes)])
}

test('each line that is no record is an error line with its number, and the others are read', async () => {
  const lines = [
    FIRST,
    'error code: 1015',
    '',
    '{"jsonrpc":"2.0","id":2,"error":{"code":-32009,"message":"Slot 5 was skipped."}}',
    '7',
    SECOND,
  ]
  const ran = await decoded([...lines, `{"result":${SECOND.slice(0, 900)}`].join('\r\n'))
  expect(countOf(ran)).toBe('3 events, 4')
  expect(reasonsOf(ran)).toEqual([
    'line 2: not JSON (position 0)',
    'line 4: the node returned an error: -32009 Slot 5 was skipped',
    expect.stringMatching(/^line 5: the value 7 is not a transaction, block, log or receipt of a node$/),
    expect.stringMatching(/^line 7: not JSON \(/),
  ])
})

test('a place names line and index', async () => {
  const ran = await decoded(`${FIRST}\n[${SECOND},null]`)
  expect(reasonsOf(ran)).toEqual([expect.stringMatching(/^line 2: index 1: the node returned null/)])
})

test.each([
  [
    'a key',
    (json: string) => json.replace('"accountKeys": ["6xo', '"accountKeys": ["0xo'),
    /transaction.message.accountKeys.0: not a key$/,
  ],
  ['an encoding', () => text('28-base58.json').replace('"base58"]', '"hex"]'), /^transaction.1: /],
  ['base58', () => text('28-base58.json').replace(/"\w{20}(?=\w+", "base58"\])/, '"0'), /^transaction: not base58$/],
])('%s that is wrong is named by its field', async (_what, change, reason) => {
  expect(reasonsOf(await decoded(change(FIRST)))).toEqual([expect.stringMatching(reason)])
})

test('control characters of a node’s error are escaped', async () => {
  const { error } = await decoded(JSON.stringify({ result: null, error: { code: 1, message: '\u001b[2J\u202egone' } }))
  expect((error as Error).message).toContain('the node returned an error: 1 \\u001b[2J\\u202egone')
})

test('a file of more than 100,000 values that are no records is refused', async () => {
  const { error } = await decoded(`${FIRST}\n${'7\n'.repeat(100_001)}`)
  expect((error as Error).message).toContain('more than 100000 values are no records; the first: line 2: the value 7')
})

test('of two logs of a transaction with one index, the second is an error line', async () => {
  const [log, other] = JSON.parse(text('evm-03-duplicate-log.json')).slice(1)
  const { logIndex, transactionHash, transactionIndex, blockHash, blockNumber } = log
  const ran = await decoded(JSON.stringify([log, { ...other, logIndex, transactionHash, transactionIndex, blockHash, blockNumber }]))
  expect([countOf(ran), reasonsOf(ran)]).toEqual(['1 events, 1', [`two logs of the transaction have index ${Number(logIndex)}`]])
})

test('what ethers and viem write of a receipt is read as the node’s own', async () => {
  const [node] = JSON.parse(text('evm-07-receipts-array.json')).result
  const { transactionHash: hash, transactionIndex, logs, ...rest } = node
  const ethers = {
    ...rest,
    _type: 'TransactionReceipt',
    hash,
    index: Number(transactionIndex),
    status: 1,
    blockNumber: Number(rest.blockNumber),
  }
  const ethersLogs = logs.map(({ logIndex, ...log }: { logIndex: string }) => ({ ...log, _type: 'log', index: Number(logIndex) }))
  const viem = { ...node, status: 'success', blockNumber: String(Number(rest.blockNumber)), type: 'eip1559' }
  const { lines } = await decoded(JSON.stringify(node))
  expect((await decoded(JSON.stringify({ ...ethers, logs: ethersLogs }))).lines).toEqual(lines)
  expect((await decoded(JSON.stringify(viem))).lines).toEqual(lines)
  expect(lines.length).toBeGreaterThan(0)
})
