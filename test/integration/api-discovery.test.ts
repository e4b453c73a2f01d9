// Documents about the service: all generated from the list of questions, so they cannot disagree.
import { readFile } from 'node:fs/promises'
import { solana } from '../../processors/chains/solana/chain.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { questions } from '../../query-api/app/list/questions.ts'
import { exampleOf } from '../../query-api/discovery/examples.ts'
import { documentBytesMax } from '../../query-api/discovery/limits.ts'
import { STREAM } from '../../query-api/stream/facts.ts'
import { parseFindingId } from '../../schemas/position.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { answerNames, components } from '../shipped.ts'
import { generated } from '../tools/documents/generated.ts'
import { componentOf, faultsAs } from '../tools/shapes/check.ts'
import { base58, key, liveState } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

type Json = Readonly<Record<string, unknown>>
interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Json }[]
  readonly responses: Json
  readonly 'x-payment-info'?: { readonly price: { readonly amount: string } }
}
interface OpenApi {
  readonly openapi: string
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: Readonly<Record<'schemas' | 'responses' | 'headers', Json>>
}

const api = harness({ history: new SetHistory() })
const PAID = questions.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0)
const TEXTS = ['/llms.txt', '/llms-full.txt', '/robots.txt', '/terms']
const CARDS = [
  ...['/.well-known/agent-card.json', '/.well-known/agent.json', '/mcp/server-card', '/.well-known/mcp/server-card.json'],
  ...['/.well-known/ai-catalog.json', '/.well-known/mcp/catalog.json'],
]
const DOCUMENTS = ['/openapi.json', ...CARDS, ...TEXTS]

describe('/openapi.json', () => {
  let document: OpenApi
  beforeAll(async () => {
    document = (await api.get('/openapi.json')).body as OpenApi
  })
  const operations = (): readonly [string, Operation][] =>
    Object.entries(document.paths).flatMap(([path, { get }]) => (path === STREAM.path ? [] : [[path, get]]))

  test('has every question, under a unique name', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toEqual([...questions.map(({ path }) => path), STREAM.path])
    const names = operations().map(([, { operationId }]) => operationId)
    expect(new Set(names).size).toBe(names.length)
  })
  test('has every parameter with its bounds', () => {
    for (const [path, { parameters }] of operations()) {
      const { params = {} } = questions.find((question) => question.path === path) ?? {}
      expect(parameters.map(({ name }) => name)).toEqual(Object.keys(params))
      for (const { name, schema, required } of parameters) {
        expect({ ...schema, description: params[name]?.schema.description }).toEqual(params[name]?.schema)
        expect(required).toBe(params[name]?.fallback === undefined)
      }
    }
  })
  test('names prices and 402 where there is a price, and nowhere else', () => {
    for (const { path, priceMicroUsdc } of questions) {
      const { get } = document.paths[path] ?? {}
      expect(Number(get?.['x-payment-info']?.price.amount ?? 0)).toBeCloseTo(priceMicroUsdc / 1e6, 9)
      expect('402' in (get?.responses ?? {})).toBe(priceMicroUsdc > 0)
    }
  })
  test('names every status that any request may get', () => {
    for (const { get } of Object.values(document.paths))
      expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['200', '413', '414', '429', '431', '500', '503']))
  })
  test('names the license and every used tag; arrays declare their items, and required fields are declared', () => {
    const { info, tags, paths } = document as unknown as {
      info: Json
      tags: { name: string }[]
      paths: Record<string, { get: { tags: string[] } }>
    }
    expect(info.license).toMatchObject({ name: 'MIT' })
    const used = new Set(Object.values(paths).flatMap(({ get }) => get.tags))
    expect(tags.map(({ name }) => name).sort()).toEqual([...used].sort())
    const faults = schemasIn(document.components.schemas).flatMap(({ type, items, required = [], properties = {} }) => [
      ...([type].flat().includes('array') && items === undefined ? ['an array without items'] : []),
      ...required.filter((name) => !(name in properties)),
    ])
    expect(faults).toEqual([])
  })
  test('every reference within it resolves', () => {
    const text = JSON.stringify(document)
    for (const [, kind, name] of text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g))
      expect(document.components[kind as 'schemas']).toHaveProperty(name ?? '')
  })
  test('stays within its budget on a server with a long address', async () => {
    const long = harness({ history: new SetHistory(), baseUrl: `https://${'a'.repeat(24)}.example` })
    expect(Buffer.byteLength((await long.get('/openapi.json')).text)).toBeLessThan(documentBytesMax.openApi)
  })
})

describe('schemas', () => {
  test('exist for every question that is no document', () => {
    expect(Object.keys(answerNames).sort()).toEqual(
      questions
        .map(({ path }) => path)
        .filter((path) => !DOCUMENTS.includes(path))
        .sort(),
    )
    for (const name of Object.values(answerNames)) expect(components).toHaveProperty(name)
  })
  test('catch a missing field or one of another type, at any depth', async () => {
    for (const path of ['/v1/mint/{mint}', '/v1/launches/recent', '/v1/check/mint/{mint}', '/v1/creator/{address}', '/v1/market/regime']) {
      const example = exampleOf(path, SHOWN)
      const paths = placesOf(example)
      expect(paths.length).toBeGreaterThan(20)
      const missed = paths.filter((place) => faultsAs(componentOf(path, 200), changed(example, place, { not: 'this' })).length === 0)
      expect(missed).toEqual([])
      const spared = paths.filter((place) => faultsAs(componentOf(path, 200), changed(example, place, undefined)).length === 0)
      expect(
        spared
          .map((place) => place.at(-1))
          .filter((name) => !/_reason$|^\d+$|^(sandbox|next|pool)$/.test(name ?? ''))
          .filter((name) => !OPTIONAL.has(name ?? '')),
      ).toEqual([])
    }
  })
})

