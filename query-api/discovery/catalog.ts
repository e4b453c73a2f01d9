// Machine-readable lists of paid and free resources: `/v1/x402/resources` (also the tool `catalog`) and `/.well-known/x402`.
import { explain } from '../../processors/mint/card/explain.ts'
import { SCHEMA_VERSION, type Service } from '../answers/service.ts'
import { MCP_PATH } from '../questions/limits.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { STREAM } from '../stream/facts.ts'
import { exampleOf } from './examples.ts'
import { inputOf, requestOf, shownOf } from './shown.ts'

export const DESCRIPTION =
  'Observed risk evidence about token launches on a bonding-curve launchpad: cards, lists, records of creators and wallets, compact checks. Read-only, no accounts, pay per request with x402 version 2.'

const paid = ({ options }: Service): readonly QuestionFacts[] => options.questions.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0)
const free = ({ options }: Service): readonly QuestionFacts[] => options.questions.filter(({ priceMicroUsdc }) => priceMicroUsdc === 0)
const urlOf = ({ options: { baseUrl } }: Service, path: string): string => baseUrl + path

/** The current terms; empty while there are none, and if payments are off. */
const acceptsOf = async (service: Service, facts: QuestionFacts) =>
  (await service.options.termsOf?.(facts, urlOf(service, inputOf(facts, shownOf(service)).path))) ?? []

const inputSchemaOf = ({ params }: QuestionFacts) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(params).map(([name, { schema }]) => [name, schema])),
  required: Object.entries(params).flatMap(([name, { fallback }]) => (fallback === undefined ? [name] : [])),
})

const NO_TOOL = 'there is no MCP tool for this'
/** The name of its MCP tool; null, with the reason, if it has none. */
export const toolPart = (tool: string | null) => explain({ mcp_tool: tool }, { mcp_tool: NO_TOOL })

const soldItem = async (service: Service, facts: QuestionFacts) => ({
  resource: urlOf(service, facts.path),
  method: 'GET',
  path: facts.path,
  title: facts.title,
  description: facts.description,
  price_usd: service.priceUsd(facts),
  accepts: await acceptsOf(service, facts),
  input_schema: inputSchemaOf(facts),
  example: requestOf(facts, shownOf(service)) ?? facts.example,
  output_example: exampleOf(facts.path, shownOf(service)) ?? {},
  ...toolPart(facts.tool),
  ...explain({ mcp_resource: facts.tool && `${urlOf(service, MCP_PATH)}#${facts.tool}` }, { mcp_resource: NO_TOOL }),
  coverage: facts.coverageRule,
  max_feed_lag_s: facts.feedLagSMax,
  ...typicalOf(facts),
})

const NOT_SPECIFIED = 'not specified'

/** Typical latency and freshness; for thin answers separately if they differ. */
export const typicalOf = ({ typical, typicalThin }: QuestionFacts) => ({
  ...explain(
    { typical_latency_ms: typical.latencyMs, typical_freshness_s: typical.freshnessS },
    { typical_latency_ms: NOT_SPECIFIED, typical_freshness_s: NOT_SPECIFIED },
  ),
  ...(typicalThin && { typical_thin: { latency_ms: typicalThin.latencyMs, freshness_s: typicalThin.freshnessS } }),
})

const freeItem = (
  service: Service,
  { path, title, description, tool, example }: Pick<QuestionFacts, 'path' | 'title' | 'description' | 'tool' | 'example'>,
) => ({
  // Clients request exactly these URLs, so each has its required parameters.
  resource: urlOf(service, requestOf({ example }, shownOf(service)) ?? example),
  method: 'GET',
  path,
  title,
  description,
  ...toolPart(tool),
})

const howToPay = (service: Service) => ({
  protocol: 'x402',
  x402_version: 2,
  scheme: 'exact',
  how: 'Send the request; the 402 has the terms (header PAYMENT-REQUIRED, base64 of the body). Sign accepts[0] and send the request again with the header PAYMENT-SIGNATURE; the 200 has the settlement in PAYMENT-RESPONSE. The identical request within 10 minutes returns the same answer and charges nothing.',
  mcp: 'Call the tool; an isError result has the terms. Call it again with the payment in params._meta["x402/payment"].',
  sandbox: service.options.sandbox,
})

/** `/v1/x402/resources`. */
export const resourcesDocument = async (service: Service) => ({
  ok: true,
  schema_version: SCHEMA_VERSION,
  version: service.options.version,
  base_url: service.options.baseUrl,
  payment: howToPay(service),
  resources: await Promise.all(paid(service).map((facts) => soldItem(service, facts))),
  free: [...free(service), { ...STREAM, tool: null }].map((facts) => freeItem(service, facts)),
  mcp: { url: urlOf(service, MCP_PATH), transport: 'streamable-http' },
})

/** `/.well-known/x402`: the fields of the DNS-discovery draft, and those that older crawlers read. */
export const manifestDocument = async (service: Service) => ({
  x402Version: 2,
  kind: 'resource-server',
  version: SCHEMA_VERSION,
  service_version: service.options.version,
  updated: new Date(service.startedAtMs).toISOString(),
  name: 'mintfold',
  description: DESCRIPTION,
  url: service.options.baseUrl,
  openapi: urlOf(service, '/openapi.json'),
  llms: urlOf(service, '/llms.txt'),
  terms: urlOf(service, '/terms'),
  catalog: urlOf(service, '/v1/x402/resources'),
  ...(service.options.contact !== undefined && { contact: service.options.contact }),
  mcp: { url: urlOf(service, MCP_PATH), transport: 'streamable-http' },
  // Receipts name their key only by its id; this document publishes the key.
  ...(service.options.receiptKeys && { receipt_keys: service.options.receiptKeys }),
  resources: await Promise.all(
    paid(service).map(async (facts) => ({
      url: urlOf(service, facts.path),
      method: 'GET',
      description: facts.description,
      price_usd: service.priceUsd(facts),
      ...toolPart(facts.tool),
      accepts: await acceptsOf(service, facts),
    })),
  ),
})
