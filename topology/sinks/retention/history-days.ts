// Days of the history that retention can drop, and the disk usage of the history.
import type { HistoryClient } from '../../history/client.ts'
import { TEMPORARY_BYTES_MAX } from '../../history/engine/engine-config.ts'

const DAY = /^(\d{4})(\d{2})(\d{2})$/

/** The operations of retention on a history on the same disk. All reject with EngineError. */
export interface HistoryDays {
  /** Days of stream time (YYYYMMDD), oldest first. */
  days(): Promise<readonly string[]>
  /** Of all rows, and the most that temporary files of queries may have: they can be there before the next look. */
  bytes(): Promise<number>
  drop(day: string): Promise<void>
}

interface Part {
  readonly table: string
  readonly day: string
}

export const historyDaysOf = ({ database, rows, command }: Pick<HistoryClient, 'database' | 'rows' | 'command'>): HistoryDays => {
  const parts = async (): Promise<readonly Part[]> => {
    const found = await rows<Part>(
      `SELECT DISTINCT table, partition AS day FROM system.parts
       WHERE active AND database = {database:String} AND partition != 'tuple()' ORDER BY day, table`,
      { database },
    )
    return found.filter(({ day }) => DAY.test(day))
  }
  return {
    days: async () => [...new Set((await parts()).map(({ day }) => day))],
    bytes: async () => {
      const [row] = await rows<{ bytes: number }>(
        'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = {database:String}',
        {
          database,
        },
      )
      return Number(row?.bytes ?? 0) + TEMPORARY_BYTES_MAX
    },
    drop: async (day) => {
      await command(`INSERT INTO ${database}.dropped_days_log (day) VALUES ('${day.replace(DAY, '$1-$2-$3')}')`)
      const dropped = (await parts()).filter((part) => part.day === day)
      for (const { table } of dropped) await command(`ALTER TABLE ${database}.${table} DROP PARTITION ${day}`)
      if (!dropped.some(({ table }) => table === 'wallet_spans_log')) return
      // Results include the dropped spans: they are computed again from the remaining ones. A refresh that started before may still insert
      // some; those are older than the mark (views/8-wallets.sql).
      await command(`TRUNCATE TABLE ${database}.wallet_results_log`)
      await command(`INSERT INTO ${database}.wallet_results_log (bucket, wallet, refreshed_at) VALUES (255, '', now64(3, 'UTC'))`)
    },
  }
}
