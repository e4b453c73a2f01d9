// Measures the cost of wallets in the embedded ClickHouse: this many positions over three days, their ranks, one wallet's record, and a
// refresh of the sums in a table that holds a day of trades.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'
import { migrate } from '../../topology/history/tables/migrate.ts'
import { SPAN_COLUMNS } from './history-load.ts'
import { retried } from './requests.ts'

const ROWS_OF_INSERT = 50_000
const WALLETS = 3_000_000
const MINTS = 108_000
const END_S = 1_790_000_000
const READS = 20
const DAY_S = 86_400
const MERGE_MS_MAX = 120_000

/** Activity per wallet ranges from very busy to a single trade; mints in order of launch; one span per position. */
const insertSpans = (
  database: string,
  from: number,
  rows: number,
  total: number,
): string => `INSERT INTO ${database}.wallet_spans_log (${SPAN_COLUMNS})
  SELECT
    base58Encode(toFixedString(concat(reinterpretAsFixedString(sipHash128(w)), reinterpretAsFixedString(sipHash128(w, 1))), 32)) AS wallet,
    base58Encode(toFixedString(concat(reinterpretAsFixedString(sipHash128(m, 2)), reinterpretAsFixedString(sipHash128(m, 3))), 32)) AS mint,
    toStartOfInterval(toDateTime(${END_S} - intDiv(m * 259200, ${MINTS}), 'UTC'), INTERVAL 10 MINUTE, 'UTC') AS span,
    1 + number % 5 AS trades, 1000000 * (1 + rand(1) % 1000000) AS bought, bought * (rand(2) % 2) AS sold,
    10000 * (1 + rand(3) % 100000) AS paid,
    if(sold > 0, 10000 * (1 + rand(4) % 100000), 0) AS got, rand(5) % 20 = 0 AS is_sniped, rand(6) % 30 = 0 AS has_role,
    (300000000 + intDiv(number, 100), rand(7) % 1000, rand(8) % 4, rand(9) % 3, span, 'abcdefgh') AS first_place, first_place AS last_place,
    toDateTime64(${END_S}, 3, 'UTC') AS as_of, now64(3, 'UTC') AS refreshed_at, 0 AS is_deleted
  FROM (
    SELECT number, toUInt64(${WALLETS} * pow((rand64(11) % 1000000007) / 1000000007, 2)) AS w, intDiv(number * ${MINTS}, ${total}) AS m
    FROM numbers(${from}, ${rows})
  ) SETTINGS max_threads = 1, max_block_size = ${ROWS_OF_INSERT}`

/** Trades of the last day, ordered by time. */
const insertTrades = (database: string, from: number, rows: number, total: number): string => `INSERT INTO ${database}.trades_log
  (slot, tx_index, outer_ix, inner_ix, hash8, version, is_deleted, tick_at, at, signature_bytes, mint_bytes, user_bytes,
   is_buy, is_agent, is_mayhem,
   quote_mint_bytes, token_units, quote_units, fee_units, creator_fee_units, virtual_quote_units, virtual_token_units, creator_bytes,
   layout)
  SELECT 400000000 + intDiv(number, 50), number % 50, 0, 1, 'abcdefgh', number, 0,
    toDateTime64(${END_S - DAY_S} + intDiv(number * ${DAY_S}, ${total}), 3, 'UTC') AS tick_at, tick_at, toFixedString('', 64),
    toFixedString(concat(reinterpretAsFixedString(sipHash128(coin, 2)), reinterpretAsFixedString(sipHash128(coin, 3))), 32),
    toFixedString(concat(reinterpretAsFixedString(sipHash128(who)), reinterpretAsFixedString(sipHash128(who, 1))), 32),
    number % 2, false, false, NULL, 1000000, 1000000, 1, 1, 1, 1, NULL, 'G8'
  FROM (SELECT number, intDiv(number, 100) AS coin, number % 70001 AS who FROM numbers(${from}, ${rows}))
  SETTINGS max_threads = 1, max_block_size = ${ROWS_OF_INSERT}`

