// What an EVM payment is: an EIP-3009 authorization that its payer signed. Whoever has it may send it, until `validBefore` and once.
import { hash } from 'node:crypto'
import { z } from 'zod'

/** Of wallets that are contracts; a plain one has 65 bytes. */
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

/** Undefined where what was signed is none. */
export const authorizationIn = (signed: Readonly<Record<string, unknown>>): SignedAuthorization | undefined =>
  authorizationSchema.safeParse(signed).data

/**
 * sha256 (hex) of what a token uses up: of all authorizations with one payer and nonce one takes place (EIP-3009), so that they are one
 * payment, whatever else they say.
 */
export const identityOf = ({ authorization: { from, nonce } }: SignedAuthorization, network: string, asset: string): string =>
  hash('sha256', `${network} ${asset} ${from} ${nonce}`.toLowerCase())

/** Addresses are the same in any case of their letters. */
export const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
