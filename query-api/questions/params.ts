// Parameters as data: each entry parses request text and provides its schema for labels, OpenAPI and MCP.
import type { Key } from '../../schemas/keys.ts'
import { HEX_KEYS, parseKey } from '../../schemas/keys.ts'

/** The JSON Schema keywords of parameters. */
export interface ParamSchema {
  readonly type: 'integer' | 'number' | 'boolean' | 'string' | readonly ['string', 'null']
  readonly description: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly default?: number | boolean | string | null
}

/** A list as a tool's argument. */
interface ListSchema {
  readonly type: 'array'
  readonly description: string
  readonly items: Omit<ParamSchema, 'description'>
  readonly minItems: number
  readonly maxItems: number
  readonly uniqueItems: true
}

/** A problem of one value, with the types and messages of FastAPI and pydantic 2. */
export interface Problem {
  readonly type: string
  readonly msg: string
  readonly ctx?: Readonly<Record<string, number | string>>
  /** The form is valid, but the content is not: some questions return another status for this. */
  readonly isOfContent?: true
}

export type ParamResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem }

/** One parameter; without `fallback` it is required. */
export interface Param<T> {
  /** Schema of the text in a path or a query. */
  readonly schema: ParamSchema
  /** Schema of the tool argument of the same name; absent: as `schema`. A list is passed to `parse` joined by commas. */
  readonly argument?: ParamSchema | ListSchema
  readonly fallback?: T
  /** True for secrets: never echoed in an answer, 402 or receipt. */
  readonly isSecret?: true
  parse(text: string): ParamResult<T>
}

export type Params = Readonly<Record<string, Param<unknown>>>
/** The values of a set of parameters. */
export type InputOf<P extends Params> = { readonly [Name in keyof P]: P[Name] extends Param<infer T> ? T : never }

interface OneOf<Word extends string> {
  readonly values: readonly Word[]
  readonly fallback: Word
  readonly doc: string
}

interface NumberBounds {
  readonly min: number
  /** Absent: no upper bound. */
  readonly max?: number
  readonly fallback: number
  readonly doc: string
}

const INTEGER = /^[+-]?\d+(?:\.0*)?$/
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i
const TRUE = new Set(['1', 'true', 't', 'yes', 'y', 'on'])
const FALSE = new Set(['0', 'false', 'f', 'no', 'n', 'off'])

const wrong = (type: string, msg: string, ctx?: Readonly<Record<string, number | string>>): { ok: false; problem: Problem } => ({
  ok: false,
  problem: ctx === undefined ? { type, msg } : { type, msg, ctx },
})

const wrongContent = (type: string, msg: string): { ok: false; problem: Problem } => ({
  ok: false,
  problem: { type, msg, isOfContent: true },
})

const bounded = (value: number, { min, max }: NumberBounds): ParamResult<number> => {
  if (value < min) return wrong('greater_than_equal', `Input should be greater than or equal to ${min}`, { ge: min })
  if (max !== undefined && value > max) return wrong('less_than_equal', `Input should be less than or equal to ${max}`, { le: max })
  return { ok: true, value }
}

const numberSchema = (type: 'integer' | 'number', { min, max, fallback, doc }: NumberBounds): ParamSchema => ({
  type,
  minimum: min,
  ...(max === undefined ? {} : { maximum: max }),
  default: fallback,
  description: doc,
})

/** A whole number; `50` and `50.0` are the same. */
export const integer = (bounds: NumberBounds): Param<number> => ({
  schema: numberSchema('integer', bounds),
  fallback: bounds.fallback,
  parse: (text) =>
    INTEGER.test(text.trim())
      ? bounded(Number(text), bounds)
      : wrong('int_parsing', 'Input should be a valid integer, unable to parse string as an integer'),
})

/** A finite number. */
export const number = (bounds: NumberBounds): Param<number> => ({
  schema: numberSchema('number', bounds),
  fallback: bounds.fallback,
  parse: (text) => {
    if (!NUMBER.test(text.trim())) return wrong('float_parsing', 'Input should be a valid number, unable to parse string as a number')
    const value = Number(text)
    return Number.isFinite(value) ? bounded(value, bounds) : wrong('finite_number', 'Input should be a finite number')
  },
})

