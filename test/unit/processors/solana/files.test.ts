import { parseChainFile } from '../../../../processors/chains/solana/chain-file.ts'
import { decodeFrame } from '../../../../processors/chains/solana/decode-frame.ts'
import { findEvents } from '../../../../processors/chains/solana/events/find-events.ts'
import { openBody } from '../../../../processors/chains/solana/frame.ts'
import type { RawFrame } from '../../../../schemas/types.ts'
import { eventsOf, framesOf, frameTransaction, manifest, open, readData } from './fixtures.ts'

const importable = manifest.filter(({ encoding }) => encoding !== 'sol-token-listener-normalized')
const OLD_BLOCK = 'blocks/mainnet-285000037.getBlock.json.gz'
const STORED = 'blocks/mainnet-332254908.ConfirmedBlock.pb.gz'
const CONVERTED = 'blocks/mainnet-332254908.getBlock-converted.json.gz'

const tally = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

describe('transaction files, in all encodings', () => {
  test.each(importable.map((entry) => [entry.file, entry] as const))('%s gives the events of the manifest', (name, entry) => {
    const events = eventsOf(open(`tx/${name}.gz`))
    const bytes = findEvents(frameTransaction(open(`tx/${name}.gz`))).events.map((found) => found.bytes.length)
    expect(events.map(({ program, event }, i) => ({ program, name: event, bytes: bytes[i] }))).toEqual(entry.events)
    expect(events.every(({ signature, slot }) => signature === entry.signature && slot === entry.slot)).toBe(true)
  })

  test('frames keep the versions of the manifest', () => {
    const versions = importable.map(({ file }) => frameTransaction(open(`tx/${file}.gz`)).version)
    expect(versions).toEqual(importable.map(({ version }) => (version === 'legacy' ? -1 : version)))
    expect(tally(versions.map(String))).toEqual({ '0': 28, '1': 1, '-1': 2 })
  })

  test('the same transaction as jsonParsed and as base64 differs only in bytes that jsonParsed lacks', () => {
    const base64 = frameTransaction(open('tx/create_v2+buy-4HbY43S9-base64.json.gz'))
    const parsed = frameTransaction(open('tx/create_v2+buy-4HbY43S9-jsonParsed.json.gz'))
    const { instructions, inner, ...rest } = parsed
    expect({ ...rest, instructions: [], inner: [] }).toEqual({ ...base64, instructions: [], inner: [] })
    const calls = [...instructions, ...(inner ?? [])]
    const twins = [...base64.instructions, ...(base64.inner ?? [])]
    const differing = calls.flatMap((call, i) => (call.data.length > 0 || twins[i]?.data.length === 0 ? [] : [i]))
    calls.forEach((call, i) => {
      expect(call).toEqual(differing.includes(i) ? { ...twins[i], accounts: Buffer.alloc(0), data: Buffer.alloc(0) } : twins[i])
    })
    expect([calls.length, differing.length]).toEqual([33, 19])
  })

  test('a file of another shape is refused', () => {
    const foreign = JSON.stringify({
      signature: 'x',
      slot: '435782997',
      transactionIndex: 1188,
      instructions: [{ programId: 'x', dataHex: '02' }],
      error: null,
    })
    for (const bytes of [
      foreign,
      '{"jsonrpc":"2.0","result":null,"id":1}',
      '[]',
      '[1,2]',
      'hello',
      '',
      '{"a":',
      '\x1f\x8b broken',
      '\x00\x01\x02',
    ]) {
      expect(parseChainFile(Buffer.from(bytes, 'latin1'), 'a-file')).toMatchObject({
        ok: false,
        code: 'bad_encoding',
        reason: expect.stringContaining('a-file'),
      })
    }
  })
})

describe('whole blocks', () => {
  test('the block of 2024 gives the trades of its 8 successful launchpad transactions, and none of the failed one', () => {
    const [frame] = framesOf(open(OLD_BLOCK))
    const body = frame && openBody(frame)
    const kept = body?.ok ? body.value.transactions : []
    expect(kept.map(({ failed }) => failed).sort()).toEqual([...Array(8).fill(false), true])
    expect(kept.find(({ failed }) => failed)).toMatchObject({ failedCode: 6002 })
    expect(body).toMatchObject({ value: { transactionsTotal: 557 } })
    expect(tally(eventsOf(open(OLD_BLOCK)).map(({ event }) => event))).toEqual({ TradeEvent: 12 })
  })

  test('the block of 2025 gives 51 of its 89 events; the others failed', () => {
    expect(tally(eventsOf(open(STORED)).map(({ event }) => event))).toEqual({ TradeEvent: 16, BuyEvent: 19, SellEvent: 16 })
    const [frame] = framesOf(open(STORED))
    const body = frame && openBody(frame)
    const kept = body?.ok ? body.value.transactions : []
    const rolledBack = kept.filter(({ failed }) => failed).map((tx) => ({ ...tx, failed: false }))
    expect(rolledBack.flatMap((tx) => findEvents(tx).events)).toHaveLength(38)
    expect(body).toMatchObject({ value: { transactionsTotal: 1862 } })
    const { events, deadLetters } = decodeFrame(frame as RawFrame)
    const counts: Record<string, number> = {}
    for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1
    expect(counts).toEqual({ balance: 13, poolTrade: 35, trade: 16, transfer: 5 })
    expect(deadLetters).toEqual([])
  })

  test('the same block as JSON and as protobuf gives the same frames, byte for byte', () => {
    const [json] = framesOf(open(CONVERTED))
    const [protobuf] = framesOf(open(STORED))
    expect(json).toEqual(protobuf)
    expect(json).toMatchObject({
      number: 332254908,
      parentNumber: 332254907,
      hash: 'Bp8eFMZLKGNXKbwTYEnP9j8MNkCFBXWSuPWUF7bpopKL',
      whole: true,
    })
  })

  test('failures as bincode give the failed instruction and code of the log', () => {
    const failed = open(STORED).blocks.flatMap(({ transactions }) => transactions.filter(({ failure }) => failure !== null))
    const logged = failed.map(({ logs }) =>
      logs?.map((line) => /failed: custom program error: 0x([0-9a-f]+)$/.exec(line)?.[1]).find(Boolean),
    )
    const withCode = failed.filter((_, i) => logged[i] !== undefined)
    expect(withCode.map(({ failure }) => failure?.code)).toEqual(
      logged.flatMap((hex) => (hex === undefined ? [] : Number.parseInt(hex, 16))),
    )
    const starts = withCode.map(({ logs }) => (logs ?? []).filter((line) => line.endsWith(' invoke [1]')).length - 1)
    expect(withCode.map(({ failure }) => failure?.instruction)).toEqual(starts)
    expect([failed.length, withCode.length]).toEqual([231, 229])
  })

  test('truncated bytes of a stored block are refused', () => {
    expect(parseChainFile(readData(STORED).subarray(0, 1000), 'cut.pb.gz')).toMatchObject({ ok: false })
  })
})
