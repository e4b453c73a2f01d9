// The hints of payment refusals, shared by HTTP and MCP.
import { paymentLimits } from './limits.ts'

export const hints = {
  payment_header_too_large: `PAYMENT-SIGNATURE exceeds ${paymentLimits.headerBytesMax} bytes; send the payment of an x402 version 2 client.`,
  payment_header_malformed: 'PAYMENT-SIGNATURE is not the base64 of an x402 payment signed for these terms; the payment was not used.',
  payment_version_unsupported:
    'Only x402 version 2 is accepted, over HTTP in the header PAYMENT-SIGNATURE; X-PAYMENT of version 1 is not read. Nothing is charged: update the client (@x402/fetch 2 or later), and request the terms again without a payment.',
  payment_already_used:
    'This signed payment bought another answer, or was settled more than 10 minutes ago, or the request lacks the payment identifier or nonce of the original. Nothing is charged for this request; sign a new payment to buy.',
  payment_outcome_unknown:
    'It is not known yet whether this payment was settled. Send the identical PAYMENT-SIGNATURE again; do not sign a new payment until the outcome is known.',
  payment_unavailable:
    'The payment facilitator cannot be reached; nothing was charged. Retry later; the signed payment remains usable while its blockhash is valid.',
  payment_store_unavailable:
    'Payments cannot be read or recorded now, so none is accepted; nothing is charged for this request. Send the identical PAYMENT-SIGNATURE again later; do not sign another while `charged` is null.',
  payment_busy: 'Too many payments are in progress or stored; nothing was charged. Retry later.',
  answer_too_large: 'The answer is too large to be sold; nothing was charged. Request less data, such as a lower limit.',
} as const

/** The error codes of payment refusals. */
export type RefusalCode = keyof typeof hints
