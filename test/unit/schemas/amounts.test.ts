// Amounts of up to 256 bits on the tape and in rows: exact, readable by plain Avro, and small ones in the bytes of earlier versions.
import avro from 'avsc'
import fc from 'fast-check'
import {
  add,
  amountBytes,
  amountFromBytes,
  amountOf,
  amountOfDigits,
  clipped,
  compareAmounts,
  subtract,
  times,
} from '../../../schemas/amount.ts'
import { loadType, parseType, readSchema, readSource } from '../../../schemas/avro.ts'
import { tapeBatchCodec } from '../../../schemas/codecs.ts'
import { flatWriter } from '../../../schemas/flat-writer.ts'
import type { Signature } from '../../../schemas/keys.ts'
import type { PoolTrade, TapeBatch } from '../../../schemas/types.ts'
import { withWideAmounts } from '../../../schemas/wide-amounts.ts'
import { key } from '../processors/mint/market.ts'

const EDGES = [
  0n,
  1n,
  -1n,
  2n ** 53n - 2n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  -(2n ** 52n),
  -(2n ** 52n) - 1n,
  -(2n ** 53n) - 1n,
].concat([
  2n ** 63n - 1n,
  2n ** 63n,
  -(2n ** 63n),
  2n ** 64n - 1n,
  2n ** 128n - 1n,
  -(2n ** 128n),
  2n ** 255n,
  2n ** 256n - 1n,
  -(2n ** 256n) + 1n,
])
const anyInteger = fc.oneof(
  fc.constantFrom(...EDGES),
  fc.bigInt(-(2n ** 256n) + 1n, 2n ** 256n - 1n),
  fc.maxSafeInteger().map(BigInt),
  fc.bigInt(-1_000n, 1_000n),
)

/** A sum, clamped to 256 bits. */
const nearest = (value: bigint): bigint => {
  const most = 2n ** 256n - 1n
  return value > most ? most : value < -most ? -most : value
}

const trade = (amounts: Partial<PoolTrade>): PoolTrade => ({
  type: 'poolTrade',
  ...{
    tx: 1,
    outer: 2,
    inner: 3,
    signature: 's'.repeat(64) as Signature,
    mint: key(1),
    timestamp: 1_790_000_000,
    pool: key(2),
    user: key(3),
  },
  ...{ isBuy: true, isAgent: false, coinIsBase: true, quoteMint: null },
  ...{ tokenUnits: 1, quoteUnits: 2, userQuoteUnits: 3, poolTokenUnits: 4, poolQuoteUnits: 5, virtualQuoteUnits: null, poolFeeUnits: 6 },
  ...amounts,
})
const batch = (...events: TapeBatch['events']): TapeBatch => ({
  type: 'batch',
  ...{ chain: 'solana', number: 9, hash8: 'abcdefgh', sequence: 4, time: 7, gapFrom: null, gapTo: null, vouched: false, final: false },
  ...{ placed: true, launchpadTransactions: null, launchpadFailed: null, events },
})

