// RowBinary by hand: each kind of value against recorded bytes, numbers against BigInt.
import fc from 'fast-check'
import type { Key } from '../../../schemas/keys.ts'
import { key, time, units } from '../../../topology/history/rows/columns.ts'
import { RowWriter } from '../../../topology/history/rows/row-writer.ts'

const written = (write: (out: RowWriter) => void): string => {
  const out = new RowWriter()
  write(out)
  return out.take().toString('hex')
}

describe('rows in RowBinary', () => {
  test('integers are eight bytes, little-endian, also negative ones', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const bytes = Buffer.alloc(8)
        bytes.writeBigInt64LE(BigInt(value))
        expect(written((out) => out.int64(value))).toBe(bytes.toString('hex'))
      }),
    )
  })
  test('texts are preceded by their length in bytes as a varint', () => {
    expect(written((out) => out.text('né'))).toBe('036ec3a9')
    expect(written((out) => out.text('a'.repeat(300)))).toBe(`ac02${'61'.repeat(300)}`)
  })
  test('nullable values are preceded by a byte', () => {
    const column = units.orNull<{ n: number | null }>('n', ({ n }) => n)
    expect(written((out) => column.write(out, { n: null }))).toBe('01')
    expect(written((out) => column.write(out, { n: 258 }))).toBe('000201000000000000')
  })
  test('times are milliseconds, keys their 32 bytes', () => {
    expect(written((out) => time.of<null>('at', () => 1).write(out, null))).toBe('e803000000000000')
    const mint = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i)).toString('latin1') as Key
    expect(written((out) => key.of<null>('mint', () => mint).write(out, null))).toBe(Buffer.from(mint, 'latin1').toString('hex'))
  })
  test('content beyond the initial buffer is kept', () => {
    const texts = Array.from({ length: 5_000 }, (_, i) => `text ${i} `.repeat(5))
    const expected = texts.map((text) => written((out) => out.text(text))).join('')
    expect(
      written((out) => {
        for (const text of texts) out.text(text)
      }),
    ).toBe(expected)
  })
})
