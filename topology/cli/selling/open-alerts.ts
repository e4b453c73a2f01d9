// Opens the store of alerts: Redis if several `serve` processes share it, else the data directory.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Alerts } from '../../../query-api/alerts/alerts.ts'
import type { AlertContext } from '../../../query-api/alerts/context.ts'
import { messageContextOf } from '../../../query-api/alerts/messages.ts'
import type { AlertRows } from '../../../query-api/alerts/rows/alert-rows.ts'
import { RedisRows } from '../../../query-api/alerts/rows/redis-rows.ts'
import { type AlertStore, TableRows } from '../../../query-api/alerts/rows/table-rows.ts'
import { resolveByDns } from '../../../query-api/alerts/target/resolving.ts'
import { openSender } from '../../../query-api/alerts/target/sender.ts'
import { openLmdbTables } from '../../data-dir/lmdb-tables.ts'
import { ALERT_TABLES, ALERTS_FOLDER } from '../../operations/backup/data-dir.ts'
import type { StoreSnapshot } from '../../ports/snapshot.ts'
import { UsageError } from '../command.ts'
import type { noticesTo } from '../output/logger.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'
import { type OpenRedis, openRedis, REDIS_PREFIX } from './open-redis.ts'

type StoredRows = {
  readonly [Table in keyof AlertStore]: AlertStore[Table] extends { get(key: string): infer Value } ? NonNullable<Value> : never
}

const openTables = (dataDir: string) => openLmdbTables<StoredRows>(join(dataDir, ALERTS_FOLDER), ALERT_TABLES)

export interface AlertsGiven extends Pick<AlertContext, 'view' | 'clock' | 'odds' | 'feed' | 'notice' | 'challengeWaitS'> {
  readonly settings: Settings
  readonly baseUrl: string
  readonly redis: OpenRedis | undefined
  readonly closing: Closing
  readonly live: (() => StoreSnapshot)[]
}

/** Does not start delivery. Registers its end with `closing`, and its backup snapshot with `live`. */
export const openAlerts = ({ settings, baseUrl, redis, closing, live, ...given }: AlertsGiven): Alerts => {
  let rows: AlertRows
  if (redis === undefined) {
    const { tables, snapshot, close } = openTables(settings.dataDir)
    closing.add('alerts', close)
    live.push(() => snapshot(ALERTS_FOLDER))
    rows = new TableRows(tables)
  } else rows = new RedisRows({ client: redis, prefix: REDIS_PREFIX })
  const resolve = resolveByDns()
  const rules = { allowsLoopback: settings.payments === 'sandbox' }
  const alerts = new Alerts({
    ...{ ...given, rows, wallClock: { now: Date.now }, message: messageContextOf(baseUrl) },
    ...{ resolve, rules, openSender: () => openSender(resolve, rules) },
  })
  closing.add('delivery of alerts', () => alerts.close())
  return alerts
}

/** Opens the store for a command, also while another process uses it. @throws UsageError if there is none */
export const openAlertRows = async (
  { dataDir, redisUrl }: Settings,
  closing: Closing,
  notice: ReturnType<typeof noticesTo>,
): Promise<AlertRows> => {
  if (redisUrl !== null) return new RedisRows({ client: await openRedis(redisUrl, closing, notice), prefix: REDIS_PREFIX })
  if (!existsSync(join(dataDir, ALERTS_FOLDER, 'data.mdb')))
    throw new UsageError(`${dataDir} has no alerts of mintfold: set MINTFOLD_DATA_DIR, or REDIS_URL if they are stored in Redis`)
  const { tables, close } = openTables(dataDir)
  closing.add('alerts', close)
  return new TableRows(tables)
}
