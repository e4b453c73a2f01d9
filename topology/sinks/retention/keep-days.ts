// Retention of rows in the large tables, in days after insertion: MINTFOLD_HISTORY_DAYS.
import { EngineError } from '../../../schemas/errors.ts'
import type { HistoryClient } from '../../history/client.ts'
import type { Notice } from '../../ports/notice.ts'

/** The TTL in the shipped CREATE statements. */
export const HISTORY_DAYS = 90
/** Minimum: `coverage` subtracts 8 days, because rows written again by a rebuild were inserted later than the rest. */
export const HISTORY_DAYS_MIN = 10

const TTL = /TTL received_at \+ toIntervalDay\((\d+)\)/

type Ways = Pick<HistoryClient, 'database' | 'rows' | 'command'>

/**
 * Changes the TTL of the tables where it differs, after `coverage` has been updated. A part stores the date of its expiry, so a part
 * written under a shorter TTL would still expire by that TTL: ClickHouse recalculates the date of each part (it reads one column and
 * leaves the others as they are). A failure emits a notice, and the next start retries.
 */
export const keepDays = async (client: Ways, days: number, notice: Notice): Promise<void> => {
  try {
    await set(client, days, notice)
  } catch (failure) {
    if (!(failure instanceof EngineError)) throw failure
    notice('history_days_not_set', { days, reason: failure.message })
  }
}

const set = async ({ database, rows, command }: Ways, days: number, notice: Notice): Promise<void> => {
  const [kept] = await rows<{ days: number }>(`SELECT days FROM ${database}.kept_days_log ORDER BY set_at DESC LIMIT 1`)
  const before = kept?.days ?? HISTORY_DAYS
  if (before !== days) await command(`INSERT INTO ${database}.kept_days_log (days) VALUES (${days})`)
  const tables = await rows<{ name: string; engine: string }>(
    'SELECT name, engine_full AS engine FROM system.tables WHERE database = {database:String} ORDER BY name',
    { database },
  )
  const due = tables.filter(({ engine }) => Number(TTL.exec(engine)?.[1] ?? days) !== days)
  for (const { name } of due) {
    const table = `ALTER TABLE ${database}.${name}`
    await command(`${table} MODIFY SETTING materialize_ttl_recalculate_only = 1`)
    await command(`${table} MODIFY TTL received_at + INTERVAL ${days} DAY SETTINGS materialize_ttl_after_modify = 0`)
    await command(`${table} MATERIALIZE TTL SETTINGS mutations_sync = 0`)
  }
  if (due.length > 0) notice('history_days_set', { days, before, tables: due.length })
}
