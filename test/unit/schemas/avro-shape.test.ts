// A walk over Avro bytes ends at the end of the value, and detects damage before decoding.
import avro from 'avsc'
import fc from 'fast-check'
import { compileWalk } from '../../../schemas/avro-shape.ts'

const walkLong = compileWalk('long')
const long = avro.Type.forSchema('long')

test('any number is walked to its end, wherever it starts', () =>
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 52), max: 2 ** 52 }), fc.uint8Array({ maxLength: 5 }), (value, before) => {
      const bytes = long.toBuffer(value)
      const whole = Buffer.concat([before, bytes, Buffer.from([7])])
      expect(walkLong(whole, before.length)).toBe(before.length + bytes.length)
      expect(walkLong(whole.subarray(0, whole.length - 2), before.length)).toBe(-1)
    }),
  ))
test.each([
  ['one byte', [0x7f], 1],
  ['a continuation byte without a next one', [0x80], -1],
  ['a continuation byte with a last one', [0x80, 0x00], 2],
  ['63 bits', [...Array(8).fill(0xff), 0x7f], 9],
  ['a tenth byte', [...Array(9).fill(0x80), 0x01], -1],
  ['a ninth continuation byte', Array(9).fill(0x80), -1],
  ['nothing', [], -1],
])('%s ends at %3$i', (_name, bytes, end) => {
  expect(walkLong(Buffer.from(bytes), 0)).toBe(end)
})

describe('a record of text, array, union and fixed bytes', () => {
  const schema: avro.Schema = {
    type: 'record',
    name: 'R',
    fields: [
      { name: 'text', type: 'string' },
      { name: 'list', type: { type: 'array', items: 'long' } },
      { name: 'either', type: ['null', 'bytes'] },
      { name: 'is', type: 'boolean' },
      { name: 'fixed', type: { type: 'fixed', name: 'F', size: 3 } },
      { name: 'again', type: 'F' },
    ],
  } as never
  const type = avro.Type.forSchema(schema)
  const walk = compileWalk(schema)
  const fixed = fc.uint8Array({ minLength: 3, maxLength: 3 }).map((bytes) => Buffer.from(bytes))
  const value = fc.record({
    text: fc.string(),
    list: fc.array(fc.integer({ min: -(2 ** 52), max: 2 ** 52 })),
    either: fc.option(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      { nil: null },
    ),
    is: fc.boolean(),
    fixed,
    again: fixed,
  })
  test('is walked to its end, and is damaged if truncated anywhere', () =>
    fc.assert(
      fc.property(value, fc.nat(), (one, cut) => {
        const bytes = type.toBuffer(one)
        expect(walk(Buffer.concat([bytes, Buffer.from([1, 2])]), 0)).toBe(bytes.length)
        expect(walk(bytes.subarray(0, cut % bytes.length), 0)).toBe(-1)
      }),
    ))
  test('is damaged by a length or count beyond its bytes, an unknown branch and a boolean of 2', () => {
    const bytes = type.toBuffer({ text: 'ab', list: [1], either: null, is: false, fixed: Buffer.alloc(3), again: Buffer.alloc(3) })
    const changed = (at: number, byte: number): Buffer => Buffer.from(bytes.map((old, index) => (index === at ? byte : old)))
    expect(walk(bytes, 0)).toBe(bytes.length)
    expect(
      [changed(0, 0x7e), changed(0, 0x03), changed(3, 0x7e), changed(3, 0x01), changed(6, 4), changed(7, 2)].map((one) => walk(one, 0)),
    ).toEqual(Array(6).fill(-1))
  })
})

test('a schema type that the walk does not support is refused', () => {
  expect(() => compileWalk('double')).toThrow('no walk for the schema double')
})
