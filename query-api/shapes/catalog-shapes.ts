// The machine-readable lists of what is sold: they come without the envelope, as their readers expect.
import { acceptsShape } from './service-shapes.ts'
import { oneOf, type Schema, shapeOf, type Types } from './shape.ts'

const PATH: Schema = { type: 'string', pattern: '^/' }
const MCP: Types = { 'mcp.url': 'text', 'mcp.transport': oneOf('streamable-http') }
const at = (prefix: string, types: Types): Types => Object.fromEntries(Object.entries(types).map(([name, type]) => [prefix + name, type]))

const ENTRY: Types = {
  resource: 'text',
  method: oneOf('GET'),
  path: PATH,
  title: 'text',
  description: 'text',
  mcp_tool: 'text|null',
}

/** `/v1/x402/resources`. */
export const catalogShape = shapeOf({
  ok: oneOf(true),
  schema_version: oneOf('2.0'),
  version: 'text',
  base_url: 'text',
  ...at('payment.', {
    protocol: oneOf('x402'),
    x402_version: oneOf(2),
    scheme: oneOf('exact'),
    how: 'text',
    mcp: 'text',
    sandbox: 'boolean',
  }),
  ...at('resources[].', {
    ...ENTRY,
    price_usd: 'amount',
    accepts: acceptsShape,
    input_schema: { type: 'object' },
    example: PATH,
    output_example: { type: 'object' },
    mcp_resource: 'text|null',
    coverage: 'text',
    max_feed_lag_s: 'amount',
    typical_latency_ms: 'amount|null',
    typical_freshness_s: 'amount|null',
    'typical_thin?': shapeOf({ latency_ms: 'amount|null', freshness_s: 'amount|null' }),
  }),
  ...at('free[].', ENTRY),
  ...MCP,
})

/** `/.well-known/x402`. */
export const manifestShape = shapeOf({
  x402Version: oneOf(2),
  kind: oneOf('resource-server'),
  version: oneOf('2.0'),
  service_version: 'text',
  updated: { type: 'string', format: 'date-time' },
  name: 'text',
  description: 'text',
  url: 'text',
  openapi: 'text',
  llms: 'text',
  terms: 'text',
  catalog: 'text',
  ...MCP,
  'receipt_keys?': { type: 'object' },
  ...at('resources[].', {
    url: 'text',
    method: oneOf('GET'),
    description: 'text',
    price_usd: 'amount',
    mcp_tool: 'text|null',
    accepts: acceptsShape,
  }),
})
