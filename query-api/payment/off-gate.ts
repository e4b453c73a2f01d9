// Payments off: everything is given away. For loopback only; who builds the server sees to that.
import type { PaymentGate } from './gate.ts'

/** Its quotes say in the shape of a 402 that nothing is asked for, and name no terms. */
export const offGate = (): PaymentGate => ({
  mode: 'off',
  sell: async ({ instead, produce, settled }) => {
    const refusal = await instead()
    const answer = refusal ?? (await produce())
    if (refusal === null && answer.status < 400) await settled?.(answer.body)
    return { kind: 'given', answer }
  },
  quote: async ({ offer: { path, description }, resourceUrl }) => {
    const error = `Payments are off on this server: ask for ${path} itself`
    const resource = { url: resourceUrl, description, mimeType: 'application/json' }
    return { kind: 'asked', body: { x402Version: 2, error, resource, accepts: [], extensions: {} } }
  },
  knows: () => false,
  close: () => Promise.resolve(),
})
