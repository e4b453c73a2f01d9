// Walks the contract: every row of its tables has a check by the same name.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SetHistory } from '../fakes/set-history.ts'
import { harness } from '../integration/api-harness.ts'
import { base58, key, liveState } from '../unit/query-api/given-mint.ts'
import { fieldFault, isBuilt, parameterFault, routeFault } from './check-row.ts'
import { errorRows, fieldRows, parameterRows, routeRows, testedElsewhere } from './rows.ts'

const api = harness({ history: new SetHistory() })
api.view.put(key(1), liveState())
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

describe('routes', () => {
  test.each(routeRows.filter(isBuilt))('$path', (row) => expect(routeFault(row)).toBeUndefined())
  test.each(routeRows.filter((row) => !isBuilt(row)))('$path is not built yet, and the list of what is not says so', (row) => {
    expect(routeFault(row)).toBe('no such route')
  })
})
describe('parameters', () => {
  test.each(parameterRows.filter(isBuilt))('$path $name', (row) => expect(parameterFault(row)).toBeUndefined())
})
describe('fields', () => {
  test.each(fieldRows)('$component $field', (row) => expect(fieldFault(row)).toBeUndefined())
})
describe('errors', () => {
  test.each(errorRows)('$status $where', async ({ status, request, charged }) => {
    const answer = await api.get(request.replaceAll('MINT', base58(1)).replaceAll('UNSEEN', base58(2)))
    expect(answer.status).toBe(status)
    if (charged === false) expect(answer.body.charged).toBe(false)
  })
})
describe('rows that other tests check', () => {
  test.each(testedElsewhere)('%s', (_row, file) => expect(existsSync(ROOT + file)).toBe(true))
})
