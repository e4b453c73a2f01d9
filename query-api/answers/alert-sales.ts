// The interface between the sale of alerts and the alert service.
import type { Answer } from '../questions/bodies.ts'

/** The validated parameters. */
export interface AlertOrder {
  readonly kinds: readonly ('graduation_odds' | 'rug_flags')[]
  readonly target: 'discord' | 'telegram' | 'generic'
  readonly url: string | null
  readonly chat_id: string | null
  readonly bot_token: string | null
  /** 0 to 1. */
  readonly min_odds: number
}

/** `data` of the answer. */
export interface AlertReceipt {
  readonly subscription_id: string
  readonly secret: string
  /** Stream time, unix seconds. */
  readonly expires_at: number
  readonly kinds: AlertOrder['kinds']
  readonly min_odds: number
}

export interface AlertSales {
  /** An unpaid refusal; null if a subscription can be sold now. */
  refused(order: AlertOrder): Promise<Answer | null>
  /** A new receipt with each call; not stored. */
  receipt(order: AlertOrder): AlertReceipt
  /** Starts the subscription of a paid receipt; idempotent. Rejects with EngineError if it could not be stored. */
  begin(order: AlertOrder, receipt: AlertReceipt): Promise<void>
}