interface Parts {
  readonly type?: string | readonly string[]
  readonly items?: Json
  readonly required?: readonly string[]
  readonly properties?: Json
}
/** Every schema in a value, including the value itself, that declares its type. */
const schemasIn = (value: unknown): readonly Parts[] => {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.values(value).flatMap(schemasIn)
  return 'type' in value && !isObject(value.type) ? [value as Parts, ...below] : below
}
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields that answers may omit. */
const OPTIONAL: ReadonlySet<string> = new Set(
  'n_insider_wallets insiders entities funder slot tx_index launches mint wallet watch check watchlist evidence rugs'.split(' '),
)

/** Paths to each value that is neither an object nor an array. */
const placesOf = (value: unknown, at: readonly string[] = []): readonly (readonly string[])[] => {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([name, child]) => placesOf(child, [...at, name]))
}

/** A copy with another value at one path; undefined removes it. */
const changed = (whole: unknown, path: readonly string[], value: unknown): unknown => {
  const copy = structuredClone(whole) as Record<string, unknown>
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>((object, name) => object[name] as Record<string, unknown>, copy)
  const last = path.at(-1) ?? ''
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

describe('generated files', () => {
  test.each(generated)('$file is current', async ({ file, make }) => {
    expect(await readFile(file, 'utf8')).toBe(await make())
  })
})

describe('lists for crawlers', () => {
  test('the catalog has every paid question with price, schema and example', async () => {
    const { body } = await api.get('/v1/x402/resources')
    expect(body.resources.map(({ path }: { path: string }) => path)).toEqual(PAID.map(({ path }) => path))
    for (const item of body.resources as Json[]) {
      expect(item).toMatchObject({
        method: 'GET',
        resource: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8402\/v1\//),
        price_usd: expect.any(Number),
      })
      expect(item.output_example).toMatchObject({ ok: true, data: expect.any(Object) })
      expect(item.mcp_resource).toBe(item.mcp_tool === null ? null : `http://127.0.0.1:8402/mcp#${item.mcp_tool}`)
    }
  })
  test('the manifest has the fields of the discovery draft and those that older crawlers read', async () => {
    const { body } = await api.get('/.well-known/x402')
    expect(body).toMatchObject({ x402Version: 2, kind: 'resource-server', version: '2.0', updated: expect.stringMatching(/^\d{4}-.*Z$/) })
    expect(body.resources).toHaveLength(PAID.length)
    for (const resource of body.resources as Json[])
      expect(resource).toMatchObject({ url: expect.any(String), method: 'GET', accepts: expect.any(Array) })
  })
})

const SHOWN = {
  ...{ baseUrl: 'https://shop.example', mint: base58(1), address: base58(2), curve: `0x${'02'.repeat(20)}` },
  ...{ finding_id: null, odds_id: null },
}

describe('examples', () => {
  const elsewhere = harness({ history: new SetHistory(), baseUrl: 'https://shop.example' })
  elsewhere.view.put(key(1), liveState())

  test('each answer example of the catalog matches its own schema', async () => {
    const { body } = await elsewhere.get('/v1/x402/resources')
    for (const { path, output_example } of body.resources)
      expect([path, faultsAs(componentOf(path, 200), output_example)]).toEqual([path, []])
  })
  test.each(['/openapi.json', '/v1/x402/resources', '/.well-known/x402', '/llms-full.txt', '/'])(
    'of a server at another base URL name no other base URL: %s',
    async (path) => {
      const { text } = await elsewhere.get(path)
      expect(text).toContain('https://shop.example')
      expect(text).not.toContain('127.0.0.1')
    },
  )
  test('have finding ids of shipped detectors', () => {
    const ids = JSON.stringify(questions.map(({ path }) => exampleOf(path, SHOWN))).match(/solana:[0-9.~]+@(?!\w+:odds:)[^"]+:[^"]+/g) ?? []
    expect(ids.length).toBeGreaterThan(3)
    const names = detectors.all.map(({ id }) => id)
    for (const id of ids) expect([id, names.includes(parseFindingId(id, solana.positions)?.detector ?? '')]).toEqual([id, true])
  })
})

describe('texts', () => {
  test.each(TEXTS)('%s is plain text', async (path) => {
    const { status, headers, text } = await api.get(path)
    expect([status, headers['content-type'], text.length > 40]).toEqual([200, 'text/plain; charset=utf-8', true])
  })
  test('language models get every path, tool and parameter', async () => {
    const [short, full] = await Promise.all(['/llms.txt', '/llms-full.txt'].map(async (path) => (await api.get(path)).text))
    for (const { path, tool, params } of questions) {
      expect(short).toContain(`GET ${path}`)
      if (tool !== null) expect(short).toContain(`tool ${tool})`)
      for (const name of Object.keys(params)) expect(full).toContain(`- ${name} (`)
    }
  })
})

describe('conditional requests', () => {
  test.each(DOCUMENTS)('get 304 for %s', async (path) => {
    const { headers } = await api.get(path)
    expect(headers['cache-control']).toBe('public, max-age=300')
    expect(headers.etag).toMatch(/^(W\/)?"/)
    expect((await api.get(path).set('If-None-Match', headers.etag ?? '')).status).toBe(304)
  })
})
