// Discovery cards for crawlers and clients: the agent card (A2A), the MCP server card, and a catalog of both.

import type { Service } from '../answers/service.ts'
import { MCP_PATH, MCP_REVISIONS } from '../questions/limits.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { DESCRIPTION } from './catalog.ts'
import { requestOf, shownOf } from './shown.ts'

export const AGENT_CARD_PATH = '/.well-known/agent-card.json'
export const SERVER_CARD_PATH = `${MCP_PATH}/server-card`
/** Media types of the two cards in the catalog. */
export const SERVER_CARD_TYPE = 'application/mcp-server-card+json'
const AGENT_CARD_TYPE = 'application/a2a-agent-card+json'

const TITLE = 'mintfold: observed evidence about token launches'
/** At most 100 characters, the limit of server cards. */
const SHORT = 'Observed risk evidence about token launches; paid per call with x402, some tools are free.'
const JSON_MODE = ['application/json'] as const

const mcpUrl = ({ options: { baseUrl } }: Service): string => baseUrl + MCP_PATH

const skillOf = (service: Service, facts: QuestionFacts, id: string) => {
  const price = service.priceUsd(facts)
  return {
    id,
    name: facts.title,
    description: `${facts.description} ${price === 0 ? 'Free.' : `${price} USD per call.`}`,
    tags: [price === 0 ? 'free' : 'paid', 'token-launches', 'mcp'],
    examples: [`GET ${requestOf(facts, shownOf(service)) ?? facts.example}`],
  }
}

const sharedByCards = (service: Service) => ({
  name: 'mintfold',
  description: `${DESCRIPTION} Uses MCP and HTTP, not A2A messages: each skill is the MCP tool of the same name.`,
  version: service.options.version,
  documentationUrl: `${service.options.baseUrl}/llms.txt`,
  iconUrl: `${service.options.baseUrl}/page/icon.svg`,
  defaultInputModes: JSON_MODE,
  defaultOutputModes: JSON_MODE,
  skills: service.options.questions.flatMap((facts) => (facts.tool === null ? [] : [skillOf(service, facts, facts.tool)])),
})

/** A2A 1.0. */
export const agentCard = (service: Service) => ({
  ...sharedByCards(service),
  supportedInterfaces: MCP_REVISIONS.map((protocolVersion) => ({ url: mcpUrl(service), protocolBinding: 'MCP', protocolVersion })),
  capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
})

/** A2A 0.3 and before, for crawlers that request the older path. */
export const olderAgentCard = (service: Service) => ({
  ...sharedByCards(service),
  protocolVersion: '0.3.0',
  url: mcpUrl(service),
  preferredTransport: 'MCP',
  capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
})

/** SEP-2127: identity and connection only; clients ask the server itself for its tools. */
export const serverCard = (service: Service) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: `${hostOf(service).split('.').reverse().join('.')}/mintfold`,
  version: service.options.version,
  title: TITLE,
  description: SHORT,
  websiteUrl: service.options.baseUrl,
  icons: [{ src: `${service.options.baseUrl}/page/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
  remotes: [{ type: 'streamable-http', url: mcpUrl(service), supportedProtocolVersions: MCP_REVISIONS }],
})

/** The server card with the fields of the older proposal (SEP-1649). */
export const olderServerCard = (service: Service) => ({
  ...serverCard(service),
  serverInfo: { name: 'mintfold', title: TITLE, version: service.options.version },
  protocolVersion: MCP_REVISIONS[0],
  transport: { type: 'streamable-http', endpoint: MCP_PATH },
  capabilities: { tools: {}, prompts: {}, resources: {} },
  authentication: { required: false, schemes: [] },
})

/** AI Catalog 1.0. */
export const aiCatalog = (service: Service) => {
  const { baseUrl } = service.options
  const identifier = `urn:air:${hostOf(service)}`
  return {
    specVersion: '1.0',
    host: { displayName: 'mintfold', documentationUrl: `${baseUrl}/llms.txt` },
    entries: [
      {
        identifier: `${identifier}:mintfold`,
        displayName: TITLE,
        type: SERVER_CARD_TYPE,
        url: baseUrl + SERVER_CARD_PATH,
        description: SHORT,
      },
      {
        identifier: `${identifier}:agent:mintfold`,
        displayName: TITLE,
        type: AGENT_CARD_TYPE,
        url: baseUrl + AGENT_CARD_PATH,
        description: SHORT,
      },
    ],
  }
}

/** The host name, or `localhost` for IP addresses, which have no reverse-domain name. */
const hostOf = ({ options: { baseUrl } }: Service): string => {
  const { hostname } = new URL(baseUrl)
  return /^[a-z0-9.-]*[a-z][a-z0-9.-]*$/i.test(hostname) ? hostname : 'localhost'
}
