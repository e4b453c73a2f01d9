// The subscriptions as `mintfold alerts list` shows them: without secrets, and with only the kind and host of a target.
import { type AlertCounts, type DeadAlert, NO_COUNTS, type Pause, type Subscription } from './alert.ts'
import type { AlertRows } from './rows/alert-rows.ts'
import { endOf, NO_WITHDRAWALS, withdrawnS } from './term.ts'

export interface Overview extends AlertCounts {
  readonly subscription: Subscription
  /** Unknown: neither cancelled nor, as far as the stream time is known, ended. */
  readonly state: 'running' | 'expired' | 'cancelled' | 'unknown'
  /** Stream time, unix seconds; extended by the time in which odds were not shown. */
  readonly expiresAt: number
  /** Waiting alerts. */
  readonly waiting: number
  /** The newest failure of the first waiting alert that has failed; null if no waiting alert has failed. */
  readonly failure: string | null
  /** Set while the newest request to the target has failed. */
  readonly paused: Pause | null
  /** Stored abandoned alerts, newest last. */
  readonly dead: readonly DeadAlert[]
}

/**
 * Oldest first.
 * @param nowS stream time, unix seconds; null if it is not known: then no subscription counts as expired or as running
 * @throws EngineError like `AlertRows`
 */
export const overviewOf = async (rows: AlertRows, nowS: number | null): Promise<readonly Overview[]> => {
  const [terms, counts, waiting] = await Promise.all([termsOf(rows, nowS), rows.all('counts'), rows.all('waiting')])
  const [dead, paused] = await Promise.all([rows.all('dead'), rows.all('paused')])
  const overviews = terms.map(({ subscription, state, expiresAt }): Overview => {
    const { id } = subscription
    const own = [...waiting.values()].filter((one) => one.subscription === id)
    return {
      ...{ subscription, state, expiresAt, ...(counts.get(id) ?? NO_COUNTS) },
      waiting: own.length,
      failure: own.find(({ failure }) => failure !== null)?.failure ?? null,
      paused: paused.get(id) ?? null,
      dead: [...dead.values()].filter((one) => one.subscription === id).sort((a, b) => a.givenUpAt - b.givenUpAt),
    }
  })
  return overviews.sort((a, b) => a.subscription.startedAt - b.subscription.startedAt)
}

/** Subscriptions that are neither cancelled nor expired. Parameters and errors as `overviewOf`. */
export const runningOf = async (rows: AlertRows, nowS: number): Promise<readonly Subscription[]> =>
  (await termsOf(rows, nowS)).filter(({ state }) => state === 'running').map(({ subscription }) => subscription)

type Term = Pick<Overview, 'subscription' | 'state' | 'expiresAt'>

const termsOf = async (rows: AlertRows, nowS: number | null): Promise<readonly Term[]> => {
  const [subscriptions, cancelled] = await Promise.all([rows.all('subscriptions'), rows.all('cancelled')])
  const [joined, withdrawals] = await Promise.all([rows.all('joined'), rows.all('withdrawals')])
  const total = withdrawnS([...withdrawals.values()][0] ?? NO_WITHDRAWALS, nowS)
  return Array.from(subscriptions.values(), (subscription): Term => {
    const { id } = subscription
    const expiresAt = endOf(subscription, total - (joined.get(id)?.withdrawnS ?? total))
    return { subscription, expiresAt, state: cancelled.has(id) ? 'cancelled' : stateAt(nowS, expiresAt) }
  })
}

const stateAt = (nowS: number | null, expiresAt: number): Overview['state'] => {
  if (nowS === null) return 'unknown'
  return nowS >= expiresAt ? 'expired' : 'running'
}

/** The kind and host of a target. Paths, tokens and chats are secret. */
export const targetText = ({ target }: Subscription): string => {
  if (target.kind === 'telegram') return 'telegram'
  return URL.canParse(target.url) ? `${target.kind} ${new URL(target.url).host}` : target.kind
}
