// Queries about wallets: sums up spans of trades until none is left, and reads the record of one wallet.
import { amountOf } from '../../schemas/amount.ts'
import { type Key, keyOfText, keyText } from '../../schemas/keys.ts'
import type { RanksKnown, WalletClass, WalletPayment, WalletRecord, WalletResult } from '../ports/history.ts'
import type { HistoryClient } from './client.ts'
import { exactSql } from './rows/columns.ts'
import { refreshView } from './tables/refresh-view.ts'

/** Maximum rows of `wallet_leaderboard` (deploy/clickhouse/views/8-wallets.sql). */
const RANKED_MAX = 100_000
/** One refresh sums 50,000 trades; up to this many run back to back. The rest follows one per minute. */
const ROUNDS_MAX = 100
/** Results are computed in this many parts if many are due (deploy/clickhouse/views/8-wallets.sql). */
const BUCKETS = 16
/** The sums count as complete if they lag by at most this, seconds of stream time. */
const BEHIND_S_MAX = 120

interface AsOf {
  readonly as_of_s: number
  readonly up_to_s: number
}

/** Computes results until they cover all sums; false if one round more than there are buckets does not suffice. @throws EngineError */
export const computeResults = async (client: Pick<HistoryClient, 'database' | 'command' | 'rows'>): Promise<boolean> => {
  for (let round = 0; round <= BUCKETS; round++) {
    const [known] = await client.rows<{ n: number }>(`SELECT length(buckets) AS n FROM ${client.database}.wallet_results_known_refresh`)
    await refreshView(client, 'wallet_results_refresh')
    // This refresh covered all buckets, so every change is included.
    if (known?.n === BUCKETS) return true
  }
  return false
}

/** Sums up everything, then ranks: for a newly filled history. @throws EngineError */
export const computeWallets = async ({ database, command, rows }: Pick<HistoryClient, 'database' | 'command' | 'rows'>): Promise<void> => {
  const compute = (view: string): Promise<void> => refreshView({ database, command }, view)
  let reachedS = -1
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await compute('wallet_spans_refresh')
    const [is] = await rows<AsOf>(
      `SELECT toUnixTimestamp(max(as_of)) AS as_of_s,
         (SELECT toUnixTimestamp(max(up_to)) FROM ${database}.progress WHERE is_filling) AS up_to_s
       FROM ${database}.wallet_spans_log`,
    )
    if (is === undefined || is.as_of_s <= reachedS || is.as_of_s >= is.up_to_s - BEHIND_S_MAX) break
    reachedS = is.as_of_s
  }
  await computeResults({ database, rows, command })
  await compute('wallet_leaderboard')
}

/** When wallets were ranked, and since when trades are known; null if none are ranked yet. @throws EngineError */
export const readRanksKnown = async ({ database, rows }: Pick<HistoryClient, 'database' | 'rows'>): Promise<RanksKnown | null> => {
  const [[board], [kept]] = await Promise.all([
    rows<{ as_of_s: number }>(`SELECT toUnixTimestamp(max(as_of)) AS as_of_s FROM ${database}.wallet_leaderboard`),
    rows<{ from_s: number }>(`SELECT toUnixTimestamp("from") AS from_s FROM ${database}.coverage WHERE table = 'trades'`),
  ])
  return board === undefined || board.as_of_s === 0 || kept === undefined ? null : { asOf: board.as_of_s, since: kept.from_s }
}

interface ResultRow {
  /** 0 if the wallet is not on the leaderboard. */
  readonly rank: number
  readonly class: WalletClass
  /** Digits. */
  readonly realized: string
  readonly n_positions: number
  readonly n_closed: number
  readonly n_won: number
  readonly n_sniped: number
  readonly n_with_role: number
  readonly trades: number
  readonly as_of_s: number
}

const FIGURES =
  'class, toString(realized_lamports) AS realized, n_positions, n_closed, n_won, n_sniped, n_with_role, trades, toUnixTimestamp(as_of) AS as_of_s'

/**
 * The record of one wallet: from the leaderboard, else computed now.
 * @param since start of known trades, unix seconds. @throws EngineError
 */
export const readWallet = async (
  client: Pick<HistoryClient, 'database' | 'rows'>,
  key: Key,
  since: number | null,
): Promise<WalletRecord> => {
  const { database, rows } = client
  const wallet = keyText(key)
  const [[ranked], [board], payment] = await Promise.all([
    rows<ResultRow>(`SELECT rank, ${FIGURES} FROM ${database}.wallet_leaderboard WHERE wallet = {wallet:String} LIMIT 1`, { wallet }),
    rows<{ n: number; as_of_s: number }>(`SELECT count() AS n, toUnixTimestamp(max(as_of)) AS as_of_s FROM ${database}.wallet_leaderboard`),
    newestPayment(client, wallet),
  ])
  const row =
    ranked ??
    (
      await rows<ResultRow>(`SELECT 0 AS rank, ${FIGURES} FROM ${database}.wallet_results WHERE wallet = {wallet:String} LIMIT 1`, {
        wallet,
      })
    )[0]
  return {
    result: row === undefined ? null : toResult(row),
    asOf: row?.as_of_s ?? (board?.as_of_s || null),
    since,
    ranked: board?.n ?? 0,
    rankedMax: RANKED_MAX,
    payment,
  }
}

const toResult = (row: ResultRow): WalletResult => ({
  class: row.class,
  rank: row.rank === 0 ? null : row.rank,
  realizedLamports: amountOf(BigInt(row.realized)),
  positions: row.n_positions,
  closed: row.n_closed,
  won: row.n_won,
  sniped: row.n_sniped,
  withRole: row.n_with_role,
  trades: row.trades,
})

interface PaymentRow {
  readonly funder: string
  /** Digits. */
  readonly amount: string
  readonly at_s: number
  readonly slot: number
  readonly tx_index: number
  readonly outer_ix: number
  readonly inner_ix: number
}

const newestPayment = async (
  { database, rows }: Pick<HistoryClient, 'database' | 'rows'>,
  wallet: string,
): Promise<WalletPayment | null> => {
  const [row] = await rows<PaymentRow>(
    `SELECT funder, toString(${exactSql('amount_lamports')}) AS amount, toUnixTimestamp(tick_at) AS at_s, slot, tx_index, outer_ix, inner_ix
     FROM ${database}.funding_log FINAL WHERE wallet = {wallet:String}
     ORDER BY slot DESC, tx_index DESC, outer_ix DESC, inner_ix DESC LIMIT 1`,
    { wallet },
  )
  if (row === undefined) return null
  const place = { number: row.slot, tx: row.tx_index, outer: row.outer_ix, inner: row.inner_ix }
  return { funder: keyOfText(row.funder), amountLamports: amountOf(BigInt(row.amount)), at: row.at_s, place }
}
