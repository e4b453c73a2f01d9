// The facilitator of the sandbox: the official implementation, unchanged, on its three paths.
import type { KeyPairSigner } from '@solana/kit'
import { x402Facilitator } from '@x402/core/facilitator'
import { parsePaymentPayload, parsePaymentRequirements } from '@x402/core/schemas'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { messageOf } from '../../schemas/errors.ts'
import type { JsonAnswer, JsonRoute } from './http.ts'

/** Routes `/supported`, `/verify` and `/settle` under `prefix`. The facilitator signs, and sends through `rpcUrl`, as in production. */
export const facilitatorRoutes = (
  prefix: string,
  key: KeyPairSigner,
  network: `${string}:${string}`,
  rpcUrl: () => string,
): Readonly<Record<string, JsonRoute>> => {
  let made: x402Facilitator | undefined
  const facilitator = (): x402Facilitator => {
    made ??= new x402Facilitator().register(network, new ExactSvmScheme(toFacilitatorSvmSigner(key, { defaultRpcUrl: rpcUrl() })))
    return made
  }
  return {
    [`GET ${prefix}/supported`]: () => ({ status: 200, body: facilitator().getSupported() }),
    [`POST ${prefix}/verify`]: (body) =>
      withPayment(body, { isValid: false, invalidReason: 'invalid_payload' }, (payload, requirements) =>
        facilitator().verify(payload, requirements),
      ),
    [`POST ${prefix}/settle`]: (body) =>
      withPayment(body, { success: false, errorReason: 'invalid_payload', transaction: '', network }, (payload, requirements) =>
        facilitator().settle(payload, requirements),
      ),
  }
}

const withPayment = async (
  body: unknown,
  refusal: unknown,
  run: (payload: PaymentPayload, requirements: PaymentRequirements) => Promise<unknown>,
): Promise<JsonAnswer> => {
  const { paymentPayload, paymentRequirements } = (body ?? {}) as Record<string, unknown>
  const isSound = parsePaymentPayload(paymentPayload).success && parsePaymentRequirements(paymentRequirements).success
  if (!isSound) return { status: 400, body: refusal }
  try {
    return { status: 200, body: await run(paymentPayload as PaymentPayload, paymentRequirements as PaymentRequirements) }
  } catch (error) {
    return { status: 500, body: { error: messageOf(error) } }
  }
}
