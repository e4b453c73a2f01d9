// Compares every view and aggregate of a history with a recomputation from its tables: plain queries, without FINAL, from the beginning.
import type { HistoryClient } from '../../topology/history/client.ts'

/** Current rows: the newest of each key, unless that one is retracted. */
const currentRows = (table: string, key: string): string =>
  `(SELECT * FROM (SELECT * FROM DB.${table}_log ORDER BY version DESC LIMIT 1 BY ${key}) WHERE is_deleted = 0)`
const PLACE = 'slot, tx_index, outer_ix, inner_ix, hash8'
const [launches, trades, poolTrades, moreBuys, migrations] = ['launches', 'trades', 'pool_trades', 'post_complete_buys', 'migrations'].map(
  (table) => currentRows(table, `mint, ${PLACE}`),
)
const ticks = currentRows('ticks', 'slot, hash8')
const flags = currentRows('flags', `mint, ${PLACE}, detector`)
const shadowFlags = currentRows('shadow_flags', `mint, ${PLACE}, detector`)
const outcomes = currentRows('outcomes', `mint, ${PLACE}`)
const roles = currentRows('wallet_roles', `wallet, mint, role, ${PLACE}`)

const shapes = currentRows('launch_shapes', `mint, ${PLACE}`)

const UP_TO = '(SELECT max(up_to) FROM DB.progress WHERE is_filling)'
const minute = (clock: string): string => `toStartOfMinute(${clock}, 'UTC')`
const part = (what: string, from: string, { clock = 'tick_at', n = 'count()', lamports = '0', where = 'true', flag = "''" } = {}): string =>
  `SELECT ${minute(clock)} AS minute, '${what}' AS what, ${flag} AS flag, toInt64(${n}) AS n, toInt64(${lamports}) AS lamports FROM ${from} WHERE ${where} GROUP BY minute, flag`
const SOL = 'sumIf(quote_units, quote_mint IS NULL)'
const MINUTES = [
  part('launches', `${launches}`),
  part('mayhem', `${launches}`, { where: 'is_mayhem' }),
  part('buys', `${trades}`, { lamports: SOL, where: 'is_buy AND NOT is_agent' }),
  part('sells', `${trades}`, { lamports: SOL, where: 'NOT is_buy AND NOT is_agent' }),
  part('buys', `${poolTrades}`, { lamports: SOL, where: 'is_buy AND NOT is_agent' }),
  part('sells', `${poolTrades}`, { lamports: SOL, where: 'NOT is_buy AND NOT is_agent' }),
  part('failed', ticks, { n: 'sum(ifNull(launchpad_failed, 0))' }),
  part('total', ticks, { n: 'sum(ifNull(launchpad_transactions, 0))' }),
  part('migrations', `${migrations}`),
  part('graduated', outcomes, { clock: 'at', where: 'graduated' }),
  part('flags', flags, { clock: 'at', flag: 'flag' }),
  part('frames', ticks),
].join(' UNION ALL ')
const COUNTS = ['launches', 'mayhem', 'buys', 'sells', 'failed', 'total', 'migrations', 'graduated', 'frames']

const AS_OF = '(SELECT any(as_of) FROM DB.wallet_positions)'
const inWindow = (clock: string): string =>
  `${clock} <= ${AS_OF} AND toStartOfInterval(${clock}, INTERVAL 10 MINUTE, 'UTC') > ${AS_OF} - INTERVAL 3 DAY`
const deal = (from: string, kind: string, isBuy: string, lamports: string, where: string): string =>
  `SELECT user AS wallet, mint, '${kind}' AS kind, ${isBuy} AS is_in, toInt128(token_units) AS units, toInt128(${lamports}) AS lamports, slot,
     (slot, tx_index, outer_ix, inner_ix) AS place FROM ${from} WHERE quote_mint IS NULL AND ${where} AND ${inWindow('tick_at')}`
