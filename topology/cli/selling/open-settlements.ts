// The ledger of settlements as a command reads it: in Redis, or in the data directory beside whoever works there.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RedisBook } from '../../../query-api/payment/books/redis-book.ts'
import { RedisLog } from '../../../query-api/payment/books/redis-log.ts'
import type { SettlementLine, SettlementLog } from '../../../query-api/payment/books/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/books/table-log.ts'
import { FORMER_FOLDERS, SALES_FOLDER } from '../../operations/backup/data-dir.ts'
import { UsageError } from '../command.ts'
import type { noticesTo } from '../output/logger.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'
import { openRedis, REDIS_PREFIX } from './open-redis.ts'
import { openPaymentTables } from './payment-tables.ts'

export interface OpenSettlements {
  readonly log: SettlementLog
  /** What was signed, of a payment of the last 24 h; undefined where it is not known any more. */
  signedOf(identity: string): Promise<SettlementLine['signed'] | undefined>
}

/** lmdb lets several processes read and write one table: nothing is taken from who works there. @throws UsageError where there is none. */
export const openSettlements = async (
  { dataDir, redisUrl }: Settings,
  closing: Closing,
  notice: ReturnType<typeof noticesTo>,
): Promise<OpenSettlements> => {
  if (redisUrl !== null) {
    const client = await openRedis(redisUrl, closing, notice)
    const book = new RedisBook({ client, prefix: REDIS_PREFIX, clock: { now: Date.now } })
    const signedOf = async (identity: string) => (await book.find(identity))?.payload.payload
    return { log: new RedisLog(client, REDIS_PREFIX), signedOf }
  }
  if (!existsSync(join(dataDir, SALES_FOLDER))) throw new UsageError(`${dataDir} holds no payments of mintfold: ${adviceFor(dataDir)}`)
  const { tables, close } = openPaymentTables(dataDir)
  closing.add(SALES_FOLDER, close)
  return { log: new TableLog(tables.settlements), signedOf: async (identity) => tables.book.get(identity)?.payload.payload }
}

const adviceFor = (dataDir: string): string =>
  existsSync(join(dataDir, FORMER_FOLDERS.book))
    ? 'start it once, and it takes over those of an earlier version'
    : 'set MINTFOLD_DATA_DIR, or REDIS_URL where they are kept there'
