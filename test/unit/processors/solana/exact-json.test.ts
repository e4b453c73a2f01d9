// JSON of the chain's nodes without rounding, and signatures recognized without decoding them.
import fc from 'fast-check'
import { parseExact, quoteLargeNumbers } from '../../../../processors/chains/solana/chain-file.ts'
import { encodeBase58 } from '../../../../schemas/base58.ts'
import { isSignatureText, mustSignature, parseSignature } from '../../../../schemas/keys.ts'

const MARK = '@large@'

describe('JSON with large integers', () => {
  test('is parsed as if every integer beyond 2^53 were quoted, wherever it occurs', () => {
    const large = fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { maxLength: 5 })
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), large, fc.constantFrom(',', ' ,\n '), (value, text, numbers, comma) => {
        const json = JSON.stringify({ value, text, numbers: MARK }).replace(`"${MARK}"`, `[${numbers.join(comma)}]`)
        expect(parseExact(json)).toEqual(JSON.parse(quoteLargeNumbers(json)))
      }),
    )
  })
  test('keeps every digit wherever the number ends in the text', () => {
    const texts = Array.from({ length: 64 }, (_, n) => `{"${'k'.repeat(n)}":9007199254740993,"m":1}`)
    for (const text of texts) expect(Object.values(parseExact(text) as object)).toEqual(['9007199254740993', 1])
  })
  test.each(['{"a":9007199254740993}', '[ 18446744073709551615 ]'])('keeps every digit of %s', (json) => {
    expect(JSON.stringify(parseExact(json))).toContain((json.match(/\d+/) as RegExpMatchArray)[0])
  })
})

describe('a base58 signature', () => {
  test('is recognized only if decoding gives 64 bytes, and nearly always then', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 62, maxLength: 66 }), (bytes) => {
        const text = encodeBase58(Buffer.from(bytes).toString('latin1'))
        if (isSignatureText(text)) expect(mustSignature(text)).toBe(parseSignature(text))
        else expect(bytes.length !== 64 || bytes[0] === 0).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
  test.each(['', '0'.repeat(88), 'z'.repeat(88), `${'2'.repeat(87)}O`])('is not recognized in %s', (text) => {
    expect(isSignatureText(text)).toBe(false)
  })
})
