import { readdirSync, readFileSync } from 'node:fs'
import { readSchema } from '../../../schemas/avro.ts'
import { readingFault } from '../../../topology/logs/kafka/registry/schema-fault.ts'

const record = (...fields: object[]) => ({ type: 'record', name: 'Trade', fields })
const field = (name: string, type: unknown, rest: object = {}) => ({ name, type, ...rest })

describe('reading bytes of one schema with another', () => {
  test('every schema of the project reads its own bytes and those of the published one', () => {
    const published = new URL('../../data/schemas-published/', import.meta.url)
    for (const file of readdirSync(published)) {
      const schema = readSchema(file.replace('.avsc', ''))
      expect([file, readingFault(schema, schema)]).toEqual([file, undefined])
      expect([file, readingFault(schema, JSON.parse(readFileSync(new URL(file, published), 'utf8')))]).toEqual([file, undefined])
    }
  })
  test.each([
    ['a new field with a default', record(field('a', 'long'), field('b', 'long', { default: 0 })), record(field('a', 'long')), undefined],
    ['a removed field', record(field('a', 'long')), record(field('a', 'long'), field('b', 'string')), undefined],
    ['a wider number', record(field('a', 'long')), record(field('a', 'int')), undefined],
    ['an additional branch', record(field('a', ['null', 'long'])), record(field('a', 'long')), undefined],
    ['an enum with more symbols', enumOf('x', 'y'), enumOf('x'), undefined],
    [
      'a new field without default',
      record(field('a', 'long'), field('b', 'long')),
      record(field('a', 'long')),
      'Trade.b is new and has no default',
    ],
    ['a narrower number', record(field('a', 'int')), record(field('a', 'long')), 'Trade.a is int here and long in the registry'],
    ['another type', record(field('a', 'string')), record(field('a', 'long')), 'Trade.a is string here and long in the registry'],
    [
      'a missing branch',
      record(field('a', ['null', 'long'])),
      record(field('a', ['null', 'string'])),
      'Trade.a may be string in the registry, and not here',
    ],
    [
      'no longer a union',
      record(field('a', 'long')),
      record(field('a', ['null', 'long'])),
      'Trade.a is long here and null in the registry',
    ],
    ['an enum with fewer symbols', enumOf('x'), enumOf('x', 'y'), 'Trade.side may be y in the registry, and not here'],
    ['a fixed of another size', fixedOf(32), fixedOf(64), 'Trade.mint has 32 bytes here and 64 in the registry'],
    ['an array of other items', arrayOf('long'), arrayOf('string'), 'Trade.list[] is long here and string in the registry'],
  ])('%s', (_name, reader, writer, fault) => {
    if (fault === undefined) expect(readingFault(reader, writer)).toBeUndefined()
    else expect(readingFault(reader, writer)).toBe(fault)
  })
  test('the field is found inside arrays, unions and named types, and recursive records terminate', () => {
    const tree = (leaf: string) => ({
      type: 'record',
      name: 'Node',
      fields: [
        field('children', { type: 'array', items: 'Node' }),
        field('leaf', ['null', { type: 'record', name: 'Leaf', fields: [field('units', leaf)] }]),
      ],
    })
    expect(readingFault(tree('long'), tree('long'))).toBeUndefined()
    expect(readingFault(tree('long'), tree('string'))).toBe('Leaf.units is long here and string in the registry')
  })
})

function enumOf(...symbols: string[]) {
  return record(field('side', { type: 'enum', name: 'Side', symbols }))
}
function fixedOf(size: number) {
  return record(field('mint', { type: 'fixed', name: 'Key32', size }))
}
function arrayOf(items: string) {
  return record(field('list', { type: 'array', items }))
}