const POSITIONS = `SELECT wallet, deals.mint AS mint, countIf(kind = 'trade') AS trades,
    sumIf(units, is_in) AS bought, sumIf(units, NOT is_in) AS sold,
    sumIf(lamports, is_in) AS paid, sumIf(lamports, NOT is_in) AS got,
    toString(min(place)) AS first_place, toString(max(place)) AS last_place,
    max(is_in AND launched.slot > 0 AND deals.slot <= launched.slot + 2) AS sniped,
    max((wallet, deals.mint) IN (SELECT wallet, mint FROM ${roles} WHERE ${inWindow('at')})) AS role
  FROM (
    ${deal(`${trades}`, 'trade', 'is_buy', 'quote_units + if(is_buy, 1, -1) * (ifNull(fee_units, 0) + ifNull(creator_fee_units, 0))', 'NOT is_agent')}
    UNION ALL ${deal(`${poolTrades}`, 'trade', 'is_buy', 'user_quote_units', 'NOT is_agent')}
    UNION ALL ${deal(`${moreBuys}`, 'more', 'true', 'quote_units', 'true')}
  ) AS deals
  LEFT JOIN (SELECT mint, min(slot) AS slot FROM ${launches} GROUP BY mint) AS launched ON launched.mint = deals.mint
  GROUP BY wallet, mint`
const CLASS = `multiIf(with_role * 10 >= n * 3, 'insider', n >= 5 AND sniped * 2 >= n, 'sniper', closed >= 10 AND realized > 0 AND won * 100 >= closed * 55, 'skilled', 'crowd')`
const RESULTS = `SELECT wallet, ${CLASS} AS class, realized, n, closed, won, sniped, with_role FROM (
    SELECT wallet, count() AS n, sum(ifNull(realized_lamports, 0)) AS realized,
      countIf(is_closed) AS closed, countIf(is_closed AND realized_lamports > 0) AS won,
      countIf(is_sniped) AS sniped, countIf(has_role) AS with_role FROM DB.wallet_positions GROUP BY wallet)`
const RANKED = 'wallet, class, realized_lamports, n_positions, n_closed, n_won, n_sniped, n_with_role'

/** Dev wallets by mint: the caller of create, and the creator it names if that is a wallet. */
const DEVS = `(SELECT mint, arrayJoin(arrayDistinct(if(is_creator_wallet, [user, creator], [user]))) AS dev FROM ${launches})`

/** The bands of launch shapes, written a second time from their documentation only. */
const DEV_BUY = `multiIf(dev_buy_quote_units = 0, 'none', dev_buy_quote_units < 1e9, 'under_1_sol', dev_buy_quote_units <= 5e9, '1_to_5_sol', 'over_5_sol')`
const BUNDLE = `multiIf(n_bundle_wallets = 0, 'none', n_bundle_wallets <= 4, '1_to_4', '5_or_more')`
const CREATOR = `multiIf(prior_n_launches = 0, 'first_time', prior_n_graduated >= 1, 'has_graduated',
  prior_n_resolved >= 3 AND prior_n_rugged / prior_n_resolved >= 0.5, 'serial_rugger', 'mixed')`
const ALIKE = `arrayJoin([(4, ${DEV_BUY}, ${BUNDLE}, ${CREATOR}), (3, ${DEV_BUY}, ${BUNDLE}, ''), (2, ${DEV_BUY}, '', ''), (1, '', '', '')])`

