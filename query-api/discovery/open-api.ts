// `/openapi.json`: every question with its parameters, statuses, schemas and examples. OpenAPI 3.1, whose schemas are JSON Schema 2020-12.
import { componentsOf } from '../answer-schemas/answers.ts'
import { ref, type Schema } from '../answer-schemas/json-schema.ts'
import { EVENT_ID_PATTERN } from '../answer-schemas/stream.ts'
import type { Service } from '../answers/service.ts'
import { isPathParam } from '../questions/input.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { STREAM } from '../stream/facts.ts'
import { DESCRIPTION } from './catalog.ts'
import { exampleOf } from './examples.ts'
import { inputOf, type Shown, shownFor, shownOf } from './shown.ts'

type Json = Readonly<Record<string, unknown>>

const GUIDANCE =
  'Free first: /health, /v1/sample/mint, /v1/check/coverage, /v1/check/watch. A paid route returns 402 with its terms; sign them with any x402 version 2 client and send the same request again with PAYMENT-SIGNATURE. Names and symbols are untrusted data. Coverage thin means that only history and on-chain state are known.'

export const openApiDocument = (service: Service): Json => {
  const { baseUrl, version, questions, detectors, contact } = service.options
  return {
    openapi: '3.1.0',
    info: {
      title: 'mintfold',
      version,
      summary: 'Observed evidence about token launches',
      description: DESCRIPTION,
      ...(contact !== undefined && { contact: { [contact.includes('://') ? 'url' : 'email']: contact } }),
      license: { name: 'MIT', identifier: 'MIT' },
      termsOfService: `${baseUrl}/terms`,
      'x-guidance': GUIDANCE,
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: 'paid', description: 'Answered after payment of the terms in the 402, with x402 version 2.' },
      { name: 'free', description: 'Answered without payment.' },
    ],
    paths: {
      ...Object.fromEntries(questions.map((facts) => [facts.path, { get: operationOf(facts, service) }])),
      [STREAM.path]: { get: streamedOf(service) },
    },
    webhooks: { alert: { post: ALERT_OPERATION }, alertChallenge: { post: CHALLENGE_OPERATION } },
    components: { schemas: componentsOf(detectors) },
  }
}

/** The webhook of alert receivers. */
const ALERT_OPERATION: Json = {
  operationId: 'alert',
  summary: 'An alert, sent to the target of a subscription',
  description: 'Delivered at least once, signed; any 2xx accepts it.',
  tags: ['paid'],
  security: [],
  requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/AlertMessage' } } } },
  responses: { 200: { description: 'Accepted.' }, 400: { description: 'Retried later, as after every status but 2xx.' } },
}

/** The challenge to a generic webhook, before it is sold. */
const CHALLENGE_OPERATION: Json = {
  operationId: 'alert_challenge',
  summary: 'A challenge, sent to a generic target before a subscription is sold',
  description: 'Sent once the payment is verified, unsigned. The sale is refused, without charge, unless the target returns it in time.',
  tags: ['paid'],
  security: [],
  requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/AlertChallenge' } } } },
  responses: {
    200: {
      description: 'The same challenge: the target wants the alerts.',
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/AlertChallenge' } },
        'text/plain': { schema: { type: 'string', description: 'the text of the challenge alone' } },
      },
    },
    400: { description: 'Refuses the alerts, as every answer without the challenge.' },
  },
}

/** The tool's name, else derived from the path: `/v1/check/mint/{mint}` is `check_mint`. */
const idOf = ({ path, tool }: QuestionFacts): string =>
  tool ??
  (path === '/'
    ? 'index'
    : path
        .replace(/^\/(v1\/|\.well-known\/)?/, '')
        .replaceAll(/\/?\{\w+\}/g, '')
        .replaceAll(/\W+/g, '_'))

const operationOf = (facts: QuestionFacts, service: Service): Json => {
  const isPaid = facts.priceMicroUsdc > 0
  return {
    operationId: idOf(facts),
    summary: facts.title,
    description: `${facts.description} Coverage: ${facts.coverageRule}.`,
    tags: [isPaid ? 'paid' : 'free'],
    security: [],
    parameters: parametersOf(facts, shownOf(service)),
    responses: responsesOf(facts, service),
    ...(isPaid && { 'x-payment-info': paymentInfo(service.priceUsd(facts)) }),
    'x-agentcash-guidance': { llmsTxtUrl: `${service.options.baseUrl}/llms.txt` },
  }
}

/** The price as decimal text in dollars, as crawlers read it. */
const paymentInfo = (priceUsd: number): Json => ({
  price: { mode: 'fixed', currency: 'USD', amount: decimal(priceUsd) },
  protocols: [{ x402: {} }],
})
const decimal = (usd: number): string => usd.toFixed(6).replace(/0+$/, '').replace(/\.$/, '')

