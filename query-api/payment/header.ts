// Parses PAYMENT-SIGNATURE into a payment that the facilitator can verify.

import { hash } from 'node:crypto'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import * as z from 'zod'
import { authorizationSchema, identityOf } from './evm/authorization.ts'
import { parseJson } from './json.ts'
import { paymentLimits } from './limits.ts'
import type { PayerIdentifier } from './stores/idempotency-store.ts'
import { transactionIn } from './svm/signed-transaction.ts'
import { IDENTIFIER_EXTENSION, NONCE_EXTENSION } from './terms.ts'

/** A payment as sent; nothing in it is verified. */
export interface ReceivedPayment {
  readonly accepted: PaymentRequirements
  /** sha256 (hex), equal for every copy of a payment: covers only signed parts. */
  readonly identity: string
  /** The payer's address on the network. */
  readonly payer: string
  /** As sent to the facilitator: without the nonce, which only the caller and this service may know. */
  readonly payload: PaymentPayload
  /** Known only to the payer, because it is not on the chain; undefined if the client echoes nothing. */
  readonly proof: string | undefined
  /** Null unless `proof` is a payment-identifier. */
  readonly identifier: PayerIdentifier | null
}

export type HeaderRefusal = 'payment_header_too_large' | 'payment_header_malformed' | 'payment_version_unsupported'

const text = z.string().min(1).max(256)
const network = z.custom<`${string}:${string}`>((value) => typeof value === 'string' && value.length <= 128 && value.includes(':'))
const chars = z.string().min(paymentLimits.proofCharsMin).max(paymentLimits.proofCharsMax)
// Created once, because zod compiles schemas.
const versionSchema = z.object({ x402Version: z.number() })
const identifierSchema = z.object({ info: z.object({ id: chars }) })
const nonceSchema = z.object({ info: z.object({ nonce: chars }) })
const payloadSchema = z.object({
  x402Version: z.literal(2),
  resource: z.looseObject({ url: z.string().max(4096) }).nullish(),
  accepted: z.object({
    scheme: text,
    network,
    asset: text,
    amount: z.string().regex(/^[1-9][0-9]{0,18}$/),
    payTo: text,
    maxTimeoutSeconds: z.number().positive(),
    extra: z.record(z.string(), z.unknown()).nullish(),
  }),
  payload: z.union([z.object({ transaction: z.string().min(1) }), authorizationSchema]),
  extensions: z.record(z.string(), z.unknown()).nullish(),
})

/** Reads a header, or the object that some transports carry. All refusals are 400: nothing is charged, and the payment is not used. */
export const readPayment = (sent: string | object): ReceivedPayment | HeaderRefusal => {
  if (typeof sent !== 'string') return parsePayment(sent)
  if (sent.length > paymentLimits.headerBytesMax) return 'payment_header_too_large'
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(sent)) return 'payment_header_malformed'
  return parsePayment(parseJson(Buffer.from(sent, 'base64').toString('utf8')))
}

const parsePayment = (json: unknown): ReceivedPayment | HeaderRefusal => {
  const version = versionSchema.safeParse(json)
  if (version.success && version.data.x402Version !== 2) return 'payment_version_unsupported'
  const parsed = payloadSchema.safeParse(json)
  if (!parsed.success) return 'payment_header_malformed'
  const { resource, accepted, payload, extensions } = parsed.data
  const signed = signedIn(accepted, payload)
  if (signed === undefined) return 'payment_header_malformed'
  const { [NONCE_EXTENSION]: _nonce, ...forwarded } = extensions ?? {}
  const required = { ...accepted, extra: accepted.extra ?? {} }
  const proof = proofIn(extensions ?? {})
  return {
    accepted: required,
    ...signed,
    payload: { x402Version: 2, ...(resource ? { resource } : {}), accepted: required, payload, extensions: forwarded },
    proof,
    identifier: proof?.startsWith('id:') ? { id: hash('sha256', proof), payer: signed.payer } : null,
  }
}

type Sent = z.infer<typeof payloadSchema>

/** The identity and payer of a payment on any network. */
const signedIn = (
  { network, asset }: Sent['accepted'],
  payload: Sent['payload'],
): Pick<ReceivedPayment, 'identity' | 'payer'> | undefined => {
  if ('authorization' in payload) return { identity: identityOf(payload, network, asset), payer: payload.authorization.from.toLowerCase() }
  const transaction = transactionIn(payload)
  return transaction && { identity: transaction.identity, payer: transaction.payer }
}

const proofIn = (extensions: Record<string, unknown>): string | undefined => {
  const identifier = identifierSchema.safeParse(extensions[IDENTIFIER_EXTENSION])
  if (identifier.success) return `id:${identifier.data.info.id}`
  const nonce = nonceSchema.safeParse(extensions[NONCE_EXTENSION])
  return nonce.success ? `nonce:${nonce.data.info.nonce}` : undefined
}