interface Cost {
  readonly ms: number
  readonly cpuMs: number
}
const CLOCK_TICK_MS = 10
/** Linux only. */
const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS
}
const memoryMbOf = (pid: number, name: 'VmHWM' | 'VmRSS'): number =>
  Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

/** Waits until the bulk inserts are merged: in production three days arrive row by row. */
const merged = async (client: HistoryClient): Promise<void> => {
  for (let at = performance.now(); performance.now() - at < MERGE_MS_MAX; ) {
    if ((await client.rows('SELECT 1 FROM system.merges')).length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

/** @param positions total number. @param trades number in the last day */
export const runWallets = async (positions: number, trades: number, print: (line: string) => void): Promise<object> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-wallets-'))
  const server = new ClickHouseServer({ dir, port: 0, database: 'mintfold' })
  await server.start()
  const client = createHistoryClient(server.target(), 600_000)
  const costOf = async (work: () => Promise<unknown>): Promise<Cost> => {
    const [at, cpu] = [performance.now(), cpuMsOf(server.pid() ?? 0)]
    await work()
    return { ms: Math.round(performance.now() - at), cpuMs: cpuMsOf(server.pid() ?? 0) - cpu }
  }
  const refresh = async (view: string): Promise<void> => {
    await client.command(`SYSTEM REFRESH VIEW mintfold.${view}`)
    await client.command(`SYSTEM WAIT VIEW mintfold.${view}`)
  }
  try {
    await migrate(client)
    for (const view of ['wallet_spans_refresh', 'wallet_leaderboard']) await client.command(`SYSTEM STOP VIEW mintfold.${view}`)
    for (let from = 0; from < positions; from += ROWS_OF_INSERT) {
      await retried(() => client.command(insertSpans('mintfold', from, ROWS_OF_INSERT, positions)))
      if (from % 1_000_000 === 0) print(`${from} positions`)
    }
    for (const view of ['wallet_spans_refresh', 'wallet_leaderboard']) await client.command(`SYSTEM START VIEW mintfold.${view}`)
    await merged(client)
    const filledMb = memoryMbOf(server.pid() ?? 0, 'VmHWM')
    print('filled')
    const leaderboard = await costOf(() => refresh('wallet_leaderboard'))
    print(`leaderboard ${JSON.stringify(leaderboard)}`)
    for (let from = 0; from < trades; from += ROWS_OF_INSERT)
      await retried(() => client.command(insertTrades('mintfold', from, ROWS_OF_INSERT, trades)))
    await client.command(`INSERT INTO mintfold.progress_log VALUES ('soak', ${END_S}, toDateTime64(${END_S}, 3, 'UTC'))`)
    const before = memoryMbOf(server.pid() ?? 0, 'VmHWM')
    const sums = await costOf(() => refresh('wallet_spans_refresh'))
    const [wallet] = await client.rows<{ wallet: string }>('SELECT wallet FROM mintfold.wallet_spans_log LIMIT 1')
    const reads = await costOf(async () => {
      for (let n = 0; n < READS; n++)
        await client.rows('SELECT * FROM mintfold.wallet_results WHERE wallet = {wallet:String}', { wallet: wallet?.wallet ?? '' })
    })
    const [disk] = await client.rows<{ rows: number; bytes: number }>(
      "SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = 'wallet_spans_log'",
    )
    const [board] = await client.rows<{ n: number }>('SELECT count() AS n FROM mintfold.wallet_leaderboard')
    const memoryMb = {
      filled: filledMb,
      beforeSums: before,
      most: memoryMbOf(server.pid() ?? 0, 'VmHWM'),
      now: memoryMbOf(server.pid() ?? 0, 'VmRSS'),
    }
    return {
      positions,
      rows: disk?.rows,
      bytesOnDisk: disk?.bytes,
      leaderboard,
      ranked: board?.n,
      trades,
      sums,
      readMs: reads.ms / READS,
      memoryMb,
    }
  } finally {
    await client.close()
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