/** By view: a query of its rows, and a query of the expected rows. Row order does not matter. */
const PAIRS: Readonly<Record<string, readonly [is: string, should: string]>> = {
  regime_minutes: [
    `SELECT toString(minute) AS m, launches, mayhem, buys, sells, failed, total, migrations, true_graduations, frames,
       buy_lamports, sell_lamports,
       arraySort(mapKeys(rug_flags)) AS names, arraySum(mapValues(rug_flags)) AS flagged
     FROM DB.regime_minutes WHERE is_complete AND minute >= KNOWN AND frames + launches + buys + sells + flagged + true_graduations > 0`,
    `SELECT toString(minute) AS m, ${COUNTS.map((what) => `sumIf(n, what = '${what}')`).join(', ')}, sumIf(lamports, what = 'buys'),
       sumIf(lamports, what = 'sells'), arraySort(groupUniqArrayIf(flag, what = 'flags')), sumIf(n, what = 'flags')
     FROM (${MINUTES}) WHERE minute >= KNOWN AND minute + INTERVAL 1 MINUTE <= ${UP_TO} GROUP BY minute`,
  ],
  base_rates: [
    'SELECT launches, grad_rate, rug_rate, dev_sold_rate, reached_5_sol_rate, toString(as_of) FROM DB.base_rates',
    `SELECT count(), avg(graduated), avg(rugged), countIf(dev_first_sell_dt_s IS NOT NULL) / count(),
       countIf(peak_quote_units >= 5000000000) / count(), toString(${UP_TO})
     FROM ${outcomes} WHERE graduated IS NOT NULL AND rugged IS NOT NULL AND at <= ${UP_TO} AND t0 > ${UP_TO} - INTERVAL 7 DAY`,
  ],
  cohorts: [
    `SELECT parts, is_mayhem, ifNull(dev_buy, ''), ifNull(bundle, ''), ifNull(creator_kind, ''), n, rugged, graduated, collapse_p50_s, collapse_p90_s FROM DB.cohorts`,
    `SELECT alike.1, is_mayhem, alike.2, alike.3, alike.4, count(), countIf(rugged), countIf(graduated),
       if(countIf(rugged) = 0, NULL, arraySort(groupArrayIf(rug_dt_s, rugged))[intDiv(countIf(rugged) + 1, 2)]) AS half,
       if(countIf(rugged) = 0, NULL, arraySort(groupArrayIf(rug_dt_s, rugged))[intDiv(countIf(rugged) * 9 + 9, 10)]) AS most
     FROM (SELECT mint, is_mayhem, ${ALIKE} AS alike FROM ${shapes} WHERE quote_mint IS NULL) AS shaped
     JOIN (SELECT * FROM ${outcomes} WHERE graduated IS NOT NULL AND rugged IS NOT NULL) AS settled ON settled.mint = shaped.mint
     GROUP BY alike, is_mayhem`,
  ],
  detector_scorecard: [
    'SELECT flag, detector, detector_version, tier, flagged, resolved, rugged, rugged_total FROM DB.detector_scorecard',
    `SELECT flag, detector, detector_version, tier, count(),
       countIf(settled.mint != '' AND settled.at >= first AND settled.rugged IS NOT NULL),
       countIf(settled.mint != '' AND settled.at >= first AND settled.rugged), (SELECT count() FROM ${outcomes} WHERE rugged)
     FROM (SELECT flag, detector, detector_version, tier, mint, min(at) AS first
       FROM (SELECT *, 'active' AS tier FROM ${flags} UNION ALL SELECT *, 'shadow' FROM ${shadowFlags})
       GROUP BY flag, detector, detector_version, tier, mint) AS found
     LEFT JOIN ${outcomes} AS settled ON settled.mint = found.mint
     GROUP BY flag, detector, detector_version, tier`,
  ],
  creator_stats: [
    'SELECT creator, n_launches, n_resolved, n_graduated, n_rugged, total_dev_buy_lamports FROM DB.creator_stats',
    `SELECT creator, sum(l), sum(r), sum(g), sum(x), sum(d) FROM (
       SELECT dev AS creator, 1 AS l, 0 AS r, 0 AS g, 0 AS x, 0 AS d FROM ${DEVS}
       UNION ALL SELECT if(dev = '', settled.creator, dev), 0, graduated IS NOT NULL AND rugged IS NOT NULL,
         ifNull(graduated AND rugged IS NOT NULL, 0), ifNull(rugged AND graduated IS NOT NULL, 0),
         if(quote_mint IS NULL, dev_buy_quote_units, 0)
       FROM (SELECT * FROM ${outcomes}) AS settled LEFT JOIN (SELECT mint, dev FROM ${DEVS}) AS launched ON launched.mint = settled.mint)
     GROUP BY creator`,
  ],
  launch_minutes: [
    'SELECT mint, toString(minute), buys, sells, buyers, sellers, buy_quote_units, sell_quote_units, real_quote_units_high FROM DB.launch_minutes',
    `SELECT mint, toString(${minute('tick_at')} AS m), countIf(is_buy AND NOT is_agent), countIf(NOT is_buy AND NOT is_agent),
       uniqExactIf(user, is_buy AND NOT is_agent), uniqExactIf(user, NOT is_buy AND NOT is_agent),
       sumIf(quote_units, is_buy AND NOT is_agent), sumIf(quote_units, NOT is_buy AND NOT is_agent), max(real_quote_units)
     FROM ${trades} GROUP BY mint, m`,
  ],
  wallet_positions: [
    `SELECT wallet, mint, trades, toString(bought_units), toString(sold_units), toString(paid_lamports), toString(got_lamports),
       first_position, position, toUInt8(is_sniped), toUInt8(has_role)
     FROM DB.wallet_positions`,
    `SELECT wallet, mint, trades, toString(bought), toString(sold), toString(paid), toString(got), first_place, last_place, toUInt8(sniped), toUInt8(role) FROM (${POSITIONS})`,
  ],
  wallet_results: [`SELECT ${RANKED} FROM DB.wallet_results`, RESULTS],
  wallet_leaderboard: [`SELECT ${RANKED} FROM DB.wallet_leaderboard`, RESULTS],
  retracted_flags: [
    'SELECT finding_id FROM DB.retracted_flags',
    'SELECT id FROM (SELECT id, is_deleted FROM DB.flags_log ORDER BY version DESC LIMIT 1 BY id) WHERE is_deleted = 1',
  ],
  frames: ['SELECT slot, position FROM DB.frames', `SELECT slot, concat('solana:', toString(slot), '.~') FROM ${ticks}`],
}
export const RECOMPUTED = Object.keys(PAIRS)

