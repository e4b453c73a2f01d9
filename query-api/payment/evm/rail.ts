// The rail for USDC on an EVM chain (x402 `exact`): the facilitator submits the payer's authorization and pays the fee.
import type { PaymentRequirements } from '@x402/core/types'
import { Facilitator, type FacilitatorOptions, receiptOf } from '../facilitator.ts'
import { paymentLimits } from '../limits.ts'
import type { Rail, Verdict } from '../rail.ts'
import { isSameTerms, requirementsOf, type Seller } from '../terms.ts'
import { authorizationIn, isSameAddress, type SignedAuthorization } from './authorization.ts'
import type { EvmCurrency } from './currency.ts'
import { lookUpAuthorization } from './lookup.ts'
import { proofOf } from './signature.ts'

/**
 * Reasons that the reference facilitator gives before it sends a transaction. Excluded: a failed transaction may belong to another payment,
 * and a used nonce may be due to an earlier copy of this payment.
 */
const NEVER_SENT = new RegExp(
  '^(invalid_exact_evm_(?!transaction_failed$|transfer_event_mismatch$|nonce_already_used$)\\w+|insufficient_funds|invalid_scheme|' +
    'unsupported_scheme|invalid_network|invalid_x402_version|invalid_payload|invalid_payment_requirements)$',
)
const TRANSACTION = /^0x[0-9a-fA-F]{64}$/

export interface EvmRailOptions extends Omit<FacilitatorOptions, 'neverSent' | 'receiptOf' | 'network'> {
  readonly seller: Seller
  readonly domain: EvmCurrency['domain']
  /** JSON-RPC URL for looking up uncertain settlements; without it, only the facilitator is queried again. */
  readonly rpcUrl: string | undefined
}

/** Accepts a success with any valid transaction hash: unlike on Solana, the hash does not prove that the transaction is this payment's. */
export const evmRail = ({ seller, domain, rpcUrl, ...options }: EvmRailOptions): Rail => {
  const { network } = seller
  const facilitator = new Facilitator({
    ...options,
    network,
    neverSent: NEVER_SENT,
    receiptOf: (transaction, { payload }) => {
      const signed = authorizationIn(payload.payload)
      return signed !== undefined && TRANSACTION.test(transaction) ? receiptOf(transaction, network, signed.authorization.from) : undefined
    },
  })
  const termsFor = (priceMicroUsdc: number): PaymentRequirements => requirementsOf(seller, priceMicroUsdc, { ...domain })
  void facilitator.supported()
  return {
    network,
    proof: async ({ payload }) => {
      const signed = authorizationIn(payload.payload)
      return signed === undefined ? { kind: 'signed' } : proofOf(signed, network, { asset: seller.asset, domain })
    },
    terms: async (priceMicroUsdc) => (await facilitator.supported()) && termsFor(priceMicroUsdc),
    agreed: async ({ accepted, payload }, priceMicroUsdc) => {
      if ((await facilitator.supported()) === undefined) return undefined
      const requirements = termsFor(priceMicroUsdc)
      const signed = authorizationIn(payload.payload)
      const isOurs = signed !== undefined && isFor(signed, requirements, options.clock.now())
      return isOurs && isSameTerms(accepted, requirements) ? requirements : 'others'
    },
    verify: async (payload, requirements) =>
      invalidNow(authorizationIn(payload.payload), options.clock.now()) ?? facilitator.verify(payload, requirements),
    settle: (charge) => facilitator.settle(charge),
    lookUp: async ({ signed, requirements }) => {
      const authorization = authorizationIn(signed)
      return rpcUrl === undefined || authorization === undefined ? undefined : lookUpAuthorization(rpcUrl, authorization, requirements)
    },
  }
}

/** Signed for this sale, and not valid for longer than a refusal is stored: else a refused copy could settle after that time. */
const isFor = ({ authorization }: SignedAuthorization, { payTo, amount }: PaymentRequirements, nowMs: number): boolean =>
  isSameAddress(authorization.to, payTo) &&
  BigInt(authorization.value) === BigInt(amount) &&
  BigInt(authorization.validBefore) * 1_000n <= BigInt(nowMs + paymentLimits.landWithinMs)

/** A refusal with the reference facilitator's reason, if the authorization is over or has not begun. */
const invalidNow = (signed: SignedAuthorization | undefined, nowMs: number): Verdict | undefined => {
  const nowS = BigInt(Math.floor(nowMs / 1_000))
  const { validBefore = nowS, validAfter = nowS } = signed?.authorization ?? {}
  if (BigInt(validBefore) < nowS + BigInt(paymentLimits.authorizationLeftS))
    return { kind: 'refused', reason: 'invalid_exact_evm_payload_authorization_valid_before' }
  return BigInt(validAfter) > nowS ? { kind: 'refused', reason: 'invalid_exact_evm_payload_authorization_valid_after' } : undefined
}
