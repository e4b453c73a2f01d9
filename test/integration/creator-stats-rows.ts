// Rows of the view creator_stats under the names of the API.
import type { HistoryClient } from '../../topology/history/client.ts'

export interface StatsRow {
  readonly creator: string
  readonly as_of_s: number
  readonly [figure: string]: unknown
}

export const statsOf = (client: HistoryClient): Promise<readonly StatsRow[]> =>
  client.rows<StatsRow>(
    `SELECT creator, n_launches, n_resolved, grad_rate, rug_rate, median_dev_sell_s, n_launches = 0 AS is_first_time,
       toInt64(toUnixTimestamp(observed_since)) AS observed_since, total_dev_buy_lamports / 1000000000 AS total_dev_buy_sol,
       toInt64(toUnixTimestamp(as_of)) AS as_of_s
     FROM ${client.database}.creator_stats`,
  )
