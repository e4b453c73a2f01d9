// Alerts that end: delivered, or abandoned.
import { type Delivery, NO_COUNTS } from './alert.ts'
import type { AlertContext } from './context.ts'
import { alertLimits } from './limits.ts'
import type { Change } from './rows/alert-rows.ts'
import type { AlertState } from './state.ts'

/** Stages the end of alerts of one subscription that are abandoned for one reason, and reports them. */
export const giveUp = (
  state: AlertState,
  { notice, wallClock }: Pick<AlertContext, 'notice' | 'wallClock'>,
  deliveries: readonly Delivery[],
  reason: string,
): void => {
  const [first] = deliveries
  if (first === undefined) return
  notice('alert_given_up', { subscription: first.subscription, alerts: deliveries.length, reason })
  for (const delivery of deliveries) {
    const { id, subscription, kind, t, mint, tries } = delivery
    const oldest = state.table('dead').size >= alertLimits.deadMax ? state.table('dead').keys().next().value : undefined
    state.stage([
      ...(oldest === undefined ? [] : [['dead', oldest, null] as const]),
      ['dead', id, { id, subscription, kind, t, mint, tries, reason, givenUpAt: wallClock.now() }],
      ...doneChanges(state, delivery, 'givenUp'),
    ])
  }
}

export const doneChanges = (state: AlertState, { id, t, subscription }: Delivery, what: 'delivered' | 'givenUp'): readonly Change[] => {
  const counts = state.table('counts').get(subscription) ?? NO_COUNTS
  return [
    ['done', id, { t }],
    ['counts', subscription, { ...counts, [what]: counts[what] + 1 }],
    ['waiting', id, null],
  ]
}