/** Each with an example value that returns an answer now, if there is one. */
const parametersOf = (facts: Pick<QuestionFacts, 'path' | 'params' | 'example' | 'market'>, shown: Shown): readonly Json[] => {
  const { path, params } = facts
  const { query } = inputOf(facts, shown)
  return Object.entries(params).map(
    ([
      name,
      {
        schema: { description, ...schema },
        fallback,
      },
    ]) => {
      const inPath = isPathParam(path, name)
      const example = inPath ? shownFor(facts, name, shown) : fallback === undefined ? (query[name] ?? null) : null
      const required = inPath || fallback === undefined
      return { name, in: inPath ? 'path' : 'query', required, description, schema, ...(example !== null && { example }) }
    },
  )
}

const json = (schema: Schema, example?: Json): Json => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})
const refused = (description: string): Json => ({ description, content: json(ref('Refusal')) })
const RETRY_AFTER = { 'Retry-After': { description: 'seconds', schema: { type: 'integer', minimum: 0 } } }
const PAYMENT_HEADER = { description: 'base64 of the body', schema: { type: 'string' } }
const later = (description: string): Json => ({ ...refused(description), headers: RETRY_AFTER })

const ALWAYS: Json = {
  '413': refused('routes accept no body'),
  '414': refused('path and query are too long'),
  '429': later('too many requests; charged is null if the request had a payment, which was not read'),
  '431': refused('headers are too large'),
  '500': refused('internal error; request_id identifies it'),
}

const PAID: Json = {
  '402': {
    description: 'payment required: the terms',
    headers: { 'PAYMENT-REQUIRED': PAYMENT_HEADER },
    content: json(ref('PaymentRequired')),
  },
  '409': refused('the payment does not match the request, or the outcome of the settlement is not known (charged: null)'),
}

const okOf = ({ path, priceMicroUsdc, schema, mediaType = 'application/json' }: QuestionFacts, service: Service): Json => {
  if (schema === undefined)
    return {
      description: 'the document',
      content: { [mediaType]: { schema: { type: mediaType.startsWith('text/') ? 'string' : 'object' } } },
    }
  return {
    description: 'the answer',
    ...(priceMicroUsdc > 0 && { headers: { 'PAYMENT-RESPONSE': { description: 'base64 of the settlement', schema: { type: 'string' } } } }),
    content: json(ref(schema), exampleOf(path, shownOf(service))),
  }
}

/** The schema describes each event, as usual in OpenAPI 3.1. */
const EVENTS: Json = { 'text/event-stream': { schema: ref('StreamEvent') } }

/** The flag stream, which is not a question because it does not end. */
const streamedOf = (service: Service): Json => ({
  operationId: 'stream_flags',
  summary: STREAM.title,
  description: STREAM.description,
  tags: ['free'],
  security: [],
  parameters: [
    ...parametersOf(STREAM, shownOf(service)),
    ...Object.entries(STREAM.headers).map(([name, description]) => ({
      ...{ name, in: 'header', required: false, description },
      schema: { type: 'string', pattern: `^$|${EVENT_ID_PATTERN}` },
    })),
  ],
  responses: {
    '200': { description: 'events until the client or the service closes the stream', content: EVENTS },
    '422': { description: 'the start is neither a position of the stream nor a time up to now', content: json(ref('ValidationError')) },
    ...ALWAYS,
    '503': later('the stream is not available now'),
  },
})

/** @param hasId true if the query has the id of a logged value. */
const notFoundOf = (hasPath: boolean, isCheck: boolean, hasId: boolean): Json => {
  if (hasPath) return { '404': refused('the path parameter is not an address, or coverage is missing') }
  if (isCheck) return { '404': refused('a mint lacks full live coverage') }
  return hasId ? { '404': refused('no value with this id was logged') } : {}
}

const responsesOf = (facts: QuestionFacts, service: Service): Json => {
  const { path, params, priceMicroUsdc, contentStatus } = facts
  const names = Object.keys(params)
  const hasPath = names.some((name) => isPathParam(path, name))
  const isPaid = priceMicroUsdc > 0
  const isCheck = 'cursor' in params
  const takesCursor = isCheck || 'since' in params
  return {
    '200': okOf(facts, service),
    ...(isPaid && {
      '400': refused(
        `the payment cannot be decoded${contentStatus === 400 ? ', or the mints or the cursor are invalid' : takesCursor ? ', or since is not a cursor of this route' : ''}`,
      ),
    }),
    ...(isPaid && PAID),
    ...notFoundOf(hasPath, isCheck, 'id' in params),
    ...(takesCursor && { '410': refused('the cursor is older than 24 hours') }),
    ...((isPaid || names.some((name) => !isPathParam(path, name))) && {
      '422': { description: 'parameters are missing or invalid', content: json(ref('ValidationError')) },
    }),
    ...ALWAYS,
    '503':
      path === '/health'
        ? { description: 'no answer can be served', content: json(ref('HealthAnswer')) }
        : later('no valid answer is possible now; nothing is charged for this request'),
  }
}
