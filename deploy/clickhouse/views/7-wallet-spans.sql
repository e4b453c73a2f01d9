-- Results of wallets for the coins they traded in the last three days. Trades are summed by wallet, mint and ten minutes of stream time. Such a
-- span is recomputed when one of its trades is added, rewritten or retracted, and positions are sums over spans, so nothing is counted twice.

-- Progress of the sums. told_to: every span up to it was summed at least once; covered_at: every row that arrived before it is included.
-- The four views below are one computation: each reads figures of earlier ones as a scalar. As WITH clauses of one query they took 2 s,
-- because ClickHouse analyses a clause again at each reference.
CREATE OR REPLACE VIEW mintfold.wallet_known_refresh AS WITH
  ifNull((SELECT max(refreshed_at) FROM mintfold.wallet_spans_log), toDateTime64(0, 3, 'UTC')) AS newest
SELECT
  ifNull((SELECT max(up_to) FROM mintfold.progress WHERE is_filling), toDateTime64(0, 3, 'UTC')) AS up_to,
  up_to - INTERVAL 3 DAY AS window_from,
  newest AS refreshed,
  max(spans.told_to) AS told_to,
  max(spans.covered_at) AS covered_at,
  toStartOfInterval(greatest(window_from, told_to + INTERVAL 1 MILLISECOND), INTERVAL 10 MINUTE, 'UTC') AS first_new
FROM mintfold.wallet_spans_log AS spans WHERE refreshed_at = newest;

-- Spans of the window with rows that arrived since covered_at.
CREATE OR REPLACE VIEW mintfold.wallet_changed_refresh AS WITH
  (SELECT (window_from, up_to, covered_at) FROM mintfold.wallet_known_refresh) AS known
SELECT span, max(received) AS received FROM (
  SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, max(received_at) AS received
  FROM mintfold.trades_log WHERE received_at >= known.3 AND tick_at > known.1 AND tick_at <= known.2 GROUP BY span
  UNION ALL
  SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, max(received_at) AS received
  FROM mintfold.pool_trades_log WHERE received_at >= known.3 AND tick_at > known.1 AND tick_at <= known.2 GROUP BY span
  UNION ALL
  SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, max(received_at) AS received
  FROM mintfold.post_complete_buys_log WHERE received_at >= known.3 AND tick_at > known.1 AND tick_at <= known.2 GROUP BY span
  UNION ALL
  SELECT toStartOfInterval(at, INTERVAL 10 MINUTE, 'UTC') AS span, max(received_at) AS received
  FROM mintfold.wallet_roles_log WHERE received_at >= known.3 AND at > known.1 AND at <= known.2 GROUP BY span
  UNION ALL
  SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, max(received_at) AS received
  FROM mintfold.launches_log WHERE received_at >= known.3 AND tick_at > known.1 AND tick_at <= known.2 GROUP BY span
  UNION ALL
  SELECT toStartOfInterval(tick_at + INTERVAL 1 MINUTE, INTERVAL 10 MINUTE, 'UTC') AS span, max(received_at) AS received
  FROM mintfold.launches_log WHERE received_at >= known.3 AND tick_at > known.1 AND tick_at <= known.2 - INTERVAL 1 MINUTE GROUP BY span
) GROUP BY span;

-- Spans that may be due: changed ones (above), and all from the first incomplete one on.
CREATE OR REPLACE VIEW mintfold.wallet_asked_refresh AS WITH
  (SELECT (up_to, first_new, refreshed) FROM mintfold.wallet_known_refresh) AS known
SELECT
  groupArray(span) AS changed,
  groupArrayIf(span, received > known.3) AS missing,
  toUInt32(intDiv(greatest(toInt64(toUnixTimestamp(known.1)) - toInt64(toUnixTimestamp(known.2)), 0), 600) + 1) AS n_new,
  arrayDistinct(arrayConcat(changed, arrayMap(n -> known.2 + n * 600, range(n_new)))) AS spans,
  toDateTime64(arrayMin(spans), 3, 'UTC') AS since,
  toDateTime64(arrayMax(spans) + INTERVAL 10 MINUTE, 3, 'UTC') AS until,
  known.1 AS up_to,
  known.2 AS first_new
FROM mintfold.wallet_changed_refresh;

