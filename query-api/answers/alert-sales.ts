// What the sale of alerts needs of the part that keeps and delivers them.
import type { Answer } from '../questions/bodies.ts'

/** The parameters, checked for themselves and together. */
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
  /** A refusal, unpaid; null where a subscription can be sold now. */
  refused(order: AlertOrder): Promise<Answer | null>
  /** A new one each time; nothing is kept of it. */
  receipt(order: AlertOrder): AlertReceipt
  /** The subscription of a receipt that was paid for begins, if it did not before. Rejects with EngineError when it could not be kept. */
  begin(order: AlertOrder, receipt: AlertReceipt): Promise<void>
}
