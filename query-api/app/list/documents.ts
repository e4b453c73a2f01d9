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
  description: 'Where the MCP server card and the agent card are, for clients that know only the domain.',
  answer: once(aiCatalog),
}
const TEXT = { mediaType: 'text/plain' }

const documents: readonly Omit<Parameters<typeof question>[0], 'isBare'>[] = [
  {
    path: '/v1/x402/resources',
    schema: 'CatalogAnswer',
    title: 'Catalog of what is sold',
    tool: 'catalog',
    description: 'Every paid resource with price, payment terms, input schema, output example and MCP tool; the free ones beside them.',
    answer: each(resourcesDocument),
  },
  {
    path: '/.well-known/x402',
    schema: 'ManifestAnswer',
    title: 'Discovery manifest',
    description: 'What is sold here and on what terms, for crawlers.',
    answer: each(manifestDocument),
  },
  {
    path: '/openapi.json',
    title: 'OpenAPI description',
    description: 'Every route with parameters, schemas, statuses and examples: OpenAPI 3.1.',
    answer: once(openApiDocument),
  },
  {
    path: AGENT_CARD_PATH,
    title: 'Agent card',
    description: 'What an agent finds here, skill by skill, as an agent card (A2A 1.0).',
    answer: once(agentCard),
  },
  {
    path: '/.well-known/agent.json',
    title: 'Agent card of older crawlers',
    description: 'The agent card in the shape of A2A 0.3.',
    answer: once(olderAgentCard),
  },
  {
    path: SERVER_CARD_PATH,
    mediaType: SERVER_CARD_TYPE,
    title: 'MCP server card',
    description: 'Who the MCP server is and how to connect, before connecting.',
    answer: once(serverCard),
  },
  {
    path: '/.well-known/mcp/server-card.json',
    title: 'MCP server card of older crawlers',
    description: 'The MCP server card where earlier proposals look for it, with their fields.',
    answer: once(olderServerCard),
  },
  { ...CATALOG, path: '/.well-known/ai-catalog.json', title: 'AI catalog' },
  { ...CATALOG, path: '/.well-known/mcp/catalog.json', title: 'MCP catalog' },
  {
    ...TEXT,
    path: '/llms.txt',
    title: 'For language models',
    description: 'The service in short, as plain text for language models.',
    answer: once(llmsText),
  },
  {
    ...TEXT,
    path: '/llms-full.txt',
    title: 'For language models, in full',
    description: 'The service in full, as plain text for language models.',
    answer: once(llmsFullText),
  },
  { ...TEXT, path: '/robots.txt', title: 'For crawlers', description: 'What crawlers may read: everything.', answer: once(robotsText) },
  { ...TEXT, path: '/terms', title: 'Terms of use', description: 'Terms of use, as plain text.', answer: once(termsText) },
]

export const documentQuestions: readonly Question[] = documents.map((entry) => question({ ...entry, isBare: true }))
