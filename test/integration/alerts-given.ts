// Alerts of a process on a view, odds and a store that tests set, with a local receiver. `again` starts the next process on the same store.
import { Alerts } from '../../query-api/alerts/alerts.ts'
import type { AlertContext } from '../../query-api/alerts/context.ts'
import type { AlertRows } from '../../query-api/alerts/rows/alert-rows.ts'
import { type AlertStore, TableRows } from '../../query-api/alerts/rows/table-rows.ts'
import { openSender } from '../../query-api/alerts/target/sender.ts'
import type { AlertOrder, AlertReceipt } from '../../query-api/answers/alert-sales.ts'
import { createMemoryTable } from '../../topology/data-dir/memory-table.ts'
import { ALERT_TABLES } from '../../topology/operations/backup/data-dir.ts'
import { type AlertReceiver, startReceiver } from '../fakes/alert-receiver.ts'
import { MapView } from '../fakes/map-view.ts'
import { FakeOdds } from '../fakes/odds.ts'
import { NOW_S } from '../unit/query-api/given-mint.ts'

const SANDBOX = { allowsLoopback: true }
const nowhere = async (): Promise<readonly string[]> => []

export const memoryRows = (): AlertRows =>
  new TableRows(Object.fromEntries(ALERT_TABLES.map((name) => [name, createMemoryTable()])) as unknown as AlertStore)

export interface GivenAlerts {
  readonly view: MapView
  readonly odds: FakeOdds
  readonly rows: AlertRows
  readonly receiver: AlertReceiver
  /** Stream time in seconds, wall time in ms. */
  /** `nowS` 0: the stream has no time yet. */
  readonly time: { nowS: number; wallMs: number }
  readonly notices: (readonly [code: string, facts: object])[]
  readonly ground: AlertContext
  /** The current delivery process. */
  alerts: Alerts
  order(change?: Partial<AlertOrder>): AlertOrder
  /** What a paid sale does. */
  buy(change?: Partial<AlertOrder>): Promise<AlertReceipt>
  /** Shuts the process down cleanly and starts the next. */
  again(): Promise<void>
  close(): Promise<void>
}

export const givenAlerts = async (change: Partial<AlertContext> = {}): Promise<GivenAlerts> => {
  const view = new MapView()
  const odds = new FakeOdds(2)
  const receiver = await startReceiver()
  const time = { nowS: NOW_S, wallMs: 1_800_000_000_000 }
  const notices: (readonly [string, object])[] = []
  view.setStatus({ folded: { number: 1_100, time: NOW_S }, tip: { number: 1_100, time: NOW_S } })
  const ground: AlertContext = {
    ...{ rows: memoryRows(), view, odds, feed: odds },
    clock: { now: () => (time.nowS === 0 ? null : time.nowS * 1_000) },
    wallClock: { now: () => time.wallMs },
    message: { baseUrl: 'https://cards.example', telegram: receiver.url },
    ...{ rules: SANDBOX, resolve: nowhere, openSender: () => openSender(nowhere, SANDBOX) },
    challengeWaitS: async () => 0,
    notice: (code, facts) => void notices.push([code, facts]),
    ...change,
  }
  const order: GivenAlerts['order'] = (changed) => ({
    ...({ kinds: ['graduation_odds'], target: 'generic', url: `${receiver.url}/hook` } as const),
    ...{ chat_id: null, bot_token: null, min_odds: 0.5, ...changed },
  })
  const given: GivenAlerts = {
    ...{ view, odds, rows: ground.rows, receiver, time, notices, ground, order },
    alerts: new Alerts(ground),
    buy: async (changed) => {
      const receipt = given.alerts.receipt(order(changed), time.nowS)
      await given.alerts.begin(order(changed), receipt)
      return receipt
    },
    again: async () => {
      await given.alerts.close()
      given.alerts = new Alerts(ground)
      given.alerts.start()
    },
    close: async () => {
      await given.alerts.close()
      await receiver.close()
    },
  }
  given.alerts.start()
  return given
}
