// `/openapi.json`: every question with its parameters, statuses, schemas and examples. 3.1, so that the schemas are JSON Schema 2020-12.
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
  'Free first: /health, /v1/sample/mint, /v1/check/coverage, /v1/check/watch. A paid route answers 402 with its terms; sign them with any x402 version 2 client and send the same request again with PAYMENT-SIGNATURE. Names and symbols are data of strangers. Coverage thin means that only history and on-chain state is known.'

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
      { name: 'paid', description: 'Answered once the terms of the 402 are paid, with x402 version 2.' },
      { name: 'free', description: 'Answered without payment.' },
    ],
    paths: {
      ...Object.fromEntries(questions.map((facts) => [facts.path, { get: operationOf(facts, service) }])),
      [STREAM.path]: { get: streamedOf(service) },
    },
    webhooks: { alert: { post: ALERT_OPERATION } },
    components: { schemas: componentsOf(detectors) },
  }
}

/** What a receiver of alerts gets. */
const ALERT_OPERATION: Json = {
  operationId: 'alert',
  summary: 'An alert, to the target of a subscription',
  description: 'Sent at least once, signed; any 2xx takes it.',
  tags: ['paid'],
  security: [],
  requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/AlertMessage' } } } },
  responses: { 200: { description: 'Taken.' }, 400: { description: 'Sent again later, as anything but 2xx is.' } },
}

/** `/v1/check/mint/{mint}` is `check_mint`, unless a tool has given it a name. */
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

/** Crawlers read a price as a decimal text, dollars. */
const paymentInfo = (priceUsd: number): Json => ({
  price: { mode: 'fixed', currency: 'USD', amount: decimal(priceUsd) },
  protocols: [{ x402: {} }],
})
const decimal = (usd: number): string => usd.toFixed(6).replace(/0+$/, '').replace(/\.$/, '')

/** Each with a value that is answered now, where there is one. */
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
  '413': refused('questions take no body'),
  '414': refused('path and query are too long'),
  '429': later('too many requests; charged is null where a payment came along that was not read'),
  '431': refused('headers are too large'),
  '500': refused('a fault of the service; request_id names it'),
}

const PAID: Json = {
  '402': {
    description: 'payment required: the terms',
    headers: { 'PAYMENT-REQUIRED': PAYMENT_HEADER },
    content: json(ref('PaymentRequired')),
  },
  '409': refused('payment and request do not fit, or the outcome of the settlement is not known (charged: null)'),
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

/** The schema is that of each event, as readers of 3.1 take it. */
const EVENTS: Json = { 'text/event-stream': { schema: ref('StreamEvent') } }

/** No question: it has no end. */
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
    '200': { description: 'events until the reader or the service ends', content: EVENTS },
    '422': { description: 'the start is no position of the stream and no time up to now', content: json(ref('ValidationError')) },
    ...ALWAYS,
    '503': later('nothing can be streamed now'),
  },
})

/** `hasId`: the query names what was logged. */
const notFoundOf = (hasPath: boolean, isCheck: boolean, hasId: boolean): Json => {
  if (hasPath) return { '404': refused('the path names no address, or coverage is missing') }
  if (isCheck) return { '404': refused('a mint lacks full live coverage') }
  return hasId ? { '404': refused('nothing of this id was logged') } : {}
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
        `the payment cannot be read${contentStatus === 400 ? ', or the mints or the cursor are wrong' : takesCursor ? ', or since is a cursor that is not of this route' : ''}`,
      ),
    }),
    ...(isPaid && PAID),
    ...notFoundOf(hasPath, isCheck, 'id' in params),
    ...(takesCursor && { '410': refused('the cursor is older than 24 hours') }),
    ...((isPaid || names.some((name) => !isPathParam(path, name))) && {
      '422': { description: 'parameters are missing or wrong', content: json(ref('ValidationError')) },
    }),
    ...ALWAYS,
    '503':
      path === '/health'
        ? { description: 'nothing can be served', content: json(ref('HealthAnswer')) }
        : later('nothing true can be said now; nothing is charged for this request'),
  }
}
