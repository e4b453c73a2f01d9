// Bytes of an older version of a schema read with the current one, and vice versa.
import type avro from 'avsc'
import { parseType, readSchema } from '../../../schemas/avro.ts'

interface Field {
  name: string
  type: string | { items: { name: string; fields: Field[] }[] & { fields?: Field[] } } | [string, { fields: Field[] }]
  default?: unknown
}
interface RecordSchema {
  fields: Field[]
}

/** The record of a schema file; the first one of the tape's file, which has several. */
const recordOf = (name: string): RecordSchema => [readSchema(name)].flat()[0] as unknown as RecordSchema

/** An older version of a schema: `take` removes what was added later. */
const older = (name: string, take: (schema: RecordSchema) => void): avro.Type => {
  const schema = recordOf(name)
  take(schema)
  return parseType(schema as unknown as avro.Schema)
}
const without = (fields: Field[], name: string): Field[] => {
  const rest = fields.filter((field) => field.name !== name)
  expect(rest).toHaveLength(fields.length - 1)
  return rest
}
const eventsOf = (schema: RecordSchema) => {
  const { type } = schema.fields.find(({ name }) => name === 'events') as Field
  return type as { items: { name: string; fields: Field[] }[] }
}
/** The value as the reader decodes it, as plain data: decoded records have their own classes. */
const read = (reader: avro.Type, writer: avro.Type, value: object): unknown =>
  structuredClone({ ...reader.fromBuffer(writer.toBuffer(value), reader.createResolver(writer)) })

const KEY = '\u00ffk'.repeat(16)
const SIGNATURE = 's\u0080'.repeat(32)
const PLACE = { tx: 1, outer: 0, inner: 3, signature: SIGNATURE, mint: KEY, timestamp: 7 }
const creatorChange = { type: 'creatorChange', ...PLACE, creator: KEY, kind: 'SetCreatorEvent' }
const complete = { type: 'complete', ...PLACE, user: KEY, bondingCurve: KEY, quoteMint: null }
const poolBoost = { type: 'poolBoost', ...PLACE, pool: KEY, virtualQuoteUnits: -5, realQuoteUnitsAfter: 2 }
/** Default values of a schema's fields. */
const defaultsOf = (name: string): Record<string, unknown> =>
  Object.fromEntries(recordOf(name).fields.flatMap((field) => ('default' in field ? [[field.name, field.default]] : [])))
const batch = {
  ...defaultsOf('tape'),
  chain: 'solana',
  number: 9,
  hash8: 'abcdefgh',
  sequence: 4,
  time: 7,
  gapFrom: 1,
  placed: false,
  events: [] as object[],
}

const tape = parseType(recordOf('tape') as unknown as avro.Schema)
/** The tape before the field `placed`, the field `quoteMint` of Complete, and the event PoolBoost. */
const olderTape = () =>
  older('tape', (schema) => {
    schema.fields = without(schema.fields, 'placed')
    const events = eventsOf(schema)
    events.items = events.items.filter(({ name }) => name !== 'PoolBoost')
    for (const event of events.items) if (event.name === 'Complete') event.fields = without(event.fields, 'quoteMint')
  })

describe('the tape', () => {
  test('the new schema fills in defaults for old bytes', () => {
    const { placed: _placed, ...olderBatch } = batch
    const { quoteMint: _quoteMint, ...olderComplete } = complete
    const value = { ...olderBatch, events: [creatorChange, olderComplete] }
    expect(read(tape, olderTape(), value)).toEqual({ ...value, placed: true, events: [creatorChange, complete] })
  })

  test('the old schema ignores unknown fields of new bytes', () => {
    const { placed: _placed, ...olderBatch } = batch
    const { quoteMint: _quoteMint, ...olderComplete } = complete
    expect(read(olderTape(), tape, { ...batch, events: [complete, creatorChange] })).toEqual({
      ...olderBatch,
      events: [olderComplete, creatorChange],
    })
  })

  test('the old schema names an unknown event in new bytes', () => {
    expect(() => read(olderTape(), tape, { ...batch, events: [complete, poolBoost] })).toThrow(
      /mintfold\.PoolBoost is not known to this version/,
    )
  })

  test('events in another order in the schema keep their identity', () => {
    const turned = older('tape', (schema) => {
      const events = eventsOf(schema)
      const [launch, ...rest] = events.items
      // The first branch defines the named types that the others use.
      events.items = [launch, ...rest.reverse()] as typeof events.items
    })
    const value = { ...batch, events: [poolBoost, creatorChange, complete] }
    expect(read(tape, turned, value)).toEqual(value)
  })
})

describe('rows', () => {
  const state = parseType(readSchema('mint-state'))
  const timers = [{ name: 'settle', due: 5 }]
  const empty = defaultsOf('mint-state')

  test('the new schema has no rows of a kind that old bytes lack', () => {
    const olderState = older('mint-state', (schema) => {
      schema.fields = without(schema.fields, 'outcome')
    })
    const { outcome: _outcome, ...value }: Record<string, unknown> = { ...empty, timers }
    expect(read(state, olderState, value)).toEqual({ ...empty, timers })
  })

  test('the old schema ignores a new kind of row in new bytes', () => {
    const olderState = older('mint-state', (schema) => {
      schema.fields = without(schema.fields, 'stub')
    })
    const stub = { reason: 'silent', launchAt: null, lastNumber: 1, forgottenAt: 2, flags: '', outcome: null }
    const { stub: _stub, ...rest } = { ...empty, timers, stub }
    expect(read(olderState, state, { ...rest, stub })).toEqual(rest)
  })
})

describe('keys', () => {
  const fixed = (name: string, size: number): avro.Type => parseType({ type: 'fixed', name, size, logicalType: 'latin1' } as avro.Schema)

  test('a fixed type of another length gives no reader', () => {
    expect(() => fixed('Key32', 32).createResolver(fixed('Key32', 64))).toThrow()
  })

  test('bytes written as a plain fixed are read as text', () => {
    const writer = parseType({ type: 'fixed', name: 'Key32', size: 32 } as avro.Schema)
    const key = fixed('Key32', 32)
    expect(key.fromBuffer(writer.toBuffer(Buffer.from(KEY, 'latin1')), key.createResolver(writer))).toBe(KEY)
  })
})
