// What each refusal of a payment means and what to do, in words. One place, for HTTP and for every other transport.
import { paymentLimits } from './limits.ts'

export const hints = {
  payment_header_too_large: `PAYMENT-SIGNATURE is over ${paymentLimits.headerBytesMax} bytes; send the payment that an x402 version 2 client makes.`,
  payment_header_malformed:
    'PAYMENT-SIGNATURE is not base64 of an x402 payment with what the terms ask to be signed; the payment was not touched.',
  payment_version_unsupported: 'Only x402 version 2 is accepted; update the client.',
  payment_already_used:
    'This signed payment bought something else, or was settled more than 10 minutes ago, or you do not show the payment identifier or nonce it was made with. Nothing is charged for this request; sign a new payment to buy.',
  payment_outcome_unknown:
    'It is not known yet whether this payment was settled. Send the identical PAYMENT-SIGNATURE again; do not sign a new payment before the chain shows the outcome.',
  payment_unavailable:
    'The payment facilitator cannot be reached; nothing was charged. Try again later; the signed payment stays usable while its blockhash is valid.',
  payment_store_unavailable:
    'Payments cannot be read or recorded right now, so none is taken; nothing is charged for this request. Send the identical PAYMENT-SIGNATURE again later; do not sign another while `charged` is null.',
  payment_busy: 'Too many payments are under way or remembered; nothing was charged. Try again later.',
  answer_too_large: 'The answer is too large to be sold safely; nothing was charged. Ask for less.',
} as const

/** Every refusal has its words. */
export type RefusalCode = keyof typeof hints
