// Free documents about the service itself.
import {
  answerLlms,
  answerLlmsFull,
  answerManifest,
  answerOpenApi,
  answerResources,
  answerRobots,
  answerTerms,
} from '../discovery/answers.ts'
import type { Answered, Ask, Question } from '../question.ts'
import { question } from '../question.ts'
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
