// The rail for USDC on Solana (x402 `exact`): the facilitator signs the payer's transaction as fee payer and sends it.
import type { PaymentRequirements } from '@x402/core/types'
import { Facilitator, type FacilitatorOptions, receiptOf, type Supported } from '../facilitator.ts'
import { paymentLimits } from '../limits.ts'
import type { Rail } from '../rail.ts'
import { isSameTerms, requirementsOf, type Seller } from '../terms.ts'
import { isStale } from './blockhash.ts'
import { lookUp } from './chain-lookup.ts'
import { isSignatureOf, isSigned, transactionIn } from './signed-transaction.ts'
import { isPaymentFor } from './transfer.ts'

/**
 * Reasons that the reference facilitator gives before it sends a transaction. `invalid_exact_svm_transaction_failed` is excluded: it means
 * that sending failed, and such a transaction may have landed.
 */
const NEVER_SENT = new RegExp(
  '^(invalid_exact_svm_(?!transaction_failed$)\\w+|insufficient_funds|invalid_scheme|unsupported_scheme|invalid_network|' +
    'invalid_x402_version|invalid_payload|invalid_payment_requirements)$',
)

/** The reference facilitator's reasons for a broken signature and for a blockhash that its simulation does not know. */
const FORGED = 'invalid_exact_svm_payload_signature_invalid'
const STALE = 'invalid_exact_svm_transaction_simulation_failed'

export interface SvmRailOptions extends Omit<FacilitatorOptions, 'neverSent' | 'receiptOf' | 'network'> {
  readonly seller: Seller
  /** JSON-RPC URL for looking up uncertain settlements; without it, only the facilitator is queried again. */
  readonly rpcUrl: string | undefined
}

/** The fee payer of our terms; undefined if the facilitator names none. */
const offeredBy = (supported: Supported | undefined): string | undefined => {
  const offered = supported?.extra.feePayer
  return typeof offered === 'string' ? offered : undefined
}

export const svmRail = ({ seller, rpcUrl, ...options }: SvmRailOptions): Rail => {
  const { network } = seller
  const facilitator = new Facilitator({
    ...options,
    network,
    neverSent: NEVER_SENT,
    receiptOf: (signature, { payload }) => {
      const transaction = transactionIn(payload.payload)
      return transaction !== undefined && isSignatureOf(signature, transaction)
        ? receiptOf(signature, network, transaction.payer)
        : undefined
    },
  })
  const terms = async (priceMicroUsdc: number): Promise<PaymentRequirements | undefined> => {
    const feePayer = offeredBy(await facilitator.supported())
    return feePayer === undefined ? undefined : requirementsOf(seller, priceMicroUsdc, { feePayer })
  }
  void facilitator.supported()
  return {
    network,
    terms,
    proof: async ({ payload }) => {
      const transaction = transactionIn(payload.payload)
      return transaction === undefined || isSigned(transaction) ? { kind: 'signed' } : { kind: 'forged', reason: FORGED }
    },
    /** Accepts the fee payer in the payment's terms if the facilitator signs as this account and the transaction names it too. */
    agreed: async ({ accepted, payload }, priceMicroUsdc) => {
      const supported = await facilitator.supported()
      const offered = offeredBy(supported)
      if (offered === undefined) return undefined
      const { feePayer } = accepted.extra
      const isKnown = feePayer === offered || supported?.signers['solana:*']?.some((signer) => signer === feePayer) === true
      const ours = requirementsOf(seller, priceMicroUsdc, { feePayer })
      const { feePayer: paysFees, transfer } = transactionIn(payload.payload) ?? {}
      const isOurs = isKnown && paysFees === feePayer && isSameTerms(accepted, ours)
      return isOurs && transfer !== undefined && (await isPaymentFor(transfer, ours)) ? ours : 'others'
    },
    verify: async (payload, requirements) => {
      const blockhash = transactionIn(payload.payload)?.blockhash
      const isOver = rpcUrl !== undefined && blockhash !== undefined && (await isStale({ rpcUrl, network }, blockhash, options.clock.now()))
      return isOver ? { kind: 'refused', reason: STALE } : facilitator.verify(payload, requirements)
    },
    settle: (charge) => facilitator.settle(charge),
    lookUp: async ({ signed, triedAtMs, isVerified }, nowMs) => {
      const transaction = transactionIn(signed)
      const reach = { triedAtMs, pagesMax: isVerified ? paymentLimits.lookupPagesMax : 1 }
      return rpcUrl === undefined || transaction === undefined ? undefined : lookUp(rpcUrl, transaction, reach, nowMs)
    },
  }
}
