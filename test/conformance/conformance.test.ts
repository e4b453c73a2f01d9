// Walks the contract: every row of its tables has a check by the same name.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { questions } from '../../query-api/app/list/questions.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { harness } from '../integration/api-harness.ts'
import { base58, key, liveState } from '../unit/query-api/given-mint.ts'
import { boundFault, fieldFault, isAlsoNull, optionalFields, parameterFault, routeFault, typicalFault, wordsFault } from './check-row.ts'
import { boundRows, fieldRows, wordsRows } from './field-rows.ts'
import { parameterRows, routeRows, typicalRows } from './rows.ts'
import { errorRows, ruleRows } from './rule-rows.ts'

const api = harness({ history: new SetHistory() })
api.view.put(key(1), liveState())
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

describe('routes', () => {
  test.each(routeRows)('$path', (row) => expect(routeFault(row)).toBeUndefined())
  test('every tool of the service is in the contract', () => {
    const tools = routeRows.flatMap(({ tool }) => tool ?? [])
    expect(questions.flatMap(({ tool }) => tool ?? []).sort()).toEqual(tools.sort())
  })
})
describe('parameters', () => {
  test.each(parameterRows)('$path $name', (row) => expect(parameterFault(row)).toBeUndefined())
  test('there are no others', () => {
    const rows = parameterRows.map(({ path, name }) => `${path} ${name}`)
    const paths = routeRows.map(({ path }) => path)
    const own = questions
      .filter(({ path }) => paths.includes(path))
      .flatMap(({ path, params }) => Object.keys(params).map((name) => `${path} ${name}`))
    expect(own.filter((name) => !rows.includes(name))).toEqual([])
  })
})
describe('typical times', () => {
  test.each(typicalRows)('$path $coverage', (row) => expect(typicalFault(row)).toBeUndefined())
})
describe('fields', () => {
  test.each(fieldRows)('$component $field', (row) => expect(fieldFault(row)).toBeUndefined())
  test('all fields of a check item are required', () => expect(optionalFields('CheckItem')).toEqual([]))
  test('a field that is missing, of another type, or null without a reason is a fault', () => {
    const rug = { component: 'Rug', field: 'mint', type: 'string' }
    expect(fieldFault({ ...rug, field: 'mnit' })).toBe('Rug: no such field')
    expect(fieldFault({ ...rug, type: 'integer' })).toBe('Rug: is string, not integer')
    expect(fieldFault({ component: 'CheckItem', field: 'last_trade_at', type: 'integer|null' })).toBe(
      'CheckItem: is number or null, not integer',
    )
    expect(isAlsoNull({ ...rug, field: 'creator' })).toBe(true)
    expect(isAlsoNull(rug)).toBe(false)
  })
})
describe('words', () => {
  test.each(wordsRows)('$component $field', (row) => expect(wordsFault(row)).toBeUndefined())
})
describe('bounds of fields', () => {
  test.each(boundRows)('$component $field $bounds', (row) => expect(boundFault(row)).toBeUndefined())
})
describe('errors', () => {
  test.each(errorRows)('$status $where', async ({ status, where, request, charged }) => {
    const answer = await api.get(request.replaceAll('UNSEEN', base58(2)).replaceAll('MINT', base58(1)))
    expect(answer.status).toBe(status)
    if (charged === false) expect(answer.body.charged).toBe(false)
    if (status === 402) expect(JSON.parse(Buffer.from(answer.headers['payment-required'] ?? '', 'base64').toString())).toEqual(answer.body)
    if (where.startsWith('not an address')) expect(answer.body).toEqual({ ok: false, error: 'not_an_address', hint: expect.any(String) })
  })
})

/** A test, not a group of them, with exactly this title. */
const hasTest = (source: string, title: string): boolean => {
  const literal = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<!describe)\\(\\s*'${literal}'\\s*,`).test(source)
}

describe('rows that other tests check', () => {
  test.each(ruleRows)('$row', ({ file, title }) =>
    expect([title, hasTest(readFileSync(ROOT + file, 'utf8'), title)]).toEqual([title, true]),
  )
  test('a similar title, or that of a group, does not match', () => {
    const source = `describe('a group', () => {\n  test.each([1])(\n    'of %i, or (more)',\n    async () => {})\n})`
    expect(hasTest(source, 'of %i, or (more)')).toBe(true)
    for (const title of ['a group', 'of %i, or', 'of %i, or (mor.)']) expect(hasTest(source, title)).toBe(false)
  })
})
