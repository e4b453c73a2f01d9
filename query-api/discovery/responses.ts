// Responses that operations of `/openapi.json` share, and their headers.
import { ref, type Schema } from '../answer-schemas/json-schema.ts'

type Json = Readonly<Record<string, unknown>>

export const json = (schema: Schema): Json => ({ 'application/json': { schema } })
const refused = (description: string): Json => ({ description, content: json(ref('Refusal')) })
const invalid = (description: string): Json => ({ description, content: json(ref('ValidationError')) })
export const header = (name: keyof typeof HEADERS): Json => ({ $ref: `#/components/headers/${name}` })
const later = (description: string): Json => ({ ...refused(description), headers: { 'Retry-After': header('RetryAfter') } })

const TEXT = { type: 'string' }
export const HEADERS = {
  RetryAfter: { description: 'seconds', schema: { type: 'integer', minimum: 0 } },
  PaymentRequired: { description: 'base64 of the body', schema: TEXT },
  PaymentResponse: { description: 'base64 of the settlement', schema: TEXT },
}
const NO_PAYMENT = 'the payment cannot be decoded'
export const RESPONSES = {
  BadPayment: refused(NO_PAYMENT),
  BadCheck: refused(`${NO_PAYMENT}, or the mints or the cursor are invalid`),
  BadCursor: refused(`${NO_PAYMENT}, or since is not a cursor of this route`),
  PaymentRequired: {
    description: 'payment required: the terms',
    headers: { 'PAYMENT-REQUIRED': header('PaymentRequired') },
    content: json(ref('PaymentRequired')),
  },
  NoAddress: refused('the path parameter is not an address, or coverage is missing'),
  NotCovered: refused('a mint lacks full live coverage'),
  NotLogged: refused('no value with this id was logged'),
  Conflict: refused('the payment does not match the request, or the outcome of the settlement is not known (charged: null)'),
  CursorExpired: refused('the cursor is older than 24 hours'),
  BodyTooLarge: refused('routes accept no body'),
  UriTooLong: refused('path and query are too long'),
  Invalid: invalid('parameters are missing or invalid'),
  InvalidStart: invalid('the start is neither a position of the stream nor a time up to now'),
  TooManyRequests: later('too many requests; charged is null if the request had a payment, which was not read'),
  HeadersTooLarge: refused('headers are too large'),
  InternalError: refused('internal error; request_id identifies it'),
  Unavailable: later('no valid answer is possible now; nothing is charged for this request'),
  StreamUnavailable: later('the stream is not available now'),
} as const

export const response = (name: keyof typeof RESPONSES): Json => ({ $ref: `#/components/responses/${name}` })
