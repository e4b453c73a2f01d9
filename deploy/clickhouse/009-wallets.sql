-- What wallets made of the coins they traded in the last three days. Trades are summed up by wallet, mint and ten minutes of stream time; such a
-- span is summed up anew when a trade of it came, came again or was taken back, and positions are sums over spans. So nothing is counted twice.
-- Applied as well: 3b878173712f235b530c293f29ceaa5c803d4f696014cc2ad6fd81e42c962c6c (the same tables in words that ClickHouse 25.8 cannot read).

-- A span's rows are written in one part, or not at all: a refresh takes so many trades that its rows fit one block.
CREATE TABLE IF NOT EXISTS mintfold.wallet_spans_log (
  wallet String CODEC(ZSTD(1)),
  mint String CODEC(ZSTD(1)),
  span DateTime('UTC') CODEC(ZSTD(1)),
  trades UInt32 CODEC(ZSTD(1)),
  bought_units Int128 CODEC(ZSTD(1)),
  sold_units Int128 CODEC(ZSTD(1)),
  paid_lamports Int64 CODEC(ZSTD(1)),
  got_lamports Int64 CODEC(ZSTD(1)),
  is_sniped Bool CODEC(ZSTD(1)),
  has_role Bool CODEC(ZSTD(1)),
  first_place Tuple(UInt64, UInt32, UInt32, UInt32, DateTime('UTC'), String) CODEC(ZSTD(1)),
  last_place Tuple(UInt64, UInt32, UInt32, UInt32, DateTime('UTC'), String) CODEC(ZSTD(1)),
  as_of DateTime64(3, 'UTC') CODEC(ZSTD(1)),
  refreshed_at DateTime64(3, 'UTC') CODEC(ZSTD(1)),
  is_deleted UInt8 CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(refreshed_at, is_deleted)
PARTITION BY toYYYYMMDD(span)
ORDER BY (wallet, mint, span)
TTL toDateTime(refreshed_at) + INTERVAL 5 DAY
SETTINGS ttl_only_drop_parts = 1, min_bytes_for_wide_part = 67108864;

-- due: the oldest spans of the window of which something came since they were summed up, or that were not whole then; as_of: up to where all
-- is summed up after this. What was told of a span before is told again, as gone where nothing is left of it.
CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.wallet_spans_refresh
REFRESH EVERY 1 MINUTE APPEND TO mintfold.wallet_spans_log
AS WITH
  (SELECT max(up_to) FROM mintfold.progress_log) AS up_to,
  (SELECT max(refreshed_at) FROM mintfold.wallet_spans_log) AS refreshed,
  (
    SELECT (groupArrayIf(span, before < 50000), minIf(span, before >= 50000), countIf(before >= 50000))
    FROM (
      SELECT span, sum(n) OVER (ORDER BY span) - n AS before
      FROM (
        SELECT span, sum(n) AS n, max(received) AS received
        FROM (
          SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n, max(received_at) AS received
          FROM mintfold.trades_log WHERE tick_at > up_to - INTERVAL 3 DAY AND tick_at <= up_to GROUP BY span
          UNION ALL
          SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n, max(received_at) AS received
          FROM mintfold.pool_trades_log WHERE tick_at > up_to - INTERVAL 3 DAY AND tick_at <= up_to GROUP BY span
          UNION ALL
          SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n, max(received_at) AS received
          FROM mintfold.post_complete_buys_log WHERE tick_at > up_to - INTERVAL 3 DAY AND tick_at <= up_to GROUP BY span
          UNION ALL
          SELECT toStartOfInterval(at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n, max(received_at) AS received
          FROM mintfold.wallet_roles_log WHERE at > up_to - INTERVAL 3 DAY AND at <= up_to GROUP BY span
        )
        GROUP BY span
      ) AS came
      LEFT JOIN (SELECT span, max(refreshed_at) AS refreshed, max(as_of) AS told FROM mintfold.wallet_spans_log GROUP BY span) AS told USING (span)
      WHERE received >= told.refreshed - INTERVAL 1 MINUTE OR told.told < least(up_to, toDateTime64(span + INTERVAL 10 MINUTE, 3, 'UTC'))
    )
  ) AS plan,
  plan.1 AS due,
  toDateTime64(arrayMin(due), 3, 'UTC') AS since,
  toDateTime64(arrayMax(due) + INTERVAL 10 MINUTE, 3, 'UTC') AS until
SELECT
  wallet,
  sums.mint AS mint,
  span,
  trades,
  bought_units,
  sold_units,
  paid_lamports,
  got_lamports,
  launch_slot > 0 AND bought_units > 0 AND first_buy_slot <= launch_slot + 2 AS is_sniped,
  has_role,
  first_place,
  last_place,
  if(plan.3 > 0, least(up_to, toDateTime64(plan.2, 3, 'UTC')), up_to) AS as_of,
  greatest(now64(3, 'UTC'), refreshed + INTERVAL 1 MILLISECOND) AS refreshed_at,
  trades = 0 AND bought_units = 0 AND NOT has_role AS is_deleted
FROM (
  SELECT
    wallet,
    mint,
    span,
    countIf(kind = 'trade') AS trades,
    sumIf(toInt128(units), is_buy) AS bought_units,
    sumIf(toInt128(units), kind = 'trade' AND NOT is_buy) AS sold_units,
    sumIf(lamports, is_buy) AS paid_lamports,
    sumIf(lamports, kind = 'trade' AND NOT is_buy) AS got_lamports,
    minIf(place.1, is_buy) AS first_buy_slot,
    max(kind = 'role') AS has_role,
    minIf(place, kind IN ('trade', 'more')) AS first_place,
    maxIf(place, kind IN ('trade', 'more')) AS last_place
  FROM (
    SELECT user AS wallet, mint, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, 'trade' AS kind, is_buy AS is_buy, token_units AS units, quote_units + if(is_buy, 1, -1) * (ifNull(fee_units, 0) + ifNull(creator_fee_units, 0)) AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(tick_at, 'UTC'), hash8) AS place
    FROM mintfold.trades_log FINAL
    WHERE tick_at >= since AND tick_at < until AND tick_at <= up_to AND has(due, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC')) AND quote_mint IS NULL AND NOT is_agent
    UNION ALL
    SELECT user AS wallet, mint, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, 'trade' AS kind, is_buy AS is_buy, token_units AS units, user_quote_units AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(tick_at, 'UTC'), hash8) AS place
    FROM mintfold.pool_trades_log FINAL
    WHERE tick_at >= since AND tick_at < until AND tick_at <= up_to AND has(due, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC')) AND quote_mint IS NULL AND NOT is_agent
    UNION ALL
    SELECT user AS wallet, mint, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, 'more' AS kind, true AS is_buy, token_units AS units, quote_units AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(tick_at, 'UTC'), hash8) AS place
    FROM mintfold.post_complete_buys_log FINAL
    WHERE tick_at >= since AND tick_at < until AND tick_at <= up_to AND has(due, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC')) AND quote_mint IS NULL
    UNION ALL
    SELECT wallet, mint, toStartOfInterval(at, INTERVAL 10 MINUTE, 'UTC') AS span, 'role' AS kind, false AS is_buy, 0 AS units, 0 AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(at, 'UTC'), hash8) AS place
    FROM mintfold.wallet_roles_log FINAL
    WHERE at >= since AND at < until AND at <= up_to AND has(due, toStartOfInterval(at, INTERVAL 10 MINUTE, 'UTC'))
    UNION ALL
    SELECT wallet, mint, span, 'told before' AS kind, false AS is_buy, 0 AS units, 0 AS lamports, first_place AS place
    FROM mintfold.wallet_spans_log
    WHERE span >= since AND span < until AND has(due, span) AND is_deleted = 0
  )
  GROUP BY wallet, mint, span
) AS sums
LEFT JOIN (
  SELECT mint, min(slot) AS launch_slot FROM mintfold.launches_log FINAL
  WHERE tick_at >= since - INTERVAL 10 MINUTE AND tick_at < until GROUP BY mint
) AS launches ON launches.mint = sums.mint
SETTINGS max_threads = 1, max_block_size = 8192, max_read_buffer_size = 65536, do_not_merge_across_partitions_select_final = 1;

CREATE VIEW IF NOT EXISTS mintfold.wallet_positions (
  wallet String COMMENT 'Who traded, base58, as the events name it. Ask for one: positions are summed up as they are asked for.',
  mint String COMMENT 'The coin, base58.',
  position String COMMENT 'Place on the chain of its newest trade in the window: solana:slot.transaction.outer.inner.',
  event_id String COMMENT 'position@hash8: that trade on its branch of the chain.',
  first_position String COMMENT 'Place of the oldest one in the window.',
  first_at DateTime('UTC') COMMENT 'Time of its frame, UTC.',
  last_at DateTime('UTC') COMMENT 'Time of the frame of the newest one, UTC.',
  trades UInt64 COMMENT 'Trades on the curve and in pools.',
  bought_units Int128 COMMENT 'Coins bought in the window, base units (6 decimals).',
  sold_units Int128 COMMENT 'Coins sold in it.',
  paid_lamports Int128 COMMENT 'SOL paid for them, fees included (where the oldest layouts say no fees: without).',
  got_lamports Int128 COMMENT 'SOL got for them, fees taken off.',
  realized_lamports Nullable(Int64) COMMENT 'got_lamports less what the coins sold had cost: sold_units x paid_lamports / bought_units, rounded towards zero. Null where none was bought in the window: the cost is not known.',
  is_closed Bool COMMENT 'At least as many coins were sold as bought.',
  is_sniped Bool COMMENT 'First bought at most 2 slots after the slot of the launch.',
  has_role Bool COMMENT 'The wallet is of the dev set, the bundle or the insiders of the launch (wallet_roles), by a role that it got in the window.',
  as_of DateTime64(3, 'UTC') COMMENT 'Every trade up to here is counted, stream time, UTC; the window begins 3 days before, to ten minutes.'
) AS WITH if(bought = 0, NULL, got - intDiv(sold * paid, if(bought = 0, 1, bought))) AS realized
SELECT
  wallet,
  mint,
  concat('solana:', toString(last_place.1), '.', toString(last_place.2), '.', if(last_place.3 = 4294967295, '~', toString(last_place.3)), '.', toString(last_place.4)) AS position,
  concat(position, '@', last_place.6) AS event_id,
  concat('solana:', toString(first_place.1), '.', toString(first_place.2), '.', if(first_place.3 = 4294967295, '~', toString(first_place.3)), '.', toString(first_place.4)) AS first_position,
  first_place.5 AS first_at,
  last_place.5 AS last_at,
  n AS trades,
  bought AS bought_units,
  sold AS sold_units,
  paid AS paid_lamports,
  got AS got_lamports,
  toInt64(multiIf(realized > 9007199254740991, 9007199254740991, realized < -9007199254740991, -9007199254740991, realized)) AS realized_lamports,
  toBool(bought > 0 AND sold >= bought) AS is_closed,
  sniped AS is_sniped,
  role AS has_role,
  as_of
FROM (
  WITH
    (SELECT max(span) FROM mintfold.wallet_spans_log) AS last_span,
    (SELECT max(as_of) FROM mintfold.wallet_spans_log WHERE span > last_span - INTERVAL 1 HOUR) AS newest
  SELECT
    wallet,
    mint,
    sum(spans.trades) AS n,
    sum(spans.bought_units) AS bought,
    sum(spans.sold_units) AS sold,
    sum(toInt128(spans.paid_lamports)) AS paid,
    sum(toInt128(spans.got_lamports)) AS got,
    max(spans.is_sniped) AS sniped,
    max(spans.has_role) AS role,
    minIf(spans.first_place, spans.trades > 0 OR spans.bought_units > 0) AS first_place,
    max(spans.last_place) AS last_place,
    newest AS as_of
  FROM mintfold.wallet_spans_log AS spans FINAL
  WHERE span > newest - INTERVAL 3 DAY
  GROUP BY wallet, mint
  HAVING n > 0 OR bought > 0
) AS whole
COMMENT 'What wallets bought and sold of each coin in the last 3 days, SOL alone, without the mayhem agent.';

CREATE VIEW IF NOT EXISTS mintfold.wallet_results (
  wallet String COMMENT 'Who traded, base58. Ask for one: results are summed up as they are asked for; wallet_leaderboard has the best of all.',
  class LowCardinality(String) COMMENT 'First that holds. insider: has a role in at least 30 % of its positions; sniper: at least 5 positions, half of them or more sniped; skilled: at least 10 closed positions, a gain over all, 55 % or more of the closed ones won; crowd.',
  realized_lamports Int64 COMMENT 'Sum over its positions; those of unknown cost are left out.',
  n_positions UInt64 COMMENT 'Mints traded.',
  n_closed UInt64 COMMENT 'Those of which it sold what it bought.',
  n_won UInt64 COMMENT 'Closed ones with a gain.',
  n_sniped UInt64 COMMENT 'Those first bought at most 2 slots after the launch.',
  n_with_role UInt64 COMMENT 'Those at whose launch it has a role.',
  trades UInt64 COMMENT 'Trades.',
  as_of DateTime64(3, 'UTC') COMMENT 'Every trade up to here is counted, stream time, UTC; the window begins 3 days before.'
) AS SELECT
  wallet,
  multiIf(
    n_with_role * 10 >= n_positions * 3, 'insider',
    n_positions >= 5 AND n_sniped * 2 >= n_positions, 'sniper',
    n_closed >= 10 AND realized > 0 AND n_won * 100 >= n_closed * 55, 'skilled',
    'crowd'
  ) AS class,
  toInt64(multiIf(realized > 9007199254740991, 9007199254740991, realized < -9007199254740991, -9007199254740991, realized)) AS realized_lamports,
  n_positions,
  n_closed,
  n_won,
  n_sniped,
  n_with_role,
  n AS trades,
  newest AS as_of
FROM (
  SELECT
    wallet,
    sum(toInt128(ifNull(positions.realized_lamports, 0))) AS realized,
    count() AS n_positions,
    countIf(positions.is_closed) AS n_closed,
    countIf(positions.is_closed AND positions.realized_lamports > 0) AS n_won,
    countIf(positions.is_sniped) AS n_sniped,
    countIf(positions.has_role) AS n_with_role,
    sum(positions.trades) AS n,
    any(positions.as_of) AS newest
  FROM mintfold.wallet_positions AS positions
  GROUP BY wallet
) AS whole
COMMENT 'What wallets made of all coins they traded in the last 3 days, and what kind they are.';

CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.wallet_leaderboard
REFRESH EVERY 1 MINUTE DEPENDS ON mintfold.wallet_spans_refresh (
  rank UInt64 COMMENT '1 the best by realized_lamports; equal results share a rank.',
  wallet String COMMENT 'Who, base58.',
  class LowCardinality(String) COMMENT 'See wallet_results.',
  realized_lamports Int64 COMMENT 'Result of the sales of 3 days, fees taken off, lamports.',
  n_positions UInt64 COMMENT 'Mints traded.',
  n_closed UInt64 COMMENT 'Those of which it sold what it bought.',
  n_won UInt64 COMMENT 'Closed ones with a gain.',
  n_sniped UInt64 COMMENT 'Those first bought at most 2 slots after the launch.',
  n_with_role UInt64 COMMENT 'Those at whose launch it has a role.',
  trades UInt64 COMMENT 'Trades.',
  as_of DateTime64(3, 'UTC') COMMENT 'Every trade up to here is counted, stream time, UTC.'
)
ENGINE = MergeTree ORDER BY (rank, wallet)
AS SELECT
  rank() OVER (ORDER BY realized_lamports DESC) AS rank,
  wallet,
  class,
  realized_lamports,
  n_positions,
  n_closed,
  n_won,
  n_sniped,
  n_with_role,
  trades,
  as_of
FROM (SELECT * FROM mintfold.wallet_results ORDER BY realized_lamports DESC, wallet LIMIT 100000)
SETTINGS max_threads = 1, max_block_size = 8192, max_read_buffer_size = 65536, optimize_aggregation_in_order = 1, do_not_merge_across_partitions_select_final = 1, max_bytes_before_external_group_by = 20000000, max_bytes_before_external_sort = 20000000
COMMENT 'The 100,000 wallets with the best results of the last 3 days; computed every minute.';