describe('an amount', () => {
  test('is encoded in the fewest bytes that hold the integer, and read back', () =>
    fc.assert(
      fc.property(anyInteger, (value) => {
        const bytes = amountBytes(value)
        expect(amountFromBytes(bytes)).toBe(amountOf(value))
        expect(bytes.length === 1 || BigInt.asIntN(8 * (bytes.length - 1), value) !== value).toBe(true)
      }),
    ))

  test('adds and subtracts like integers, up to 256 bits', () =>
    fc.assert(
      fc.property(anyInteger, anyInteger, (a, b) => {
        expect(add(amountOf(a), amountOf(b))).toBe(amountOf(nearest(a + b)))
        expect(subtract(amountOf(a), amountOf(b))).toBe(amountOf(nearest(a - b)))
      }),
    ))

  test('compares like integers, with a factor', () =>
    fc.assert(
      fc.property(anyInteger, anyInteger, fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (a, b, m, n) => {
        const [first, second] = [a * BigInt(m), b * BigInt(n)]
        expect(times(amountOf(a), m) < times(amountOf(b), n)).toBe(first < second)
        expect(times(amountOf(a), m) <= times(amountOf(b), n)).toBe(first <= second)
        expect(Math.sign(compareAmounts(amountOf(a), amountOf(b)))).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    ))

  test('is parsed from any digits, and other text is refused', () => {
    fc.assert(fc.property(anyInteger, (value) => expect(amountOfDigits(String(value))).toBe(amountOf(value))))
    for (const text of ['1.5', 'many', 'NaN', '1'.repeat(78).concat('x'), String(2n ** 256n), '9'.repeat(400)])
      expect([text, amountOfDigits(text)]).toEqual([text, undefined])
  })

  test('is not read from invalid bytes', () => {
    expect(() => amountFromBytes(Buffer.alloc(0))).toThrow('1 to 33 bytes, not 0')
    expect(() => amountFromBytes(Buffer.alloc(34))).toThrow('1 to 33 bytes, not 34')
    expect(() => amountFromBytes(Buffer.concat([Buffer.of(1), Buffer.alloc(32)]))).toThrow('at most 256 bits')
    expect(() => amountBytes(2n ** 256n)).toThrow('more than 256 bits')
  })

  test('beyond a column is clamped to the nearest value', () => {
    expect([clipped(2n ** 63n, 64), clipped(-(2n ** 64n), 64), clipped(5n, 64)]).toEqual([2n ** 63n - 1n, -(2n ** 63n), 5n])
  })
})

describe('a pool trade on the tape', () => {
  test('with any amounts is read back as written', () =>
    fc.assert(
      fc.property(anyInteger, anyInteger, fc.option(anyInteger), (a, b, c) => {
        const virtualQuoteUnits = c === null ? null : amountOf(c)
        const value = batch(trade({ poolTokenUnits: amountOf(a), tokenUnits: amountOf(b), virtualQuoteUnits }), trade({}))
        expect(tapeBatchCodec.type().isValid(value)).toBe(true)
        const read = tapeBatchCodec.decode(tapeBatchCodec.encode(value))
        expect(read.ok && read.value).toEqual(value)
      }),
    ))

  test('with amounts that are longs has the bytes of the older schema, which reads them', () =>
    fc.assert(
      fc.property(
        anyInteger.filter((value) => typeof amountOf(value) === 'number'),
        (value) => {
          const small = batch(trade({ tokenUnits: amountOf(value), virtualQuoteUnits: amountOf(value) }))
          const before = parseType(readSource('tape')[0])
          expect(tapeBatchCodec.encode(small).equals(before.toBuffer(small))).toBe(true)
        },
      ),
    ))

  test('with a larger amount is readable by a plain Avro reader of the published schema as digits', () => {
    const plain = avro.Type.forSchema(readSchema('tape'), { wrapUnions: true })
    const bytes = loadType('tape').toBuffer(batch(trade({ poolTokenUnits: 2n ** 200n, tokenUnits: 5 })))
    const { 'mintfold.TapeBatch': read } = plain.fromBuffer(bytes) as { 'mintfold.TapeBatch': { events: Record<string, object>[] } }
    const [event] = read.events
    expect(event).toHaveProperty(['mintfold.PoolTradeWide', 'poolTokenUnits', 'bytes'], amountBytes(2n ** 200n))
    expect(event).toHaveProperty(['mintfold.PoolTradeWide', 'tokenUnits', 'long'], 5)
  })

  test('with more than 256 bits, or an amount in a long field, is not a value of the schema', () => {
    expect(tapeBatchCodec.type().isValid(batch(trade({ tokenUnits: 2n ** 256n })))).toBe(false)
    expect(tapeBatchCodec.type().isValid(batch({ ...trade({}), timestamp: (2n ** 60n) as unknown as number }))).toBe(false)
  })

  test('truncated anywhere is refused', () => {
    const bytes = tapeBatchCodec.encode(batch(trade({ poolFeeUnits: 2n ** 255n })))
    for (let size = 0; size < bytes.length; size++) expect(tapeBatchCodec.decode(bytes.subarray(0, size)).ok).toBe(false)
  })
})

describe('a row with amounts', () => {
  const row = { type: 'record', name: 'Row', fields: [{ name: 'units', type: { type: 'long', logicalType: 'amount' } }] }

  test('with any integer has the same bytes from the compiled writer and from avsc, and is read back', () => {
    const type = parseType(withWideAmounts(row) as unknown as avro.Schema)
    const write = flatWriter(type)
    fc.assert(
      fc.property(anyInteger, (value) => {
        const bytes = write({ units: amountOf(value) })
        expect(bytes.equals(type.toBuffer({ units: amountOf(value) }))).toBe(true)
        expect(type.fromBuffer(bytes)).toEqual({ units: amountOf(value) })
      }),
    )
    expect(() => write({ units: 2 ** 53 })).toThrow('invalid long')
    expect(() => write({ units: 'many' })).toThrow('invalid amount')
  })

  test("in the older long encoding is read with its writer's schema", () => {
    const before = parseType({ ...row, fields: [{ name: 'units', type: 'long' }] } as avro.Schema)
    const type = parseType(withWideAmounts(row) as unknown as avro.Schema)
    expect(type.fromBuffer(before.toBuffer({ units: -77 }), type.createResolver(before))).toEqual({ units: -77 })
  })
})
