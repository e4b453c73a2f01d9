// Unknown parameters of a route: refused before payment where the answer is sold, so nobody pays for a misspelt request.
import { questions } from '../../query-api/app/list/questions.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { base58, key, liveState } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const MINT = base58(77)
const given = () => {
  const api = harness({ history: new SetHistory() })
  api.view.put(key(77), liveState())
  return api
}
const requestOf = (example: string): string => example.replace('{curve}', `0x${'02'.repeat(20)}`).replaceAll(/\{\w+\}/g, MINT)
const withMore = (request: string, more: string): string => `${request}${request.includes('?') ? '&' : '?'}${more}`

const PAID = questions.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0)
const QUERY_NAMES = PAID.flatMap(({ path, example, params }) =>
  Object.keys(params)
    .filter((name) => !path.includes(`{${name}}`))
    .map((name) => ({ path, name, request: requestOf(example).split('?')[0] ?? '' })),
)

describe.each(PAID)('$path', ({ path, example, params }) => {
  const known = Object.keys(params).filter((name) => !path.includes(`{${name}}`))
  const takes = known.length === 0 ? 'takes no parameters' : `takes ${known.join(', ')}`

  test.each(['utm_source=x', '__proto__=1', 'constructor=', 'a'.repeat(80)])('refuses unknown parameters, unpaid: %s', async (more) => {
    const api = given()
    for (const answer of [await api.get(withMore(requestOf(example), more)), await api.paid(withMore(requestOf(example), more))]) {
      expect(answer.status).toBe(422)
      expect(answer.body.charged).toBe(false)
      expect(answer.body.detail).toMatchObject([
        { type: 'extra_forbidden', loc: ['query', expect.any(String)], msg: expect.stringContaining(takes) },
      ])
    }
    expect(api.gate.calls).toEqual([])
  })
})

describe('a misspelt name', () => {
  test.each(QUERY_NAMES)('$path suggests $name', async ({ name, request }) => {
    const given = [name.toUpperCase(), `${name}[]`, name.slice(0, -1), `${name.slice(0, 1)}${name.slice(2)}`]
    const api = harness()
    for (const misspelt of given) {
      const { status, body } = await api.get(`${request}?${encodeURIComponent(misspelt)}=5`)
      const detail = (body.detail as { type: string; msg: string }[]).find(({ type }) => type === 'extra_forbidden')
      expect([misspelt, status, detail?.msg]).toEqual([misspelt, 422, expect.stringContaining(`did you mean ${name}?`)])
    }
  })
})

test('one refusal lists everything that is wrong; form goes before content', async () => {
  const { status, body } = await given().get('/v1/launches/recent?limt=5&limit=0')
  expect([status, body.detail.map(({ type }: { type: string }) => type)]).toEqual([422, ['greater_than_equal', 'extra_forbidden']])
  const forged = await given().get(`/v1/check/mint/${MINT}?cursor=forged&corsor=x`)
  expect(forged.status).toBe(422)
})

test('echoes only a few of thousands of names', async () => {
  const query = Array.from({ length: 400 }, (_, n) => `a${n}=`).join('&')
  const { status, text } = await given().get(`/v1/rugs/recent?${query}`)
  expect([status, text.length < 5_000]).toEqual([422, true])
})

test('free routes ignore unknown parameters', async () => {
  expect((await given().get('/health?utm_source=x')).status).toBe(200)
})