/** Converts tuples of a chain position into position texts, which views use. */
const comparable = (text: string): string =>
  text.replace(/"\((\d+),(\d+),(\d+),(\d+)\)"/g, '"solana:$1.$2.$3.$4"').replace(/\b4294967295\b/g, '~')

/** Returns the rows that only one side has, and the number of rows compared by view. Does not refresh the views. */
export const compareRecomputed = async ({ rows, database }: Pick<HistoryClient, 'rows' | 'database'>) => {
  const differences: string[] = []
  const compared: Record<string, number> = {}
  const ask = async (sql: string): Promise<string[]> => {
    const known = `(SELECT max("from") FROM DB.coverage WHERE table = 'trades')`
    const text =
      `SELECT toJSONString(tuple(*)) AS line FROM (${sql.replaceAll('KNOWN', known)}) SETTINGS enable_named_columns_in_function_tuple = 0`.replaceAll(
        'DB.',
        `${database}.`,
      )
    return (await rows<{ line: string }>(text)).map(({ line }) => comparable(line)).sort()
  }
  for (const [name, [is, should]] of Object.entries(PAIRS)) {
    const [actual, expected] = [await ask(is), await ask(should)]
    compared[name] = expected.length
    const [actualSet, expectedSet] = [new Set(actual), new Set(expected)]
    differences.push(...actual.filter((line) => !expectedSet.has(line)).map((line) => `${name}: ${line} is in the view, but not expected`))
    differences.push(...expected.filter((line) => !actualSet.has(line)).map((line) => `${name}: ${line} is expected, but not in the view`))
    if (actual.length !== expected.length) differences.push(`${name}: the view has ${actual.length} rows, expected are ${expected.length}`)
  }
  return { differences, compared }
}
