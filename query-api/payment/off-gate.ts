// The gate with payments off: everything is free. For loopback only, which the creator of the server enforces.
import type { PaymentGate } from './gate.ts'

/** Its quotes have the shape of a 402 without terms. */
export const offGate = (): PaymentGate => ({
  mode: 'off',
  sell: async ({ precheck, produce, settled }) => {
    const refusal = await precheck()
    const answer = refusal ?? (await produce())
    if (refusal === null && answer.status < 400) await settled?.(answer.body)
    return { kind: 'given', answer }
  },
  quote: async ({ offer: { path, description }, resourceUrl }) => {
    const error = `Payments are off on this server: request ${path} with its parameters`
    const resource = { url: resourceUrl, description, mimeType: 'application/json' }
    return { kind: 'asked', body: { x402Version: 2, error, resource, accepts: [], extensions: {} } }
  },
  knows: () => false,
  close: () => Promise.resolve(),
})
