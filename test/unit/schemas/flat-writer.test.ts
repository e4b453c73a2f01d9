// The compiled writer equals avsc for any rows and refuses invalid ones; the compiled reader reads its bytes.
import avro from 'avsc'
import fc from 'fast-check'
import { amountOf } from '../../../schemas/amount.ts'
import { loadType, parseType } from '../../../schemas/avro.ts'
import { flatReader } from '../../../schemas/flat-reader.ts'
import { flatWriter } from '../../../schemas/flat-writer.ts'

const TYPES = ['mint-state', 'creator-state', 'wallet-state', 'decode-state', 'task-state', 'frame-body']

/** Random values of a type. */
const valuesOf = (type: avro.Type): fc.Arbitrary<unknown> => {
  if (type instanceof avro.types.LogicalType && type.underlyingType.typeName === 'bytes') return largeAmounts
  if (type instanceof avro.types.LogicalType) return textOf((type.underlyingType as avro.types.FixedType).size)
  if (type instanceof avro.types.RecordType)
    return fc.record(Object.fromEntries(type.fields.map((field) => [field.name, valuesOf(field.type)])))
  if (type instanceof avro.types.ArrayType) return fc.array(valuesOf(type.itemsType), { maxLength: 5 })
  if (avro.Type.isType(type, 'union')) return fc.oneof(...(type as avro.types.UnwrappedUnionType).types.map(valuesOf))
  switch (type.typeName) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'int':
      return fc.oneof(fc.integer(), fc.integer({ min: -130, max: 130 }))
    case 'long':
      return fc.oneof(
        fc.maxSafeInteger().filter((value) => Math.abs(value) < 2 ** 52),
        fc.integer({ min: -130, max: 130 }),
        edges,
      )
    case 'double':
      return fc.double({ noNaN: true })
    case 'string':
      return fc.string({ unit: 'binary', maxLength: 200 })
    case 'bytes':
      return fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))
    default:
      throw new Error(type.typeName)
  }
}
const edges = fc.constantFrom(0, -1, 63, 64, -64, -65, 2 ** 30 - 1, 2 ** 30, -(2 ** 30), -(2 ** 30) - 1, 2 ** 31, 2 ** 35, 2 ** 52 - 1)
const largeAmounts = fc
  .oneof(fc.bigInt(-(2n ** 256n) + 1n, 2n ** 256n - 1n), fc.constantFrom(2n ** 53n, 2n ** 63n, -(2n ** 63n), 2n ** 256n - 1n))
  .filter((value) => typeof amountOf(value) === 'bigint')
const textOf = (size: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => Buffer.from(bytes).toString('latin1'))

test('the reader reads a frame body like avsc', () => {
  const type = loadType('frame-body')
  const read = flatReader(type)
  fc.assert(
    fc.property(valuesOf(type), (value) => {
      expect(read(type.toBuffer(value))).toEqual(value)
    }),
    { numRuns: 40 },
  )
})

test('an array in blocks, with and without their sizes, is one array', () => {
  const type = parseType({ type: 'record', name: 'Page', fields: [{ name: 'rows', type: { type: 'array', items: 'long' } }] })
  expect(flatReader(type)(Buffer.of(2, 10, 3, 4, 11, 12, 0))).toEqual({ rows: [5, -6, 6] })
})

test.each(TYPES)('%s is written with the same bytes as by avsc', (name) => {
  const type = loadType(name)
  const write = flatWriter(type)
  fc.assert(
    fc.property(valuesOf(type), (value) => {
      expect(write(value).equals(type.toBuffer(value))).toBe(true)
    }),
    { numRuns: 25 },
  )
})

test('a text larger than any buffer so far is written like by avsc', () => {
  const type = parseType({
    type: 'record',
    name: 'Note',
    fields: [
      { name: 'text', type: 'string' },
      { name: 'n', type: 'long' },
    ],
  })
  const value = { text: 'ä'.repeat(300_000), n: 7 }
  expect(flatWriter(type)(value).equals(type.toBuffer(value))).toBe(true)
})

test('an array larger than any buffer so far leaves earlier results unchanged', () => {
  const type = parseType({
    type: 'record',
    name: 'Page',
    fields: [{ name: 'rows', type: { type: 'array', items: { type: 'record', name: 'Row', fields: [{ name: 'n', type: 'long' }] } } }],
  })
  const write = flatWriter(type)
  const many = { rows: Array.from({ length: 400_000 }, (_, n) => ({ n: n * 1_000_003 })) }
  const first = write(many)
  const second = write({ rows: [{ n: 1 }] })
  expect(first.equals(type.toBuffer(many))).toBe(true)
  expect([...second]).toEqual([2, 2, 0])
})

test.each<[string, avro.Schema, unknown]>([
  ['a long that is not a number', 'long', '1'],
  ['a long that is absent', 'long', undefined],
  ['a long beyond the exact range', 'long', 2 ** 53],
  ['a long that is NaN', 'long', Number.NaN],
  ['an int with a fraction', 'int', 1.5],
  ['an int beyond 32 bits', 'int', 2 ** 31],
  ['a double that is text', 'double', '1'],
  ['a flag that is a number', 'boolean', 1],
  ['a null text', 'string', null],
  ['bytes that are text', 'bytes', 'a'],
  ['a key of 31 characters', { type: 'fixed', name: 'Key', size: 32, logicalType: 'latin1' } as avro.Schema, 'a'.repeat(31)],
  ['a list that is a row', { type: 'array', items: 'long' }, {}],
  ['an absent nullable field', ['null', 'long'], undefined],
])('%s throws', (_name, schema, value) => {
  const write = flatWriter(parseType({ type: 'record', name: 'Row', fields: [{ name: 'field', type: schema }] }))
  expect(() => write({ field: value })).toThrow(/invalid/)
})
