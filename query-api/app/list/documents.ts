// Free documents about the service itself.
import { type Question, question } from '../../answers/question.ts'
import {
  AGENT_CARD_PATH,
  agentCard,
  aiCatalog,
  olderAgentCard,
  olderServerCard,
  SERVER_CARD_PATH,
  SERVER_CARD_TYPE,
  serverCard,
} from '../../discovery/agent-cards.ts'
import { manifestDocument, resourcesDocument } from '../../discovery/catalog.ts'
import { each, once } from '../../discovery/documents.ts'
import { openApiDocument } from '../../discovery/open-api.ts'
import { llmsFullText, llmsText, robotsText, termsText } from '../../discovery/texts.ts'

const CATALOG = {
  mediaType: 'application/ai-catalog+json',
  description: 'Locations of the MCP server card and the agent card, for clients that know only the domain.',
  timeless: once(aiCatalog),
}
const TEXT = { mediaType: 'text/plain' }

const documents: readonly Parameters<typeof question>[0][] = [
  {
    path: '/v1/x402/resources',
    schema: 'CatalogAnswer',
    title: 'Catalog of paid resources',
    tool: 'catalog',
    description: 'Every paid resource with price, payment terms, input schema, output example and MCP tool, and the free resources.',
    timeless: each(resourcesDocument),
  },
  {
    path: '/.well-known/x402',
    schema: 'ManifestAnswer',
    title: 'Discovery manifest',
    description: 'The paid resources and their payment terms, for crawlers.',
    timeless: each(manifestDocument),
  },
  {
    path: '/openapi.json',
    title: 'OpenAPI description',
    description: 'Every route with parameters, statuses and an outline of its answer, with links to schemas and examples: OpenAPI 3.1.',
    timeless: once(openApiDocument),
  },
  {
    path: AGENT_CARD_PATH,
    title: 'Agent card',
    description: 'The skills of this service as an agent card (A2A 1.0).',
    timeless: once(agentCard),
  },
  {
    path: '/.well-known/agent.json',
    title: 'Agent card for older crawlers',
    description: 'The agent card in the format of A2A 0.3.',
    timeless: once(olderAgentCard),
  },
  {
    path: SERVER_CARD_PATH,
    mediaType: SERVER_CARD_TYPE,
    title: 'MCP server card',
    description: 'Identity and connection data of the MCP server.',
    timeless: once(serverCard),
  },
  {
    path: '/.well-known/mcp/server-card.json',
    title: 'MCP server card for older crawlers',
    description: 'The MCP server card at the path and with the fields of earlier proposals.',
    timeless: once(olderServerCard),
  },
  { ...CATALOG, path: '/.well-known/ai-catalog.json', title: 'AI catalog' },
  { ...CATALOG, path: '/.well-known/mcp/catalog.json', title: 'MCP catalog' },
  {
    ...TEXT,
    path: '/llms.txt',
    title: 'For language models',
    description: 'Summary of the service, as plain text for language models.',
    timeless: once(llmsText),
  },
  {
    ...TEXT,
    path: '/llms-full.txt',
    title: 'For language models, in full',
    description: 'Full description of the service, as plain text for language models.',
    timeless: once(llmsFullText),
  },
  { ...TEXT, path: '/robots.txt', title: 'For crawlers', description: 'What crawlers may read: everything.', timeless: once(robotsText) },
  { ...TEXT, path: '/terms', title: 'Terms of use', description: 'Terms of use, as plain text.', timeless: once(termsText) },
]

export const documentQuestions: readonly Question[] = documents.map((entry) => question({ ...entry, isBare: true }))
