// Cards for crawlers and clients that know only the address: they match what is served.
import { createServer } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { questions } from '../../query-api/app/list/questions.ts'
import { startLocal } from '../tools/local-server.ts'
import { harness } from './api-harness.ts'

type Json = Readonly<Record<string, unknown>>
const BASE = 'https://evidence.example.org'
const api = harness({ baseUrl: BASE })
const at = async (path: string): Promise<Json> => (await api.get(path)).body as Json
/** Size limit of agent registries. */
const AGENT_CARD_BYTES_MAX = 10_000

describe('the server card', () => {
  test('has what SEP-2127 allows, and nothing else', async () => {
    const { body, headers } = await api.get('/mcp/server-card')
    expect(headers['content-type']).toBe('application/mcp-server-card+json')
    const allowed = '$schema name version title description websiteUrl repository icons remotes _meta'.split(' ')
    expect(Object.keys(body as Json).filter((name) => !allowed.includes(name))).toEqual([])
    const { name, description, title } = body as Record<'name' | 'description' | 'title', string>
    expect(name).toBe('org.example.evidence/mintfold')
    expect([description.length <= 100, title.length <= 100]).toEqual([true, true])
  })
  test('names the service’s address and the protocol revisions that it supports', async () => {
    const { url, close } = await startLocal(createServer(harness().app.callback()))
    const { remotes, version } = (await at('/mcp/server-card')) as {
      remotes: { url: string; supportedProtocolVersions: string[] }[]
      version: string
    }
    expect(remotes.map(({ url: remote }) => remote)).toEqual([`${BASE}/mcp`])
    for (const revision of remotes[0]?.supportedProtocolVersions ?? []) {
      const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision }
      const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } })
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
      expect([client.getNegotiatedProtocolVersion(), client.getServerVersion()?.version]).toEqual([revision, version])
      await client.close()
    }
    await close()
  })
  test('also has the fields of the older proposal, at their older path', async () => {
    expect(await at('/.well-known/mcp/server-card.json')).toMatchObject({
      ...(await at('/mcp/server-card')),
      serverInfo: { name: 'mintfold', version: '0.1.0' },
      transport: { type: 'streamable-http', endpoint: '/mcp' },
      authentication: { required: false },
    })
  })
  test.each([
    ['http://127.0.0.1:8402', 'localhost/mintfold'],
    ['http://[::1]:8402', 'localhost/mintfold'],
    ['http://localhost:8402', 'localhost/mintfold'],
  ])('of %s is named %s', async (baseUrl, name) => {
    expect((await harness({ baseUrl }).get('/mcp/server-card')).body).toMatchObject({ name })
  })
})

describe('the agent card', () => {
  test('has a skill for each tool, with its price, and stays small', async () => {
    const { skills, ...card } = (await at('/.well-known/agent-card.json')) as { skills: Record<string, string>[] }
    expect(skills.map(({ id }) => id)).toEqual(questions.flatMap(({ tool }) => tool ?? []))
    expect(skills.find(({ id }) => id === 'mint_risk_card')).toMatchObject({
      description: expect.stringContaining('0.025 USD per call'),
      tags: expect.arrayContaining(['paid']),
    })
    for (const name of ['name', 'description', 'version', 'supportedInterfaces', 'capabilities', 'defaultInputModes', 'defaultOutputModes'])
      expect(card).toHaveProperty(name)
    expect(JSON.stringify({ skills, ...card }).length).toBeLessThan(AGENT_CARD_BYTES_MAX)
  })
  test('declares MCP as the protocol in both shapes', async () => {
    expect(await at('/.well-known/agent-card.json')).toMatchObject({
      supportedInterfaces: [{ url: `${BASE}/mcp`, protocolBinding: 'MCP' }, {}],
    })
    expect(await at('/.well-known/agent-card.json')).not.toHaveProperty('url')
    expect(await at('/.well-known/agent.json')).toMatchObject({ url: `${BASE}/mcp`, preferredTransport: 'MCP', protocolVersion: '0.3.0' })
  })
})

describe('the catalog', () => {
  test.each(['/.well-known/ai-catalog.json', '/.well-known/mcp/catalog.json'])(
    '%s leads to cards of the types that it names',
    async (path) => {
      const { specVersion, entries } = (await at(path)) as {
        specVersion: string
        entries: { url: string; type: string; identifier: string }[]
      }
      expect([specVersion, entries.length]).toEqual(['1.0', 2])
      for (const { url, type, identifier } of entries) {
        expect(identifier).toMatch(/^urn:air:evidence\.example\.org:/)
        const { status, headers } = await api.get(url.slice(BASE.length))
        expect(status).toBe(200)
        expect([type, 'application/json; charset=utf-8']).toContain(headers['content-type'])
      }
    },
  )
  test('is readable by pages of other origins', async () => {
    const { headers } = await api.get('/.well-known/ai-catalog.json').set('Origin', 'https://agent.example')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['cache-control']).toBe('public, max-age=300')
  })
})