/** true, false, 1, 0, yes, no, on, off, t, f, y, n; case does not matter. */
export const boolean = ({ fallback, doc }: { fallback: boolean; doc: string }): Param<boolean> => ({
  schema: { type: 'boolean', default: fallback, description: doc },
  fallback,
  parse: (text) => {
    const word = text.trim().toLowerCase()
    if (TRUE.has(word)) return { ok: true, value: true }
    if (FALSE.has(word)) return { ok: true, value: false }
    return wrong('bool_parsing', 'Input should be a valid boolean, unable to interpret input')
  },
})

/** One of a set of values. */
export const oneOf = <Word extends string>({ values, fallback, doc }: OneOf<Word>): Param<Word> => {
  const pattern = `^(${values.join('|')})$`
  return {
    schema: { type: 'string', pattern, default: fallback, description: doc },
    fallback,
    parse: (text) => {
      const value = values.find((word) => word === text)
      return value === undefined
        ? wrong('string_pattern_mismatch', `String should match pattern '${pattern}'`, { pattern })
        : { ok: true, value }
    },
  }
}

const HEX_SCHEMA = { type: 'string', minLength: 42, maxLength: 42, pattern: '^0x[0-9a-fA-F]{40}$' } as const
export const NOT_HEX = 'evm_address'
const NO_HEX_ADDRESS = wrongContent(NOT_HEX, 'Input should be an EVM address: 0x and 40 hexadecimal digits')

/** An address of 20 bytes in hex; the checksum of capitals is not verified. */
export const hexAddress = (doc: string): Param<Key> => ({
  schema: { ...HEX_SCHEMA, description: doc },
  parse: (text) => {
    const value = HEX_KEYS.parse(text)
    return value === undefined ? NO_HEX_ADDRESS : { ok: true, value }
  },
})

const ADDRESS_SCHEMA = { type: 'string', minLength: 32, maxLength: 44, pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' } as const
const NOT_AN_ADDRESS = wrongContent(
  'base58_address',
  'Input should be a base58 address: 32 bytes, 32 to 44 characters without 0, O, I and l',
)

/** An address of 32 bytes in base58. */
export const address = (doc: string): Param<Key> => ({
  schema: { ...ADDRESS_SCHEMA, description: doc },
  parse: (text) => {
    const value = parseKey(text)
    return value === undefined ? NOT_AN_ADDRESS : { ok: true, value }
  },
})

const tooLong = (charsMax: number) =>
  wrong('string_too_long', `String should have at most ${charsMax} characters`, { max_length: charsMax })

interface TextBounds {
  readonly charsMax: number
  readonly doc: string
}

/** Optional text. */
export const optionalText = ({ charsMax, doc }: TextBounds): Param<string | null> => ({
  schema: { type: 'string', maxLength: charsMax, description: doc },
  argument: { type: ['string', 'null'], maxLength: charsMax, default: null, description: doc },
  fallback: null,
  parse: (text) => (text.length > charsMax ? tooLong(charsMax) : { ok: true, value: text }),
})

interface ListBounds {
  readonly itemsMax: number
  /** Limit of the whole text, commas included. */
  readonly charsMax: number
  readonly doc: string
}

/** One or more distinct addresses, separated by commas; keeps their order. */
export const addresses = ({ itemsMax, charsMax, doc }: ListBounds): Param<readonly Key[]> => ({
  schema: { type: 'string', minLength: ADDRESS_SCHEMA.minLength, maxLength: charsMax, description: `${doc}, comma-separated` },
  argument: { type: 'array', items: ADDRESS_SCHEMA, minItems: 1, maxItems: itemsMax, uniqueItems: true, description: doc },
  parse: (text) => (text.length > charsMax ? tooLong(charsMax) : readAddresses(text === '' ? [] : text.split(','), itemsMax)),
})

const readAddresses = (texts: readonly string[], itemsMax: number): ParamResult<readonly Key[]> => {
  const n = texts.length
  if (n === 0) return wrong('too_short', 'List should have at least 1 item after validation, not 0', { min_length: 1, actual_length: 0 })
  if (n > itemsMax)
    return wrong('too_long', `List should have at most ${itemsMax} items after validation, not ${n}`, {
      max_length: itemsMax,
      actual_length: n,
    })
  const keys: Key[] = []
  for (const text of texts) {
    const key = parseKey(text)
    if (key === undefined) return NOT_AN_ADDRESS
    if (keys.includes(key)) return wrongContent('duplicate_address', 'Addresses should be distinct')
    keys.push(key)
  }
  return { ok: true, value: keys }
}
