// What surrounds the data, what the service says of itself, and how it refuses.
import { envelopeFields, healthFields } from '../labels/envelope-fields.ts'
import { oneOf, type Schema, shapeOf, type Types } from './shape.ts'

const ANY_OBJECT: Schema = { type: 'object' }

const metaTypes: Types = {
  'meta.source': 'text',
  'meta.version': 'text',
  'meta.feed_lag_s': 'amount|null',
  'meta.is_stale': 'boolean',
  'meta.last_slot': 'count|null',
  'meta.price_usd': 'amount',
  'meta.unpaid_reason?': 'text',
  'meta.next?': { type: 'object', additionalProperties: { type: 'string' } },
  'meta.labels': oneOf('/v1/labels'),
  'meta.disclaimer': 'text',
  'meta.max_feed_lag_s': 'amount',
  'meta.chain_lag_s': 'amount|null',
  'meta.slots_behind': 'count|null',
  'meta.tape_behind': 'boolean',
  'meta.delayed_s?': 'count',
  'meta.freshness_checked_at': 'time',
  'meta.feed_lag_at_generation_s': 'amount|null',
  'meta.result_age_s': 'amount',
  'meta.replayed': 'boolean',
  'meta.untrusted_text_note': 'text',
  'meta.sandbox?': oneOf(true),
}

/** A success: one coverage with the data that comes with it. `more` are fields of meta that this route adds. */
export const envelopeShape = (coverage: 'full' | 'thin', data: Schema, more: Types = {}): Schema =>
  shapeOf(
    {
      ok: oneOf(true),
      schema_version: oneOf('2.0'),
      generated_at: { type: 'string', format: 'date-time' },
      t: 'time',
      coverage: oneOf(coverage),
      data,
      ...metaTypes,
      ...more,
    },
    envelopeFields,
  )

const TIMES: Types = { p50: 'amount|null', p99: 'amount|null', n_frames: 'count' }
const timesAt = (path: string): Types => Object.fromEntries(Object.entries(TIMES).map(([name, type]) => [path + name, type]))

export const healthShape = shapeOf(
  {
    ok: 'boolean',
    t: 'time',
    uptime_s: 'count',
    'sources[].chain': oneOf('solana'),
    'sources[].tip': 'count|null',
    'sources[].folded': 'count|null',
    'sources[].feed_lag_s': 'amount|null',
    'sources[].chain_lag_s': 'amount|null',
    'sources[].slots_behind': 'count|null',
    'sources[].finality': 'text|null',
    'sources[].confirmed': 'count|null',
    'sources[].finalized': 'count|null',
    mints_tracked: 'count',
    curves_tracked: 'count',
    ...Object.fromEntries(['frames', 'events', 'flags', 'dead_letters', 'gaps', 'forks'].map((name) => [`counters.${name}`, 'count'])),
    ...timesAt('detection_ms.'),
    ...timesAt('detection_ms.from_block_time.'),
    'views[].view': 'text',
    'views[].records_behind': 'count',
    views_behind_ms: 'amount|null',
    history: 'object|null',
    'history.ok': 'boolean',
    'history.rows_written': 'count',
    'history.up_to': 'time|null',
    'history.behind_ms': 'amount|null',
    version: 'text',
    'degraded[]': 'text',
  },
  healthFields,
)

export const indexShape = shapeOf({
  name: oneOf('mintfold'),
  what: 'text',
  version: 'text',
  base_url: 'text',
  'how_to_start[]': 'text',
  questions: {
    type: 'array',
    items: {
      type: 'object',
      required: ['method', 'path', 'price_usd', 'mcp_tool', 'description', 'coverage', 'max_feed_lag_s', 'params', 'example'],
      properties: {
        method: { const: 'GET' },
        path: { type: 'string', pattern: '^/' },
        price_usd: { type: 'number', minimum: 0 },
        mcp_tool: { type: ['string', 'null'] },
        description: { type: 'string' },
        coverage: { type: 'string' },
        max_feed_lag_s: { type: 'number', minimum: 0 },
        params: { type: 'object', additionalProperties: ANY_OBJECT },
        example: { type: 'string' },
      },
    },
  },
})

/** Meanings by dotted path: their names are those of the fields themselves. */
export const labelsShape: Schema = {
  type: 'object',
  required: ['coverage', 'status', 'lifecycle', 'risk_label', 'confidence', 'rug_flags', 'finality', 'nulls', 'fields', 'errors'],
  properties: {
    ...Object.fromEntries(['coverage', 'status', 'risk_label', 'confidence', 'rug_flags', 'finality'].map((name) => [name, ANY_OBJECT])),
    lifecycle: { type: 'string' },
    nulls: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'string' } } },
    errors: { type: 'object', additionalProperties: { type: 'string' } },
  },
  additionalProperties: ANY_OBJECT,
}

export const refusalShape = shapeOf({
  ok: oneOf(false),
  error: { type: 'string', pattern: '^[a-z_0-9]+$', description: 'a stable code' },
  hint: { type: 'string', minLength: 1, description: 'what to do' },
  'charged?': {
    enum: [false, null],
    description: 'false: nothing was charged; null: the outcome of the settlement is not known yet, or the payment was not read',
  },
  'request_id?': { type: 'string', description: 'names the line of the log' },
})

export const invalidShape = shapeOf({
  'detail[].type': 'text',
  'detail[].loc': { type: 'array', items: { type: ['string', 'integer'] } },
  'detail[].msg': 'text',
  'detail[].input?': { description: 'what was sent, cut' },
  'detail[].ctx?': ANY_OBJECT,
  'charged?': { enum: [false], description: 'of routes that are sold: nothing was charged' },
})

/** Terms of payment, x402 version 2. */
export const acceptsShape: Schema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['scheme', 'network', 'asset', 'amount', 'payTo', 'maxTimeoutSeconds', 'extra'],
    properties: {
      scheme: { const: 'exact' },
      network: { type: 'string', pattern: '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$' },
      asset: { type: 'string' },
      amount: { type: 'string', pattern: '^[1-9][0-9]*$', description: 'micro-USDC' },
      payTo: { type: 'string' },
      maxTimeoutSeconds: { const: 60 },
      extra: ANY_OBJECT,
    },
    additionalProperties: false,
  },
}

/** x402 version 2. */
export const paymentRequiredShape: Schema = {
  type: 'object',
  required: ['x402Version', 'error', 'resource', 'accepts', 'extensions'],
  properties: {
    x402Version: { const: 2 },
    error: { type: 'string' },
    resource: shapeOf({
      url: 'text',
      description: 'text',
      'mimeType?': 'text',
      'serviceName?': 'text',
      'tags?': { type: 'array', items: { type: 'string' } },
    }),
    accepts: acceptsShape,
    extensions: ANY_OBJECT,
  },
  additionalProperties: false,
}
