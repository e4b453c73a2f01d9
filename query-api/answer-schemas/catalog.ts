// Schemas of documents about the service: index, labels, and the lists of paid resources, which have no envelope.
import * as z from 'zod'
import { accepts } from './refusals.ts'
import { anyObject, boolean, dateTime, fields, milliseconds, path, seconds, text, usd } from './vocabulary.ts'

const GET = z.literal('GET')
const mcp = z.strictObject({ url: text, transport: z.literal('streamable-http') })
const offered = { resource: text, method: GET, path, title: text, description: text, mcp_tool: text.nullable() }

/** `/v1/x402/resources`. */
export const catalog = z.strictObject({
  ok: z.literal(true),
  schema_version: z.literal('2.0'),
  version: text,
  base_url: text,
  payment: z.strictObject({
    protocol: z.literal('x402'),
    x402_version: z.literal(2),
    scheme: z.literal('exact'),
    how: text,
    mcp: text,
    sandbox: boolean,
  }),
  resources: z.array(
    fields({
      ...offered,
      price_usd: usd,
      accepts,
      input_schema: anyObject,
      example: path,
      output_example: anyObject,
      mcp_resource: text.nullable(),
      coverage: text,
      max_feed_lag_s: seconds,
      typical_latency_ms: milliseconds.nullable(),
      typical_freshness_s: seconds.nullable(),
      typical_thin: fields({ latency_ms: milliseconds.nullable(), freshness_s: seconds.nullable() }).optional(),
    }),
  ),
  free: z.array(fields(offered)),
  mcp,
})

/** `/.well-known/x402`. */
export const manifest = z.strictObject({
  x402Version: z.literal(2),
  kind: z.literal('resource-server'),
  version: z.literal('2.0'),
  service_version: text,
  updated: dateTime,
  name: text,
  description: text,
  url: text,
  openapi: text,
  llms: text,
  terms: text,
  catalog: text,
  contact: text.optional().describe('e-mail address or URL of the operator'),
  mcp,
  receipt_keys: anyObject.optional(),
  resources: z.array(fields({ url: text, method: GET, description: text, price_usd: usd, mcp_tool: text.nullable(), accepts })),
})

/** `data` of `/`. */
export const index = z.strictObject({
  name: z.literal('mintfold'),
  what: text,
  version: text,
  base_url: text,
  how_to_start: z.array(text),
  questions: z.array(
    z.looseObject({
      method: GET,
      path,
      price_usd: usd,
      mcp_tool: text.nullable(),
      description: text,
      coverage: text,
      max_feed_lag_s: seconds,
      params: z.record(text, anyObject),
      example: text,
    }),
  ),
})

/** `data` of `/v1/labels`. */
export const labels = z
  .object({
    coverage: anyObject,
    status: anyObject,
    risk_label: anyObject,
    confidence: anyObject,
    rug_flags: anyObject,
    finality: anyObject,
    lifecycle: text,
    nulls: text,
    how_to_read: text,
    fields: z.record(text, z.union([text, z.record(text, text)])),
    errors: z.record(text, text),
  })
  .catchall(anyObject)
