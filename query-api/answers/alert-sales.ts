// The interface of the alert service for the route that sells subscriptions.
import type { Answer } from '../questions/bodies.ts'

/** The validated parameters of a subscription. */
export interface AlertOrder {
  readonly kinds: readonly ('graduation_odds' | 'rug_flags')[]
  readonly target: 'discord' | 'telegram' | 'generic'
  readonly url: string | null
  readonly chat_id: string | null
  readonly bot_token: string | null
  /** 0 to 1. */
  readonly min_odds: number
}

/** `data` of the paid answer. */
export interface AlertReceipt {
  readonly subscription_id: string
  readonly secret: string
  /** Stream time, unix seconds. */
  readonly expires_at: number
  readonly kinds: AlertOrder['kinds']
  readonly min_odds: number
}

/** `nowS`: stream time, unix seconds. */
export interface AlertSales {
  /** The refusal, without charge, if no such subscription can be sold now; else null. */
  refusalOf(order: AlertOrder, nowS: number): Promise<Answer | null>
  /** Sends a generic target its challenge, once the payment is verified. The refusal, unpaid, if it does not come back; else null. */
  unprovenRefusal(order: AlertOrder): Promise<Answer | null>
  /** Returns a new receipt with each call, and stores nothing: the subscription starts with `begin`. */
  receipt(order: AlertOrder, nowS: number): AlertReceipt
  /** Stores and starts the subscription of a receipt whose payment has settled. Idempotent. Rejects with EngineError if the store fails. */
  begin(order: AlertOrder, receipt: AlertReceipt): Promise<void>
}
