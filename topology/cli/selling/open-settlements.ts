// The ledger of settlements for commands: in Redis, or in the data directory, also while another process uses it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RedisLog } from '../../../query-api/payment/stores/redis-log.ts'
import { RedisIdempotencyStore } from '../../../query-api/payment/stores/redis-store.ts'
import type { SettlementLine, SettlementLog } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { FORMER_FOLDERS, SALES_FOLDER } from '../../operations/backup/data-dir.ts'
import { UsageError } from '../command.ts'
import type { noticesTo } from '../output/logger.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'
import { openRedis, REDIS_PREFIX } from './open-redis.ts'
import { openPaymentTables } from './payment-tables.ts'

export interface OpenSettlements {
  readonly log: SettlementLog
  /** The signed payload of a payment of the last 24 h; undefined if it is no longer stored. */
  signedOf(identity: string): Promise<SettlementLine['signed'] | undefined>
}

/** lmdb supports several processes on one table, so a running process is not disturbed. @throws UsageError if there is no ledger. */
export const openSettlements = async (
  { dataDir, redisUrl }: Settings,
  closing: Closing,
  notice: ReturnType<typeof noticesTo>,
): Promise<OpenSettlements> => {
  if (redisUrl !== null) {
    const client = await openRedis(redisUrl, closing, notice)
    const book = new RedisIdempotencyStore({ client, prefix: REDIS_PREFIX, clock: { now: Date.now } })
    const signedOf = async (identity: string) => (await book.find(identity))?.payload.payload
    return { log: new RedisLog(client, REDIS_PREFIX), signedOf }
  }
  if (!existsSync(join(dataDir, SALES_FOLDER))) throw new UsageError(`${dataDir} has no payments of mintfold: ${adviceFor(dataDir)}`)
  const { tables, close } = openPaymentTables(dataDir)
  closing.add(SALES_FOLDER, close)
  return { log: new TableLog(tables.settlements), signedOf: async (identity) => tables.book.get(identity)?.payload.payload }
}

const adviceFor = (dataDir: string): string =>
  existsSync(join(dataDir, FORMER_FOLDERS.book))
    ? 'start mintfold once, which migrates those of an earlier version'
    : 'set MINTFOLD_DATA_DIR, or REDIS_URL if they are stored in Redis'
