// Decoders and parsers of Solana return a value or a refusal for any bytes and any JSON; they never throw.
import fc from 'fast-check'
import { parseChainFile } from '../../../processors/chains/solana/chain-file.ts'
import { lineOfLooseEvent } from '../../../processors/chains/solana/decode-lines.ts'
import type { FoundEvent } from '../../../processors/chains/solana/events/found.ts'
import { LAYOUTS } from '../../../processors/chains/solana/events/layouts.ts'
import { readTrade } from '../../../processors/chains/solana/events/pump-trade.ts'
import { readEvent } from '../../../processors/chains/solana/events/read-event.ts'
import { readRare } from '../../../processors/chains/solana/events/tape-rare.ts'
import { bytesOf, frameTransaction, open, parse, vectorOf } from '../../unit/processors/solana/fixtures.ts'

const tx = frameTransaction(open('tx/sell-V1tx-4DqvQfnU.json.gz'))
const layout = fc.constantFrom(...LAYOUTS)
const body = fc.uint8Array({ maxLength: 700 })
const trade = bytesOf(vectorOf('TradeEvent', (vector) => bytesOf(vector).length > 370))

describe('arbitrary event bytes', () => {
  test('the read fields and the tail of any body make up its bytes, or the record is refused', () => {
    fc.assert(
      fc.property(layout, body, ({ program, discriminator }, bytes) => {
        const read = readEvent(program, Buffer.concat([Buffer.from(discriminator, 'hex'), bytes]))
        if (!read.ok) return expect(['truncated', 'bad_bool', 'bad_string_length']).toContain(read.code)
        expect(Buffer.from(bytes).subarray(bytes.length - read.value.tail.length)).toEqual(read.value.tail)
        const line = lineOfLooseEvent({
          program,
          bytes: Buffer.concat([Buffer.from(discriminator, 'hex'), bytes]),
          slot: null,
          signature: null,
        })
        expect(JSON.parse(JSON.stringify(line))).toEqual(line)
      }),
      { numRuns: 500 },
    )
  })

  test('the reader of rare tape events returns an event or a refusal for any body', () => {
    fc.assert(
      fc.property(layout, body, ({ program, discriminator }, bytes) => {
        const found: FoundEvent = {
          program,
          outer: 0,
          inner: 1,
          bytes: Buffer.concat([Buffer.from(discriminator, 'hex'), bytes]),
          accounts: undefined,
        }
        expect(typeof readRare(found, tx).ok).toBe('boolean')
      }),
      { numRuns: 500 },
    )
  })

  test('the fast trade reader finds the layout of the general reader; of what that reads it refuses only large amounts and truncated bodies', () => {
    fc.assert(
      fc.property(fc.nat(trade.length - 9), fc.integer({ min: 0, max: 255 }), fc.nat(trade.length), (at, byte, length) => {
        const bytes = Buffer.from(trade).subarray(0, Math.max(8, length))
        if (8 + at < bytes.length) bytes[8 + at] = byte
        const general = readEvent('pump', bytes)
        const fast = readTrade({ program: 'pump', outer: 0, inner: 1, bytes, accounts: undefined }, tx)
        if (fast.ok) expect(general.ok && general.value.layout).toBe(fast.value.layout)
        else if (general.ok) expect(['amount_too_large', 'truncated']).toContain(fast.code)
        else expect([general.code, 'truncated']).toContain(fast.code)
      }),
      { numRuns: 1000 },
    )
  })

  test('a chain file of any JSON, or an RPC response with any value replaced, is parsed or refused', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(30), (value, at) => {
        expect(typeof parseChainFile(Buffer.from(JSON.stringify(value)), 'any').ok).toBe('boolean')
        let n = 0
        const text = JSON.stringify({ ...response }, (_key, old) => (n++ === at ? value : old)) ?? 'null'
        expect(typeof parseChainFile(Buffer.from(text), 'any').ok).toBe('boolean')
      }),
      { numRuns: 200 },
    )
  })
})

const response = { slot: 1, transaction: ['AA==', 'base64'], meta: { err: null, fee: 1, preBalances: [1], postBalances: [1] }, version: 0 }

test('reports a transaction that cannot be read among the errors of its block', () => {
  const [block] = parse(Buffer.from(JSON.stringify(response)), 'any').blocks
  expect(block).toMatchObject({ slot: 1, transactions: [], errors: [{ code: 'bad_transaction' }] })
})
