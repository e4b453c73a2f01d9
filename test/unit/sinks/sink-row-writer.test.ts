// RowBinary by hand: each kind of value against bytes that were written down, numbers against BigInt.
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
  test('whole numbers are eight bytes, low one first, also negative ones', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const bytes = Buffer.alloc(8)
        bytes.writeBigInt64LE(BigInt(value))
        expect(written((out) => out.int64(value))).toBe(bytes.toString('hex'))
      }),
    )
  })
  test('texts have their length in bytes in front, seven bits a byte', () => {
    expect(written((out) => out.text('né'))).toBe('036ec3a9')
    expect(written((out) => out.text('a'.repeat(300)))).toBe(`ac02${'61'.repeat(300)}`)
  })
  test('what may be null has a byte in front', () => {
    const column = units.orNull<{ n: number | null }>('n', ({ n }) => n)
    expect(written((out) => column.write(out, { n: null }))).toBe('01')
    expect(written((out) => column.write(out, { n: 258 }))).toBe('000201000000000000')
  })
  test('times are milliseconds, keys their 32 bytes', () => {
    expect(written((out) => time.of<null>('at', () => 1).write(out, null))).toBe('e803000000000000')
    const mint = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i)).toString('latin1') as Key
    expect(written((out) => key.of<null>('mint', () => mint).write(out, null))).toBe(Buffer.from(mint, 'latin1').toString('hex'))
  })
  test('more than it began with is kept whole', () => {
    const texts = Array.from({ length: 5_000 }, (_, i) => `text ${i} `.repeat(5))
    const expected = texts.map((text) => written((out) => out.text(text))).join('')
    expect(
      written((out) => {
        for (const text of texts) out.text(text)
      }),
    ).toBe(expected)
  })
})
