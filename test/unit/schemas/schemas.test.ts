import { readdirSync, readFileSync } from 'node:fs'
import { parseType, readSchema } from '../../../schemas/avro.ts'
import { renderTypes, SHORT_KEYED, withShortKeys } from '../../../schemas/generate.ts'
import { TOPOLOGIES } from '../../../topology/launch-risk.ts'
import { topicsOfAll } from '../../../topology/topology.ts'
import { additiveFaults, recordsOf } from '../../tools/schema-fields.ts'

const namesIn = (folder: string): string[] =>
  readdirSync(new URL(`../../../${folder}/`, import.meta.url))
    .filter((file) => file.endsWith('.avsc'))
    .map((file) => file.slice(0, -'.avsc'.length))
const names = namesIn('schemas')
const records = names.flatMap((name) => recordsOf(readSchema(name)).map((record) => ({ ...record, file: name })))

describe('the schemas', () => {
  test('match types.ts: run npm run schemas after a change', () => {
    expect(readFileSync(new URL('../../../schemas/types.ts', import.meta.url), 'utf8')).toBe(renderTypes())
  })

  test('all parse', () => {
    for (const name of names) expect(() => parseType(readSchema(name))).not.toThrow()
  })

  test('document every record', () => {
    expect(records.filter(({ doc }) => !doc).map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })

  test('state the unit of every time, in the name or in the doc of a field of that name', () => {
    const fields = records.flatMap((record) => record.fields)
    const isTime = (name: string): boolean => /^(at|due|t0|time|timestamp)$|(At|Time)$/.test(name)
    const inSeconds = new Set(fields.filter(({ doc }) => doc !== undefined && /second/i.test(doc)).map(({ name }) => name))
    expect([...new Set(fields.map(({ name }) => name))].filter((name) => isTime(name) && !inSeconds.has(name))).toEqual([])
  })

  test('state the unit of every amount last in its name', () => {
    const isAmount = (name: string): boolean => /(lamport|units|amount|fee|reserve|supply)/i.test(name)
    const amounts = records.flatMap(({ file, fields }) => fields.map((field) => ({ ...field, file })))
    const isNumber = (type: string): boolean => /(^|\|)(int|long|double)($|\|)/.test(type)
    const hasUnit = (name: string): boolean => /(units|Units|Lamports|Bps|Share)(After|Before|Max)?$/.test(name)
    expect(
      amounts.filter(({ name, type }) => isAmount(name) && isNumber(type) && !hasUnit(name)).map(({ file, name }) => `${file}: ${name}`),
    ).toEqual([])
  })
})

test.each(Object.entries(SHORT_KEYED))('%s is %s with keys of 20 bytes: npm run schemas', (name, of) => {
  const text = (schema: string): string => readFileSync(new URL(`../../../schemas/${schema}.avsc`, import.meta.url), 'utf8')
  expect(text(name)).toBe(withShortKeys(text(of)))
  const sizes = [...text(name).matchAll(/"Key\d+", "size": (\d+)/g)].map(([, size]) => size)
  expect([...new Set(sizes)]).toEqual(['20'])
})

describe('published schemas', () => {
  const published = namesIn('test/data/schemas-published')

  test('exist for every schema', () => {
    expect(published.sort()).toEqual([...names].sort())
  })

  test.each(published)('%s has since grown only by fields with defaults and by branches at the end', (name) => {
    const before = JSON.parse(readFileSync(new URL(`../../data/schemas-published/${name}.avsc`, import.meta.url), 'utf8'))
    expect(additiveFaults(before, readSchema(name))).toEqual([])
    expect(() => parseType(readSchema(name)).createResolver(parseType(before))).not.toThrow()
  })
})

describe('the list of topics', () => {
  test('has a schema for each topic, and no name twice', () => {
    const topics = topicsOfAll(TOPOLOGIES)
    expect(topics.filter(({ schema }) => !names.includes(schema))).toEqual([])
    expect(new Set(topics.map(({ name }) => name)).size).toBe(topics.length)
  })

  test('gives every topic either a retention or compaction', () => {
    for (const { cleanup, retentionHours } of topicsOfAll(TOPOLOGIES))
      expect(cleanup === 'compact' ? retentionHours === 0 : retentionHours > 0).toBe(true)
  })
})
