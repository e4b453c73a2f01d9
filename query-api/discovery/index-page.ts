// The JSON index at `/`, generated from the list of questions.

import type { TimelessContext } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import type { Answer } from '../questions/bodies.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { STREAM } from '../stream/facts.ts'
import { toolPart } from './catalog.ts'
import { requestOf, shownOf } from './shown.ts'

export const answerIndex = (_input: object, { service, instant, facts }: TimelessContext): Answer => {
  const { baseUrl, version, questions } = service.options
  const data = {
    name: 'mintfold',
    what: 'Observed evidence about token launches, from raw blocks to a paid card. Read-only, no accounts, pay per request (x402 version 2).',
    version,
    base_url: baseUrl,
    how_to_start: [
      'GET /health',
      'GET /v1/labels',
      'GET /llms.txt for language models, /openapi.json for programs, POST /mcp for MCP clients',
      `GET ${STREAM.path} for flags as server-sent events, once they are 300 s old; ?after=POSITION or ?after=SECONDS starts after a flag or a time`,
      'GET /v1/launches/recent returns 402 with the terms; pay them and send the request again',
    ],
    questions: questions.map((question) => describe(question, service)),
  }
  return { status: 200, body: service.envelope(facts, instant, { coverage: 'full', data: JSON.stringify(data) }) }
}

/** The index entry of one question. */
const describe = (question: QuestionFacts, service: Service) => ({
  method: 'GET',
  path: question.path,
  price_usd: service.priceUsd(question),
  ...toolPart(question.tool),
  description: question.description,
  coverage: question.coverageRule,
  max_feed_lag_s: question.feedLagSMax,
  params: Object.fromEntries(Object.entries(question.params).map(([name, { schema }]) => [name, schema])),
  example: requestOf(question, shownOf(service)) ?? question.example,
})
