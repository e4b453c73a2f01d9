// The report of a diff: counts of each kind, the fields that changed, and the first examples.
import { Differences, type Flat, fieldsThatDiffer, shown } from '../../../topology/versions/shadow/differences.ts'

const flat = (fields: Readonly<Record<string, unknown>>): Flat => new Map(Object.entries(fields))

test('fields differ by value, a missing one is null, and at most 20 are named', () => {
  const running = flat({ a: 1, b: { c: [2n] }, gone: 'x' })
  expect(fieldsThatDiffer(running, flat({ a: 1, b: { c: [2n] }, gone: 'x' }))).toEqual({})
  expect(fieldsThatDiffer(running, flat({ a: 2, b: { c: [3n] } }))).toEqual({
    a: { running: 1, shadow: 2 },
    b: { running: { c: ['2'] }, shadow: { c: ['3'] } },
    gone: { running: 'x', shadow: null },
  })
  const many = flat(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, n])))
  expect(Object.keys(fieldsThatDiffer(many, flat({})))).toHaveLength(20)
})

test('counts differ by change, fields of rows are counted without the ids of the rows, and examples are limited for each kind', () => {
  const found = new Differences(1)
  const fields = { 'holders[a].amount': { running: 1, shadow: 2 }, 'holders[b].amount': { running: 1, shadow: 2 } }
  found.same('rows')
  found.moving('rows')
  for (const id of ['one', 'two']) found.differs({ kind: 'rows', change: 'changed', id, fields })
  found.differs({ kind: 'flag', change: 'added', id: 'three', fields: { at: { running: null, shadow: 5 } } })
  expect(found.kinds).toEqual([
    ['flag', { same: 0, changed: 0, added: 1, removed: 0, moving: 0 }],
    ['rows', { same: 1, changed: 2, added: 0, removed: 0, moving: 1 }],
  ])
  expect(found.fieldsOf('rows')).toEqual([['holders[].amount', 2]])
  expect(found.fieldsOf('flag')).toEqual([])
  expect(found.examplesOf('rows').map(({ id }) => id)).toEqual(['one'])
  expect(found.count).toBe(3)
})

test('keys and bytes are shown as text, other text as it is', () => {
  expect(shown('\x00'.repeat(32))).toBe('1'.repeat(32))
  expect(shown(Buffer.from([255, 1]))).toBe('ff01')
  expect(shown('Übergröße 20 Zeichen→')).toBe('Übergröße 20 Zeichen→')
  expect([shown('curve_drained'), shown(5n), shown(undefined)]).toEqual(['curve_drained', '5', null])
})
