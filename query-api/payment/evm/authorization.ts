// EVM payments: EIP-3009 authorizations signed by the payer. Anyone can submit one, once, until `validBefore`.
import { hash } from 'node:crypto'
import * as z from 'zod'

/** Limit for contract wallets; a plain signature has 65 bytes. */
const SIGNATURE_BYTES_MAX = 4_096

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const whole = z.string().regex(/^[0-9]{1,78}$/)
export const authorizationSchema = z.object({
  signature: z.string().regex(new RegExp(`^0x(?:[0-9a-fA-F]{2}){65,${SIGNATURE_BYTES_MAX}}$`)),
  authorization: z.object({
    from: address,
    to: address,
    /** In the smallest unit of the token. */
    value: whole,
    /** Unix seconds. */
    validAfter: whole,
    validBefore: whole,
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  }),
})
export type SignedAuthorization = z.infer<typeof authorizationSchema>

/** Undefined if the signed payload is not an authorization. */
export const authorizationIn = (signed: Readonly<Record<string, unknown>>): SignedAuthorization | undefined =>
  authorizationSchema.safeParse(signed).data

/**
 * sha256 (hex) over token, payer and nonce: only one authorization per payer and nonce can be used (EIP-3009), so all authorizations with
 * the same ones are one payment, regardless of their other fields.
 */
export const identityOf = ({ authorization: { from, nonce } }: SignedAuthorization, network: string, asset: string): string =>
  hash('sha256', `${network} ${asset} ${from} ${nonce}`.toLowerCase())

/** Compares addresses case-insensitively. */
export const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
