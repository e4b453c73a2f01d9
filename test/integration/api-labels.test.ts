// The fields of `/v1/labels`: by object, each meaning once, without losing one.
import { documentBytesMax } from '../../query-api/discovery/limits.ts'
import { labels } from '../shipped.ts'
import { harness } from './api-harness.ts'

type Meanings = Readonly<Record<string, string>>
type Published = Readonly<Record<string, string | Meanings>>

const api = harness()
let fields: Published
beforeAll(async () => {
  fields = (await api.get('/v1/labels')).body.data.fields
})

/** The object whose entry has the meanings: `as NAME` refers to NAME, also for the objects in it. */
const entryOf = (object: string): string => {
  const stated = fields[object]
  const dot = object.lastIndexOf('.')
  if (typeof stated === 'string') return entryOf(stated.slice(3))
  return stated === undefined && dot > 0 ? entryOf(entryOf(object.slice(0, dot)) + object.slice(dot)) : object
}
const meaningOf = (object: string, field: string): string | undefined => {
  const meaning = (fields[entryOf(object)] as Meanings | undefined)?.[field]
  return meaning !== undefined && fields[meaning.slice(3)] !== undefined ? meaningOf(meaning.slice(3), field) : meaning
}

test('each group has all its meanings, in its objects or in the linked schema', async () => {
  for (const [group, meanings] of Object.entries(labels.fields)) {
    const linked = fields[group]
    const schema = typeof linked === 'string' ? (await api.get(linked)).text : undefined
    for (const [path, meaning] of Object.entries(meanings)) {
      const whole = `${group}.${path}`
      const dot = whole.lastIndexOf('.')
      const found = schema?.includes(JSON.stringify(meaning)) === true ? meaning : meaningOf(whole.slice(0, dot), whole.slice(dot + 1))
      expect([whole, found]).toEqual([whole, meaning])
    }
  }
})
test('no text of 60 characters is repeated', () => {
  const texts = Object.values(fields).flatMap((meanings) => (typeof meanings === 'string' ? [] : Object.entries(meanings)))
  const long = texts.filter(([, text]) => text.length >= 60).map((entry) => entry.join())
  expect(long.filter((text, index) => long.indexOf(text) !== index)).toEqual([])
})
test('stays within its budget', async () => {
  expect(Buffer.byteLength((await api.get('/v1/labels')).text)).toBeLessThan(documentBytesMax.labels)
})
