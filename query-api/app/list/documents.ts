// Free documents about the service itself.

import type { Answered, Ask, Question } from '../../answers/question.ts'
import { question } from '../../answers/question.ts'
import { AGENT_CARD_PATH, SERVER_CARD_PATH } from '../../discovery/agent-cards.ts'
import {
  answerAgentCard,
  answerAiCatalog,
  answerLlms,
  answerLlmsFull,
  answerManifest,
  answerOlderAgentCard,
  answerOlderServerCard,
  answerOpenApi,
  answerResources,
  answerRobots,
  answerServerCard,
  answerTerms,
} from '../../discovery/answers.ts'
import { FEED_LAG_S_MAX, NO_SUBJECT, UNTIMED } from './shared.ts'

interface Document {
  readonly path: string
  readonly title: string
  readonly description: string
  readonly tool?: string
}

const documentOf = ({ path, title, description, tool = '' }: Document, answer: (input: object, ask: Ask) => Answered): Question =>
  question(
    {
      path,
      tool: tool === '' ? null : tool,
      title,
      description,
      priceMicroUsdc: 0,
      params: {},
      coverageRule: NO_SUBJECT,
      feedLagSMax: FEED_LAG_S_MAX,
      isBare: true,
      typical: UNTIMED,
      example: path,
    },
    answer,
  )

export const documentQuestions: readonly Question[] = [
  documentOf(
    {
      path: '/v1/x402/resources',
      title: 'Catalog of what is sold',
      tool: 'catalog',
      description: 'Every paid resource with price, payment terms, input schema, output example and MCP tool; the free ones beside them.',
    },
    answerResources,
  ),
  documentOf(
    { path: '/.well-known/x402', title: 'Discovery manifest', description: 'What is sold here and on what terms, for crawlers.' },
    answerManifest,
  ),
  documentOf(
    {
      path: '/openapi.json',
      title: 'OpenAPI description',
      description: 'Every route with parameters, schemas, statuses and examples: OpenAPI 3.1.',
    },
    answerOpenApi,
  ),
  documentOf(
    { path: AGENT_CARD_PATH, title: 'Agent card', description: 'What an agent finds here, skill by skill, as an agent card (A2A 1.0).' },
    answerAgentCard,
  ),
  documentOf(
    { path: '/.well-known/agent.json', title: 'Agent card of older crawlers', description: 'The agent card in the shape of A2A 0.3.' },
    answerOlderAgentCard,
  ),
  documentOf(
    { path: SERVER_CARD_PATH, title: 'MCP server card', description: 'Who the MCP server is and how to connect, before connecting.' },
    answerServerCard,
  ),
  documentOf(
    {
      path: '/.well-known/mcp/server-card.json',
      title: 'MCP server card of older crawlers',
      description: 'The MCP server card where earlier proposals look for it, with their fields.',
    },
    answerOlderServerCard,
  ),
  ...['/.well-known/ai-catalog.json', '/.well-known/mcp/catalog.json'].map((path, index) =>
    documentOf(
      {
        path,
        title: index === 0 ? 'AI catalog' : 'MCP catalog',
        description: 'Where the MCP server card and the agent card are, for clients that know only the domain.',
      },
      answerAiCatalog,
    ),
  ),
  documentOf(
    { path: '/llms.txt', title: 'For language models', description: 'The service in short, as plain text for language models.' },
    answerLlms,
  ),
  documentOf(
    {
      path: '/llms-full.txt',
      title: 'For language models, in full',
      description: 'The service in full, as plain text for language models.',
    },
    answerLlmsFull,
  ),
  documentOf({ path: '/robots.txt', title: 'For crawlers', description: 'What crawlers may read: everything.' }, answerRobots),
  documentOf({ path: '/terms', title: 'Terms of use', description: 'Terms of use, as plain text.' }, answerTerms),
]
