// Schemas from flat lists: what a word becomes, and what is strict about it.
import { shapeOf } from '../../query-api/shapes/shape.ts'

const shape = (types: Parameters<typeof shapeOf>[0], docs: Record<string, string> = {}) => shapeOf(types, docs) as Record<string, unknown>

describe('shapeOf', () => {
  test('objects have exactly their fields, and what may be absent is not required', () => {
    expect(shape({ a: 'count', 'b?': 'text' }, { a: 'how many' })).toEqual({
      type: 'object',
      properties: { a: { type: 'integer', minimum: 0, description: 'how many' }, b: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    })
  })
  test('beside what may be null its reason may stand', () => {
    const { properties, required } = shape({ rate: 'share|null' })
    expect(properties).toEqual({
      rate: { type: ['number', 'null'], minimum: 0, maximum: 1 },
      rate_reason: { type: 'string', description: 'why rate is null' },
    })
    expect(required).toEqual(['rate'])
  })
  test('dots are objects, brackets are lists, in whichever order they are named', () => {
    const { properties } = shape({ 'list[].of.mints[]': 'address', 'list?': 'list' })
    expect(properties).toMatchObject({
      list: { type: 'array', items: { properties: { of: { properties: { mints: { type: 'array', items: { type: 'string' } } } } } } },
    })
  })
  test('a word that there is not is a bug', () => {
    expect(() => shape({ a: 'strnig' })).toThrow(/no such word for the type of a: strnig/)
  })
})
