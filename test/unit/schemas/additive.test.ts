// The check that schemas only grow fails for each change that breaks old bytes.
import { additiveFaults } from '../../tools/schema-fields.ts'

const record = (fields: object[], name = 'Row') => ({ type: 'record', name, fields })
const inner = { type: 'array', items: [record([{ name: 'x', type: 'long' }], 'A'), record([], 'B')] }
const published = record([
  { name: 'count', type: 'long' },
  { name: 'who', type: ['null', 'string'], default: null },
  { name: 'kind', type: { type: 'enum', name: 'Kind', symbols: ['a', 'b'] } },
  { name: 'rows', type: inner },
])
const withFields = (change: (fields: { name: string; type: unknown; default?: unknown }[]) => object[]): unknown =>
  record(change(structuredClone(published.fields) as { name: string; type: unknown }[]))
const changed = (name: string, type: unknown): unknown =>
  withFields((fields) => fields.map((field) => (field.name === name ? { ...field, type } : field)))

test.each<[string, unknown, string]>([
  ['a removed field', withFields((fields) => fields.slice(1)), 'Row.count is gone'],
  [
    'a new field without a default',
    withFields((fields) => [...fields, { name: 'more', type: 'long' }]),
    'Row.more is new and has no default',
  ],
  ['another type', changed('count', 'string'), 'Row.count was long and is string'],
  ['a branch in the middle of a union', changed('who', ['null', 'long', 'string']), 'Row.who was null|string and is null|long|string'],
  ['a union without one of its branches', changed('who', ['null']), 'Row.who was null|string and is null'],
  [
    'another set of symbols',
    changed('kind', { type: 'enum', name: 'Kind', symbols: ['a', 'c'] }),
    'Row.kind was Kind(a,b) and is Kind(a,c)',
  ],
  ['a removed event', changed('rows', { ...inner, items: inner.items.slice(1) }), 'record A is gone'],
  ['a removed nested field', changed('rows', { ...inner, items: [record([], 'A'), inner.items[1]] }), 'A.x is gone'],
])('%s is a fault', (_kind, current, fault) => {
  expect(additiveFaults(published, current)).toContain(fault)
})

test.each<[string, unknown]>([
  ['nothing', published],
  ['a field with a default', withFields((fields) => [...fields, { name: 'more', type: 'long', default: 0 }])],
  ['a null default', withFields((fields) => [...fields, { name: 'more', type: ['null', 'long'], default: null }])],
  ['an event at the end', changed('rows', { ...inner, items: [...inner.items, record([], 'C')] })],
  ['a branch at the end of a union', changed('who', ['null', 'string', 'long'])],
])('%s added is not a fault', (_kind, current) => {
  expect(additiveFaults(published, current)).toEqual([])
})
