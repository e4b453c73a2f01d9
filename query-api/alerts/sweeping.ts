// Removes the ids of finished alerts that cannot occur again, the oldest ids above `doneMax`, and subscriptions that ended more than a day
// ago and have no waiting alert.
import { type AlertContext, streamNowS } from './context.ts'
import { alertLimits } from './limits.ts'
import type { Change } from './rows/alert-rows.ts'
import type { AlertState } from './state.ts'

/** Maximum number of rows per sweep. */
const ROWS_MAX = 2_000

/** @throws like `AlertState.write` */
export const sweep = async (state: AlertState, context: AlertContext): Promise<void> => {
  const nowS = streamNowS(context)
  if (nowS === null) return
  const changes: Change[] = [...doneRemovals(state, nowS), ...subscriptionRemovals(state, nowS)]
  await state.write(changes.slice(0, ROWS_MAX))
}

const doneRemovals = (state: AlertState, nowS: number): readonly Change[] => {
  const done = state.table('done')
  let tooMany = done.size - alertLimits.doneMax
  const changes: Change[] = []
  for (const [id, { t }] of done) {
    if (changes.length >= ROWS_MAX) break
    if (tooMany > 0 || nowS - t > alertLimits.doneKeptS) changes.push(['done', id, null])
    tooMany -= 1
  }
  return changes
}

const subscriptionRemovals = (state: AlertState, nowS: number): readonly Change[] => {
  const changes: Change[] = []
  for (const one of state.table('subscriptions').values()) {
    if (nowS - state.endOf(one, nowS) <= alertLimits.endedKeptS || state.waitingOf(one.id).size > 0) continue
    for (const table of ['joined', 'counts', 'cancelled', 'paused', 'subscriptions'] as const) changes.push([table, one.id, null])
    for (const { id, subscription } of state.table('dead').values()) if (subscription === one.id) changes.push(['dead', id, null])
  }
  return changes
}
