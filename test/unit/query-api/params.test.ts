import fc from 'fast-check'
import { address, addresses, boolean, integer, number, optionalText } from '../../../query-api/questions/params.ts'
import { parseKey } from '../../../schemas/keys.ts'
import { base58 } from './given-mint.ts'

const limit = integer({ min: 1, max: 100, fallback: 50, doc: 'd' })
const age = number({ min: 30, max: 21_600, fallback: 3_600, doc: 'd' })
const reserve = number({ min: 0, fallback: 0, doc: 'd' })
const flag = boolean({ fallback: true, doc: 'd' })

const given = (result: { ok: boolean; value?: unknown }): unknown => (result.ok ? result.value : undefined)
const typeOf = (result: { ok: boolean; problem?: { type: string } }): string | undefined => result.problem?.type

describe('integer', () => {
  test.each([
    ['1', 1],
    ['100', 100],
    ['+7', 7],
    [' 7 ', 7],
    ['7.0', 7],
  ])('reads %j', (text, value) => {
    expect(given(limit.parse(text))).toBe(value)
  })
  test.each(['', ' ', 'abc', '1.5', '0x10', '1e2', '१', 'NaN', 'Infinity', '1,0', '--1'])('refuses %j', (text) => {
    expect(typeOf(limit.parse(text))).toBe('int_parsing')
  })
  test('names the violated bound', () => {
    expect(limit.parse('0')).toEqual({
      ok: false,
      problem: { type: 'greater_than_equal', msg: 'Input should be greater than or equal to 1', ctx: { ge: 1 } },
    })
    expect(limit.parse('101')).toEqual({
      ok: false,
      problem: { type: 'less_than_equal', msg: 'Input should be less than or equal to 100', ctx: { le: 100 } },
    })
    expect(typeOf(limit.parse('9'.repeat(400)))).toBe('less_than_equal')
  })
})

describe('number', () => {
  test.each([
    ['30', 30],
    ['30.5', 30.5],
    ['3.1e2', 310],
    ['21600', 21_600],
  ])('reads %j', (text, value) => {
    expect(given(age.parse(text))).toBe(value)
  })
  test.each(['', 'nan', 'inf', '-Infinity', '1e9999', '3 0', '0x1f', '.', 'e5'])('refuses %j', (text) => {
    expect(typeOf(age.parse(text))).toBe('float_parsing')
  })
  test('refuses numbers too large to be finite', () => {
    expect(typeOf(reserve.parse('1e999'))).toBe('finite_number')
    expect(given(reserve.parse('1e300'))).toBe(1e300)
  })
  test('enforces its bounds', () => {
    expect(typeOf(age.parse('29.999'))).toBe('greater_than_equal')
    expect(typeOf(age.parse('21600.01'))).toBe('less_than_equal')
    expect(typeOf(reserve.parse('-0.1'))).toBe('greater_than_equal')
  })
})

test('boolean reads the literals that FastAPI reads', () => {
  for (const word of ['1', 'true', 'True', 't', 'yes', 'Y', 'on']) expect(given(flag.parse(word))).toBe(true)
  for (const word of ['0', 'false', 'FALSE', 'f', 'no', 'n', 'off']) expect(given(flag.parse(word))).toBe(false)
  for (const word of ['', '2', 'maybe', 'null']) expect(typeOf(flag.parse(word))).toBe('bool_parsing')
})

test('address accepts only 32 bytes of base58', () => {
  const mint = address('d')
  expect(given(mint.parse(base58(7)))).toBe(parseKey(base58(7)))
  for (const text of ['', 'abc', `0${base58(7).slice(1)}`, base58(7).slice(0, 31), `${base58(7)}1`, ` ${base58(7)}`, `${base58(7)}\n`]) {
    expect(typeOf(mint.parse(text))).toBe('base58_address')
  }
})

describe('addresses', () => {
  const mints = addresses({ itemsMax: 3, charsMax: 224, doc: 'd' })
  const [a, b, c, d] = [base58(1), base58(2), base58(3), base58(4)]
  test('reads distinct addresses in order', () => {
    expect(given(mints.parse(a))).toEqual([parseKey(a)])
    expect(given(mints.parse(`${c},${a},${b}`))).toEqual([c, a, b].map((text) => parseKey(text)))
  })
  test.each([
    ['', 'too_short'],
    [[a, b, c, d].join(','), 'too_long'],
    ['1'.repeat(225), 'string_too_long'],
  ])('%j has an invalid form', (text, type) => {
    const result = mints.parse(text)
    expect(typeOf(result)).toBe(type)
    expect(result).not.toMatchObject({ problem: { isOfContent: true } })
  })
  test.each([
    [`${a},`, 'base58_address'],
    [`${a}, ${b}`, 'base58_address'],
    ['abc', 'base58_address'],
    [`${a},${b},${a}`, 'duplicate_address'],
  ])('%j has invalid content', (text, type) => {
    expect(mints.parse(text)).toMatchObject({ ok: false, problem: { type, isOfContent: true } })
  })
  test('are text in a query and a list as an argument', () => {
    expect(mints.schema).toMatchObject({ type: 'string', maxLength: 224 })
    expect(mints.argument).toMatchObject({
      type: 'array',
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
      items: { minLength: 32, maxLength: 44 },
    })
    expect(mints.fallback).toBeUndefined()
  })
})

test('optional text is bounded, and may be null as an argument', () => {
  const cursor = optionalText({ charsMax: 4, doc: 'd' })
  expect(given(cursor.parse('abcd'))).toBe('abcd')
  expect(given(cursor.parse(''))).toBe('')
  expect(cursor.parse('abcde')).toEqual({
    ok: false,
    problem: { type: 'string_too_long', msg: 'String should have at most 4 characters', ctx: { max_length: 4 } },
  })
  expect(cursor.fallback).toBeNull()
  expect(cursor.argument).toMatchObject({ type: ['string', 'null'], default: null })
})

test('a schema describes what is parsed', () => {
  expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 50, description: 'd' })
  expect(reserve.schema).toEqual({ type: 'number', minimum: 0, default: 0, description: 'd' })
})

test('any text is a value within bounds or an error, never a throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String)), (text) => {
      const whole = limit.parse(text)
      if (whole.ok) expect(Number.isInteger(whole.value) && whole.value >= 1 && whole.value <= 100).toBe(true)
      const any = age.parse(text)
      if (any.ok) expect(any.value >= 30 && any.value <= 21_600).toBe(true)
    }),
  )
})
