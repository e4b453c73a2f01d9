// What holds for every route: methods, preflights, HEAD, bare paths, and misspelt names.

import supertest from 'supertest'
import { questions } from '../../query-api/app/list/questions.ts'
import { PAGE_PATHS } from '../../query-api/pages/mount.ts'
import { MCP_PATH } from '../../query-api/questions/limits.ts'
import { STREAM_PATH } from '../../query-api/stream/mount.ts'
import { keyText } from '../../schemas/keys.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { oddsValue } from '../fakes/set-odds-history.ts'
import { CURVE_CONTRACT } from '../fixtures/curve-market.ts'
import { fillMarket } from '../fixtures/page-market.ts'
import { base58, findingOf, key, liveState } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const MINT = base58(77)
const given = () => {
  const api = harness({ history: new SetHistory() })
  fillMarket(api.view)
  api.view.put(key(77), liveState())
  return api
}
/** The id of a finding too young to be shown: the answer does not depend on whether it exists. */
const FINDING = findingOf('creator_sold', MINT)
const CURVE = keyText(CURVE_CONTRACT)
const requestOf = ({ example }: { readonly example: string }): string =>
  example
    .replace('{finding_id}', FINDING)
    .replace('{curve}', CURVE)
    .replace('{odds_id}', encodeURIComponent(oddsValue().id))
    .replaceAll(/\{\w+\}/g, MINT)

const PAID = questions.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0)
const FREE = questions.filter(({ priceMicroUsdc }) => priceMicroUsdc === 0)
const READABLE = [...new Set([...questions.map((one) => requestOf(one).split('?')[0] ?? ''), ...PAGE_PATHS, STREAM_PATH, '/ready'])]
const BARE = PAID.filter(({ path }) => path.endsWith('}')).map(({ path }) => [path.slice(0, path.lastIndexOf('/')), path] as const)

describe('methods', () => {
  const api = given()
  const other = (['post', 'put', 'delete', 'patch'] as const).flatMap((method) => READABLE.map((path) => [method, path] as const))
  test.each(other)('%s %s is a 405 with Allow', async (method, path) => {
    const { status, headers, body } = await supertest(api.app.callback())[method](path).set('payment-signature', 'paid')
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(body).toEqual({ ok: false, error: 'method_not_allowed', hint: expect.stringContaining('GET and HEAD') })
    expect(api.gate.calls).toEqual([])
  })
  test.each(['get', 'put', 'delete', 'patch'] as const)('%s of MCP is a 405 that names POST', async (method) => {
    const { status, headers, body } = await supertest(api.app.callback())[method](MCP_PATH)
    expect([status, headers.allow, body.error]).toEqual([405, 'POST, OPTIONS', 'method_not_allowed'])
  })
  test.each([...READABLE, MCP_PATH])('OPTIONS of %s names its methods', async (path) => {
    const { status, headers, text } = await api.options(path)
    expect([status, headers.allow, text]).toEqual([204, path === MCP_PATH ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS', ''])
  })
})

describe('preflights', () => {
  const api = given()
  test.each([...READABLE, MCP_PATH])('of %s allow pages of other origins, and do not reach the payment gate', async (path) => {
    const { status, headers, text } = await api
      .options(path)
      .set('Origin', 'https://shop.example')
      .set('Access-Control-Request-Method', path === MCP_PATH ? 'POST' : 'GET')
      .set('Access-Control-Request-Headers', 'payment-signature')
    expect([status, text, headers['access-control-allow-origin']]).toEqual([204, '', '*'])
    expect(headers['access-control-allow-headers']).toContain('PAYMENT-SIGNATURE')
    expect(api.gate.calls).toEqual([])
  })
})

describe('HEAD', () => {
  test.each(FREE.map(requestOf))('of %s equals GET without the body', async (path) => {
    const api = given()
    const [head, whole] = [await api.head(path), await api.get(path)]
    expect([head.status, head.text ?? '']).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'cache-control', 'etag']) expect(head.headers[name]).toBe(whole.headers[name])
  })
  test.each(PAID.map(requestOf))('of %s states the price, runs nothing and settles nothing, even with a payment', async (path) => {
    const api = given()
    const head = await api.head(path).set('payment-signature', 'paid')
    const asked = await api.get(path)
    expect([head.status, head.text ?? '', head.headers['payment-required']]).toEqual([402, '', asked.headers['payment-required']])
    expect(api.gate.calls.map(({ kind }) => kind)).toEqual(['asked', 'asked'])
  })
})

describe('free routes', () => {
  test.each(FREE.map(requestOf))('%s is free, and answers', async (path) => {
    const api = given()
    const { status, headers } = await api.get(path)
    expect([status, headers['payment-required']]).toEqual([200, undefined])
    // Some free routes list the terms of all routes, for which they request quotes from the gate.
    expect(api.gate.calls.filter(({ kind }) => kind !== 'quoted')).toEqual([])
  })
})

describe('bare paths', () => {
  test('exist for each paid route that takes an address', () => {
    expect(BARE.map(([bare]) => bare)).toEqual([
      '/v1/mint',
      '/v1/creator',
      '/v1/wallet',
      '/v1/cohort/mint',
      '/v1/check/mint',
      '/v1/alt/curve',
    ])
  })
  test.each(BARE)('a bare probe of %s gets the 402 of %s, also while stores restore, and reads no view', async (bare, path) => {
    const api = given()
    api.view.setStatus({ ready: false })
    const placeholder = path.slice(path.lastIndexOf('/') + 1)
    const asRouter = `:${placeholder.slice(1, -1)}`
    for (const probe of [bare, `${bare}/`, path, `${bare}/${encodeURIComponent(placeholder)}`, `${bare}/${asRouter}`]) {
      const { status, headers } = await api.get(probe)
      expect([probe, status, headers['payment-required'] !== undefined]).toEqual([probe, 402, true])
    }
    expect((await api.head(bare)).status).toBe(402)
    expect(api.gate.calls).toEqual(Array.from({ length: 6 }, () => ({ kind: 'quoted', path })))
    expect(api.view.reads).toBe(0)
  })
})

describe('a misspelt path', () => {
  const api = given()
  const wrong = questions
    .filter(({ path }) => path.length > 4)
    .map((one) => [misspelt(requestOf(one).split('?')[0] ?? ''), one.path] as const)
  test.each(wrong)('%s suggests %s', async (asked, path) => {
    const { status, body } = await api.get(asked)
    expect(status).toBe(404)
    expect(body).toEqual({ ok: false, error: 'unknown_path', hint: `did you mean ${path}? GET / lists all routes` })
  })
})

/** Replaces the last but one character of the part before an address with `~`. */
function misspelt(path: string): string {
  const stem = path.replace(FINDING, '').replace(MINT, '').replace(CURVE, '').replace(/\/$/, '')
  const at = stem.length - 2
  return `${stem.slice(0, at)}~${path.slice(at + 1)}`
}
