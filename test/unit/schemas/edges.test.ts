// Edge cases of the schemas' helpers: base58 numbers at the limits of a limb, keys in any shape of a type, unsupported body types, and
// rebuilds of short-lived maps.
import avro from 'avsc'
import bs58 from 'bs58'
import { decodeBase58 } from '../../../schemas/base58.ts'
import { flatReader } from '../../../schemas/flat-reader.ts'
import { keyOf, toBase58 } from '../../../schemas/keys.ts'
import { printFields } from '../../../schemas/print.ts'
import { ShortLivedMap } from '../../../schemas/short-lived-map.ts'

test.each([0x01, 0xff, 0x100, 0xffff, 0x1_0000, 0x1_0001, 0xff_ffff, 0x100_0000])(
  'base58 of %i is decoded to as many bytes as the number has',
  (number) => {
    const bytes = Buffer.from(number.toString(16).padStart(number.toString(16).length + (number.toString(16).length % 2), '0'), 'hex')
    expect(decodeBase58(bs58.encode(bytes))).toEqual(bytes)
  },
)

test('keys print in base58, also in unions with null and as inline fixed types; other texts unchanged', () => {
  const key = keyOf(new Uint8Array(32).fill(7))
  const finding = { creator: null, name: key, units: 5, type: 'finding', chain: 'solana', role: 'insider' }
  expect(printFields({ mint: key, ...finding })).toEqual({ mint: toBase58(key), ...finding })
})

test('a type that bodies do not support is refused when the reader is created', () => {
  expect(() => flatReader(avro.Type.forSchema('float'))).toThrow('frame bodies cannot have the type float')
  const inside = { type: 'record', name: 'R', fields: [{ name: 'a', type: { type: 'map', values: 'long' } }] } as const
  expect(() => flatReader(avro.Type.forSchema(inside as never))).toThrow('frame bodies cannot have the type map')
})

test('a short-lived map is rebuilt seldom: not at each delete after the first rebuild', () => {
  const map = new ShortLivedMap<number, number>()
  for (let n = 0; n < 2_000; n++) map.set(n, n)
  let copies = 0
  const counted = class extends Map<number, number> {
    constructor(entries?: Iterable<readonly [number, number]>) {
      super(entries)
      copies++
    }
  }
  const { Map: whole } = globalThis
  globalThis.Map = counted as never
  try {
    for (let n = 0; n < 1_900; n++) map.delete(n)
  } finally {
    globalThis.Map = whole
  }
  expect(copies).toBeGreaterThan(0)
  expect(copies).toBeLessThan(20)
  expect([...map.values()]).toHaveLength(100)
})
