// One definition per field: its JSON Schema and labels, and a unit that matches its name.
import { z } from 'zod'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { answerSchemas } from '../../query-api/answer-schemas/answers.ts'
import { flagSchemas } from '../../query-api/answer-schemas/flags.ts'
import { jsonSchemas } from '../../query-api/answer-schemas/json-schema.ts'
import { meaningsIn } from '../../query-api/answer-schemas/meanings.ts'
import { address, anyObject, count, fields, reason, share } from '../../query-api/answer-schemas/vocabulary.ts'

const jsonOf = (schema: z.ZodType): unknown => jsonSchemas({ schema }).schema

describe('fields', () => {
  test('objects allow exactly their fields, and optional fields are not required', () => {
    expect(jsonOf(fields({ a: count.describe('how many'), b: z.string().optional() }))).toEqual({
      type: 'object',
      properties: { a: { type: 'integer', minimum: 0, description: 'how many' }, b: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    })
  })
  test('a nullable field may have a reason field', () => {
    expect(jsonOf(fields({ rate: share.nullable() }))).toMatchObject({
      properties: {
        rate: { type: ['number', 'null'], minimum: 0, maximum: 1 },
        rate_reason: { type: 'string', description: 'why the field with this name, without _reason, is null' },
      },
      required: ['rate'],
    })
  })
  test('a reason field with its own description keeps it, and its place in the order', () => {
    const schema = fields({ rate: share.nullable(), n: count, rate_reason: z.string().optional().describe('what is not known') })
    expect(Object.keys(schema.shape)).toEqual(['rate', 'n', 'rate_reason'])
    expect(schema.parse({ rate: null, rate_reason: 'a gap', n: 1 }).rate_reason).toBe('a gap')
  })
})

describe('JSON Schemas', () => {
  test('literals become an enum, null included, and units are not published', () => {
    const schema = z.strictObject({ is: z.literal(true), of: z.enum(['a', 'b']).nullable(), at: z.string().or(z.int()), any: anyObject })
    expect(jsonOf(schema)).toMatchObject({
      properties: { is: { enum: [true] }, of: { enum: ['a', 'b', null] }, at: { type: ['string', 'integer'] }, any: { type: 'object' } },
    })
    expect(JSON.stringify(jsonOf(share))).not.toContain('unit')
  })
  test('a named schema becomes a reference', () => {
    const Item = fields({ mint: address.describe('token') })
    const { List } = jsonSchemas({ Item, List: fields({ items: z.array(Item).describe('all') }) })
    expect(List.properties).toEqual({ items: { type: 'array', items: { $ref: '#/components/schemas/Item' }, description: 'all' } })
  })
})

describe('meanings', () => {
  const Item = fields({ rate: share.nullable().describe('how often'), of: z.array(z.string().describe('each')) })
  const choice = z.discriminatedUnion('is', [
    z.strictObject({ is: z.literal(1).describe('which'), items: z.array(Item).describe('all') }),
    z.strictObject({ is: z.literal(2).describe('not asked'), shape: z.union([Item, z.strictObject({})]).describe('any of them') }),
  ])
  test('are listed by path, the first description wins, without reasons and without fields that have several shapes', () => {
    const schemas = jsonSchemas({ Item, Answer: z.strictObject({ data: choice }), Reason: reason })
    expect(meaningsIn(schemas, ['Answer'], 'data')).toEqual({
      is: 'which',
      items: 'all',
      'items[].rate': 'how often',
      'items[].of[]': 'each',
      shape: 'any of them',
    })
  })
})

const UNITS: readonly (readonly [names: RegExp, unit: string])[] = [
  [/^(t|t0|as_of|observed_since|\w+_at|\w+_t)$/, 'unix seconds'],
  [/^(?!\w+_60s$)\w+_s$/, 's'],
  [/^\w+_ms$/, 'ms'],
  [/^(?!.*_per_)\w+_sol(_60s)?$/, 'SOL'],
  [/^\w+_usd$/, 'USD'],
  [/^(\w+_share|\w+_rate|progress|drawdown_from_peak|hhi)$/, '1'],
]

interface Parts {
  readonly type?: string
  readonly unit?: string
  readonly properties?: Readonly<Record<string, Parts>>
  readonly anyOf?: readonly Parts[]
}

/** Numbers of a schema whose unit differs from that of their names. */
const misnamed = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const { properties = {} } = value as Parts
  const here = Object.entries(properties).flatMap(([name, field]) => {
    const { type, unit } = field.anyOf?.[0] ?? field
    const promised = UNITS.find(([names]) => names.test(name))
    return (type === 'number' || type === 'integer') && promised !== undefined && promised[1] !== unit ? [`${name} is in ${unit}`] : []
  })
  return [...here, ...Object.values(value).flatMap(misnamed)]
}

test('units match the names', () => {
  const faults = Object.entries(answerSchemas(flagSchemas(detectors))).flatMap(([name, schema]) =>
    misnamed(z.toJSONSchema(schema)).map((fault) => `${name}: ${fault}`),
  )
  expect([...new Set(faults)]).toEqual([])
})
