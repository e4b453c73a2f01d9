// A PaymentGate that writes down what it was asked. A request with the header `payment-signature: paid` counts as paid. It does not
// simulate: verification, settlement, retries, replay, receipts or the real terms of a 402.
import type { Middleware } from 'koa'
import type { Offer, PaymentGate } from '../../query-api/payment/gate.ts'

export interface GateCall {
  readonly kind: 'quoted' | 'asked' | 'settled' | 'let go'
  readonly path: string
}

export class RecordingGate implements PaymentGate {
  readonly mode: 'sandbox' | 'off'
  readonly calls: GateCall[] = []
  readonly offers: Offer[] = []

  constructor(mode: 'sandbox' | 'off' = 'sandbox') {
    this.mode = mode
  }

  protect(offer: Offer): Middleware {
    this.offers.push(offer)
    return async (ctx, next) => {
      if (this.mode === 'sandbox' && ctx.get('payment-signature') !== 'paid') {
        this.calls.push({ kind: 'asked', path: offer.path })
        return demand(ctx)
      }
      await next()
      this.calls.push({ kind: ctx.status < 400 ? 'settled' : 'let go', path: offer.path })
    }
  }

  quote(offer: Offer): Middleware {
    return async (ctx) => {
      this.calls.push({ kind: 'quoted', path: offer.path })
      demand(ctx)
    }
  }

  async close(): Promise<void> {}
}

const demand = (ctx: Parameters<Middleware>[0]): void => {
  ctx.status = 402
  ctx.set('PAYMENT-REQUIRED', 'e30=')
  ctx.body = { x402Version: 2 }
}