-- due: incomplete spans of the window (new ones, and those with new rows since the last refresh), oldest first; then spans with rows that
-- arrived in the two minutes before the last refresh: it may not have seen these rows. One refresh processes about 50,000 trades. as_of:
-- every trade up to it is included afterwards. A launch makes its span due, and in the last minute of a span the next one as well: buys
-- within 2 slots of it may be in either.
CREATE OR REPLACE VIEW mintfold.wallet_due_refresh AS WITH
  (SELECT (spans, changed, since, until, up_to, first_new, missing) FROM mintfold.wallet_asked_refresh) AS asked
SELECT
  groupArrayIf(span, before < 50000) AS due,
  if(countIf(before >= 50000 AND is_missing) > 0, least(asked.5, toDateTime64(minIf(span, before >= 50000 AND is_missing), 3, 'UTC') - INTERVAL 1 MILLISECOND), asked.5) AS as_of,
  if(countIf(before >= 50000 AND is_new) > 0, least(asked.5, toDateTime64(minIf(span, before >= 50000 AND is_new), 3, 'UTC') - INTERVAL 1 MILLISECOND), asked.5) AS told_to,
  countIf(before >= 50000) = 0 AS is_all,
  asked.5 AS up_to
FROM (
  SELECT span, is_missing, is_new, sum(n) OVER (ORDER BY is_missing DESC, span) - n AS before
  FROM (
    SELECT span, sum(n) AS n, span >= asked.6 AS is_new, is_new OR has(asked.7, span) AS is_missing
    FROM (
    SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n
    FROM mintfold.trades_log WHERE tick_at >= asked.3 AND tick_at < asked.4 AND tick_at <= asked.5 AND toYYYYMMDD(tick_at) IN (SELECT toYYYYMMDD(arrayJoin(asked.1))) GROUP BY span
    UNION ALL
    SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n
    FROM mintfold.pool_trades_log WHERE tick_at >= asked.3 AND tick_at < asked.4 AND tick_at <= asked.5 AND toYYYYMMDD(tick_at) IN (SELECT toYYYYMMDD(arrayJoin(asked.1))) GROUP BY span
    UNION ALL
    SELECT toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n
    FROM mintfold.post_complete_buys_log WHERE tick_at >= asked.3 AND tick_at < asked.4 AND tick_at <= asked.5 GROUP BY span
    UNION ALL
    SELECT toStartOfInterval(at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS n
    FROM mintfold.wallet_roles_log WHERE at >= asked.3 AND at < asked.4 AND at <= asked.5 AND toYYYYMMDD(at) IN (SELECT toYYYYMMDD(arrayJoin(asked.1))) GROUP BY span
      UNION ALL
      SELECT arrayJoin(asked.2) AS span, 0 AS n
    )
    WHERE has(asked.1, span) GROUP BY span
  )
);

DROP VIEW IF EXISTS mintfold.wallet_spans_refresh;

-- most: the largest amount counted for one trade, so that no sum overflows its column. kind: a post_complete_buy is bought coins, but no
-- trade; stored is a row computed before, which is deleted if all of its trades and roles were retracted.
CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.wallet_spans_refresh
REFRESH EVERY 1 MINUTE APPEND TO mintfold.wallet_spans_log
AS WITH
  (SELECT (refreshed, covered_at) FROM mintfold.wallet_known_refresh) AS known,
  (SELECT (due, as_of, told_to, is_all, up_to) FROM mintfold.wallet_due_refresh) AS plan,
  plan.5 AS up_to,
  plan.1 AS due,
  toDateTime64(arrayMin(due), 3, 'UTC') AS since,
  toDateTime64(arrayMax(due) + INTERVAL 10 MINUTE, 3, 'UTC') AS until,
  bitShiftLeft(toInt256(1), 191) AS most
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
  assumeNotNull(plan.2) AS as_of,
  greatest(now64(3, 'UTC'), known.1 + INTERVAL 1 MILLISECOND) AS refreshed_at,
  trades = 0 AND bought_units = 0 AND NOT has_role AS is_deleted,
  assumeNotNull(plan.3) AS told_to,
  assumeNotNull(if(plan.4, now() - INTERVAL 2 MINUTE, known.2)) AS covered_at
FROM (
  SELECT
    wallet,
    mint,
    span,
    countIf(kind = 'trade') AS trades,
    sumIf(least(units, most), is_buy) AS bought_units,
    sumIf(least(units, most), kind = 'trade' AND NOT is_buy) AS sold_units,
    sumIf(least(lamports, most), is_buy) AS paid_lamports,
    sumIf(least(lamports, most), kind = 'trade' AND NOT is_buy) AS got_lamports,
    minIf(place.1, is_buy) AS first_buy_slot,
    max(kind = 'role') AS has_role,
    minIf(place, kind IN ('trade', 'post_complete_buy')) AS first_place,
    maxIf(place, kind IN ('trade', 'post_complete_buy')) AS last_place
  FROM (
    SELECT user AS wallet, mint, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, 'trade' AS kind, is_buy AS is_buy,
      if(mapContains(stored.exact_units, 'token_units'), stored.exact_units['token_units'], toInt256(stored.token_units)) AS units, if(mapContains(stored.exact_units, 'quote_units'), stored.exact_units['quote_units'], toInt256(stored.quote_units)) + if(is_buy, 1, -1) * (ifNull(if(mapContains(stored.exact_units, 'fee_units'), stored.exact_units['fee_units'], toInt256(stored.fee_units)), 0) + ifNull(if(mapContains(stored.exact_units, 'creator_fee_units'), stored.exact_units['creator_fee_units'], toInt256(stored.creator_fee_units)), 0)) AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(tick_at, 'UTC'), hash8) AS place
    FROM mintfold.trades_log AS stored FINAL
    WHERE tick_at >= since AND tick_at < until AND toYYYYMMDD(tick_at) IN (SELECT toYYYYMMDD(arrayJoin(due))) AND tick_at <= up_to AND has(due, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC')) AND quote_mint IS NULL AND NOT is_agent
    UNION ALL
    SELECT user AS wallet, mint, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, 'trade' AS kind, is_buy AS is_buy,
      if(mapContains(stored.exact_units, 'token_units'), stored.exact_units['token_units'], toInt256(stored.token_units)) AS units, if(mapContains(stored.exact_units, 'user_quote_units'), stored.exact_units['user_quote_units'], toInt256(stored.user_quote_units)) AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(tick_at, 'UTC'), hash8) AS place
    FROM mintfold.pool_trades_log AS stored FINAL
    WHERE tick_at >= since AND tick_at < until AND toYYYYMMDD(tick_at) IN (SELECT toYYYYMMDD(arrayJoin(due))) AND tick_at <= up_to AND has(due, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC')) AND quote_mint IS NULL AND NOT is_agent
    UNION ALL
    SELECT user AS wallet, mint, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, 'post_complete_buy' AS kind, true AS is_buy,
      if(mapContains(stored.exact_units, 'token_units'), stored.exact_units['token_units'], toInt256(stored.token_units)) AS units, if(mapContains(stored.exact_units, 'quote_units'), stored.exact_units['quote_units'], toInt256(stored.quote_units)) AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(tick_at, 'UTC'), hash8) AS place
    FROM mintfold.post_complete_buys_log AS stored FINAL
    WHERE tick_at >= since AND tick_at < until AND tick_at <= up_to AND has(due, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC')) AND quote_mint IS NULL
    UNION ALL
    SELECT wallet, mint, toStartOfInterval(at, INTERVAL 10 MINUTE, 'UTC') AS span, 'role' AS kind, false AS is_buy, 0 AS units, 0 AS lamports,
      (slot, tx_index, outer_ix, inner_ix, toDateTime(at, 'UTC'), hash8) AS place
    FROM mintfold.wallet_roles_log FINAL
    WHERE at >= since AND at < until AND toYYYYMMDD(at) IN (SELECT toYYYYMMDD(arrayJoin(due))) AND at <= up_to AND has(due, toStartOfInterval(at, INTERVAL 10 MINUTE, 'UTC'))
    UNION ALL
    SELECT wallet, mint, span, 'stored' AS kind, false AS is_buy, 0 AS units, 0 AS lamports, first_place AS place
    FROM mintfold.wallet_spans_log
    WHERE span >= since AND span < until AND toYYYYMMDD(span) IN (SELECT toYYYYMMDD(arrayJoin(due))) AND has(due, span) AND is_deleted = 0
  )
  GROUP BY wallet, mint, span
) AS sums
LEFT JOIN (
  SELECT mint, min(slot) AS launch_slot FROM mintfold.launches_log FINAL
  WHERE tick_at >= since - INTERVAL 10 MINUTE AND tick_at < until GROUP BY mint
) AS launches ON launches.mint = sums.mint
SETTINGS max_threads = 1, max_block_size = 8192, max_read_buffer_size = 65536, do_not_merge_across_partitions_select_final = 1;
