// Shared by tests of wallets in the history: inserts rows, sums up, and reads the views.
import type { HistoryClient } from '../../topology/history/client.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import { computeWallets } from '../../topology/history/wallets.ts'
import type { positionRow } from '../fixtures/wallet-recount.ts'

/** Inserts rows up to a moment (unix seconds), and sums up. */
export const fill = async (client: HistoryClient, upTo: number, put: (batch: RowBatch) => void): Promise<void> => {
  const batch = new RowBatch(MINT_TABLES)
  put(batch)
  batch.progress({ sink: 'test', upTo })
  for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
  await computeWallets(client)
}
const COLUMNS = `wallet, mint, trades, position, event_id, first_position,
  toString(bought_units) AS bought_units, toString(sold_units) AS sold_units,
  toString(paid_lamports) AS paid_lamports, toString(got_lamports) AS got_lamports, realized_lamports, is_closed, is_sniped, has_role`
export const positionsOf = ({ database, rows }: HistoryClient) =>
  rows<ReturnType<typeof positionRow>>(`SELECT ${COLUMNS} FROM ${database}.wallet_positions ORDER BY wallet || ' ' || mint`)
export const leaderboardOf = ({ database, rows }: HistoryClient) =>
  rows<Record<string, unknown>>(
    `SELECT rank, wallet, class, realized_lamports, n_positions FROM ${database}.wallet_leaderboard ORDER BY rank, wallet`,
  )
