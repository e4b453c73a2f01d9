// Payments off: everything is served unpaid. For loopback only; who builds the server sees to that.
import type { PaymentGate } from './gate.ts'

/** Its quotes say in the shape of a 402 that nothing is asked for, and name no terms. */
export const offGate = (): PaymentGate => ({
  mode: 'off',
  protect: () => (_ctx, next) => next(),
  quote: (offer) => (ctx) => {
    const error = `Payments are off on this server: ask for ${offer.path} itself`
    const resource = { url: ctx.path, description: offer.description, mimeType: 'application/json' }
    const json = JSON.stringify({ x402Version: 2, error, resource, accepts: [], extensions: {} })
    ctx.status = 402
    ctx.set('PAYMENT-REQUIRED', Buffer.from(json).toString('base64'))
    ctx.set('Cache-Control', 'no-store')
    ctx.type = 'application/json'
    ctx.body = json
  },
  close: () => Promise.resolve(),
})
