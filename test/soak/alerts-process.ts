// A process that delivers alerts from the store in a directory until it is killed. The odds follow from the seed; the parent process sends
// their number and the time.
import { join } from 'node:path'
import { Alerts } from '../../query-api/alerts/alerts.ts'
import { messageContextOf } from '../../query-api/alerts/messages.ts'
import { type AlertStore, TableRows } from '../../query-api/alerts/rows/table-rows.ts'
import { openSender } from '../../query-api/alerts/target/sender.ts'
import { openLmdbTables } from '../../topology/data-dir/lmdb-tables.ts'
import { ALERT_TABLES, ALERTS_FOLDER } from '../../topology/operations/backup/data-dir.ts'
import { MapView } from '../fakes/map-view.ts'
import { FakeOdds } from '../fakes/odds.ts'
import { type AlertsProgress, mintOf, PARTITIONS, valueAt } from './alerts.ts'

const SANDBOX = { allowsLoopback: true }
const nowhere = async (): Promise<readonly string[]> => []
const [dir = '', seed = '0'] = process.argv.slice(2)
const { tables } = openLmdbTables<Record<string, never>>(join(dir, ALERTS_FOLDER), ALERT_TABLES)
const view = new MapView()
const odds = new FakeOdds(PARTITIONS)
let now: AlertsProgress = { values: 0, nowS: 1, wallMs: 1 }
let appended = 0
let alerts: Alerts | undefined

process.on('message', (progress: AlertsProgress) => {
  now = progress
  for (; appended < progress.values; appended++) {
    const { mint, ppm, partition, at } = valueAt(Number(seed), appended)
    odds.append({ mint: mintOf(mint), head: 'true_graduation', ppm, at }, partition)
  }
  view.setStatus({ folded: { number: 1, time: progress.nowS } })
  if (alerts === undefined) {
    alerts = new Alerts({
      ...{
        rows: new TableRows(tables as unknown as AlertStore),
        view,
        odds,
        feed: odds,
        message: messageContextOf('https://cards.example'),
      },
      ...{ clock: { now: () => now.nowS * 1_000 }, wallClock: { now: () => now.wallMs } },
      ...{ rules: SANDBOX, resolve: nowhere, notice: () => undefined },
      ...{ openSender: () => openSender(nowhere, SANDBOX), challengeWaitS: async () => 0 },
    })
    alerts.start()
  }
  alerts.wake()
})
process.send?.('ready')
