// Sends one alert of kind `test` to a subscription's target, without retries.
import { randomBytes } from 'node:crypto'
import { EngineError } from '../../schemas/errors.ts'
import { type AlertContext, streamNowS } from './context.ts'
import { messageOf, testAlertOf } from './messages.ts'
import type { Sender } from './target/sender.ts'

const MS = 1_000
const ID_BYTES = 16

/** @throws EngineError `alerts_unknown`; like `AlertRows` */
export const testDelivery = async (
  context: AlertContext,
  sender: Sender,
  id: string,
): Promise<{ readonly isDelivered: boolean; readonly reason: string | null }> => {
  const subscription = (await context.rows.all('subscriptions')).get(id)
  if (subscription === undefined) throw unknownSubscription(id)
  const nowS = streamNowS(context)
  if (nowS === null)
    throw new EngineError('stores_busy', 'the clock of the source is not known yet: retry in a moment', { retriable: true })
  const sent = testAlertOf(subscription, randomBytes(ID_BYTES).toString('hex'), nowS)
  const message = messageOf(subscription, sent, context.message, Math.floor(context.wallClock.now() / MS))
  const outcome = await sender.send(message, new AbortController().signal)
  return outcome.kind === 'delivered' ? { isDelivered: true, reason: null } : { isDelivered: false, reason: outcome.reason }
}

export const unknownSubscription = (id: string): EngineError =>
  new EngineError(
    'alerts_unknown',
    `there is no subscription ${JSON.stringify(id.slice(0, 64))}: run mintfold alerts list to see all subscriptions`,
    {},
  )
