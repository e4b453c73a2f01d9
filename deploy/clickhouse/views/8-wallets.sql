-- Positions and results of wallets: sums over spans, the rows of a wallet and coin in ten minutes (wallet_spans_log).

CREATE OR REPLACE VIEW mintfold.wallet_positions (
  wallet String COMMENT 'Wallet that traded, base58, as in the events. Filter by one wallet: positions are summed at query time.',
  mint String COMMENT 'The coin, base58.',
  position String COMMENT 'Position on the chain of its newest trade in the window: solana:slot.transaction.outer.inner.',
  event_id String COMMENT 'position@hash8: that trade on its branch of the chain.',
  first_position String COMMENT 'Position of its oldest trade in the window.',
  first_at DateTime('UTC') COMMENT 'Time of the frame of the oldest trade, UTC.',
  last_at DateTime('UTC') COMMENT 'Time of the frame of the newest trade, UTC.',
  trades UInt64 COMMENT 'Trades on the curve and in pools.',
  bought_units Int256 COMMENT 'Coins bought in the window, base units (6 decimals).',
  sold_units Int256 COMMENT 'Coins sold in the window, base units.',
  paid_lamports Int256 COMMENT 'Lamports paid for the coins bought, including fees (which events in the oldest layouts do not contain).',
  got_lamports Int256 COMMENT 'Lamports received for the coins sold, minus fees.',
  realized_lamports Nullable(Int256) COMMENT 'got_lamports minus the cost of the coins sold: sold_units x paid_lamports / bought_units, rounded towards zero; the cost has only 15 exact digits if sold_units or paid_lamports has more than 127 bits. Null if no coin was bought in the window: the cost is unknown.',
  is_closed Bool COMMENT 'At least as many coins were sold as bought.',
  is_sniped Bool COMMENT 'First bought at most 2 slots after the slot of the launch.',
  has_role Bool COMMENT 'The wallet is in the dev set, the bundle or the insiders of the launch (wallet_roles), by a role assigned within the window.',
  as_of DateTime64(3, 'UTC') COMMENT 'Every trade up to here is counted, stream time, UTC; the window begins 3 days earlier, rounded to ten minutes.'
) AS WITH
  bitShiftLeft(toInt256(1), 127) AS large,
  sold < large AND paid < large AS is_exact,
  if(is_exact, intDiv(sold * paid, if(bought = 0, 1, bought)), toInt256(least(toFloat64(sold) / toFloat64(bought) * toFloat64(paid), 1e76))) AS cost,
  if(bought = 0, NULL, got - cost) AS realized
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
  realized AS realized_lamports,
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
    sum(spans.paid_lamports) AS paid,
    sum(spans.got_lamports) AS got,
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
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Buys and sells of each wallet and coin in the last 3 days, SOL only, without the mayhem agent.';

CREATE OR REPLACE VIEW mintfold.wallet_results (
  wallet String COMMENT 'Wallet that traded, base58. Filter by one wallet: results are summed at query time; wallet_leaderboard has the best of all.',
  class LowCardinality(String) COMMENT 'The first that applies. insider: has a role in at least 30 % of its positions; sniper: at least 5 positions, at least half of them sniped; skilled: at least 10 closed positions, a total gain, at least 55 % of the closed positions won; crowd: any other wallet.',
  realized_lamports Int256 COMMENT 'Sum over the positions of the wallet, lamports; positions of unknown cost are excluded.',
  n_positions UInt64 COMMENT 'Mints traded.',
  n_closed UInt64 COMMENT 'Closed positions: at least as many coins sold as bought.',
  n_won UInt64 COMMENT 'Closed positions with a gain.',
  n_sniped UInt64 COMMENT 'Positions first bought at most 2 slots after the launch.',
  n_with_role UInt64 COMMENT 'Positions in coins at whose launch it has a role.',
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
  realized AS realized_lamports,
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
    sum(ifNull(positions.realized_lamports, 0)) AS realized,
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
COMMENT 'Results of wallets over all coins they traded in the last 3 days, and the class of each wallet.';

-- Selects what the next refresh of the results computes. buckets: all 16 if none is more than a day behind the spans and at most 50,000
-- spans are due; else only the bucket that was computed least recently. A bucket that is more than a day behind is computed from the
-- beginning, because spans expire after five days. reset_at: when retention last dropped spans (bucket 255 marks it): results of refreshes
-- that started before may include dropped spans, and are computed again.
CREATE OR REPLACE VIEW mintfold.wallet_results_known_refresh AS WITH
  (SELECT max(span) FROM mintfold.wallet_spans_log) AS last_span,
  (SELECT max(refreshed_at) FROM mintfold.wallet_results_log WHERE bucket = 255) AS reset_at,
  ifNull((SELECT max(as_of) FROM mintfold.wallet_spans_log WHERE span > last_span - INTERVAL 1 HOUR), toDateTime64(0, 3, 'UTC')) AS sums_as_of,
  (
    SELECT arraySort(groupArray((told >= sums_as_of - INTERVAL 1 DAY, taken, told, bucket))) FROM (
      SELECT bucket, max(spans_at) AS taken, max(as_of) AS told FROM (
        SELECT bucket, spans_at, as_of FROM mintfold.wallet_results_log WHERE bucket < 16 AND refreshed_at > reset_at
        UNION ALL
        SELECT toUInt8(number), toDateTime64(0, 3, 'UTC'), toDateTime64(0, 3, 'UTC') FROM numbers(16)
      ) GROUP BY bucket
    )
  ) AS known,
  known[1] AS oldest,
  (SELECT count() FROM mintfold.wallet_spans_log WHERE refreshed_at > oldest.2) + (
    SELECT count() FROM mintfold.wallet_spans_log WHERE span > oldest.3 - INTERVAL 3 DAY AND span <= sums_as_of - INTERVAL 3 DAY
  ) AS n_due
SELECT
  if(oldest.1 AND n_due <= 50000, range(toUInt8(16)), [oldest.4]) AS buckets,
  if(oldest.1, oldest.2, toDateTime64(0, 3, 'UTC')) AS spans_from,
  if(oldest.1, arrayMin(one -> one.3, known), toDateTime64(0, 3, 'UTC')) AS results_as_of,
  sums_as_of AS newest,
  ifNull((SELECT max(refreshed_at) FROM mintfold.wallet_spans_log), toDateTime64(0, 3, 'UTC')) AS spans_at;

DROP VIEW IF EXISTS mintfold.wallet_results_refresh;

-- Computes the results of the due wallets (one of their spans was recomputed, or left the window) from all of their positions: about a
-- tenth of the cost of recomputing all wallets. Stored results of these wallets are added as zeros, so that a wallet without positions
-- gets a deletion row.
-- `known` is a single scalar of this query: two reads could see different states, if spans are inserted in between.
CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.wallet_results_refresh
REFRESH EVERY 2 MINUTE OFFSET 20 SECOND APPEND TO mintfold.wallet_results_log
AS WITH
  (SELECT (newest, spans_at, buckets, spans_from, results_as_of) FROM mintfold.wallet_results_known_refresh) AS known
SELECT
  bucket,
  wallet,
  max(whole.class) AS class,
  sum(whole.realized_lamports) AS realized_lamports,
  sum(whole.n_positions) AS n_positions,
  sum(whole.n_closed) AS n_closed,
  sum(whole.n_won) AS n_won,
  sum(whole.n_sniped) AS n_sniped,
  sum(whole.n_with_role) AS n_with_role,
  sum(whole.trades) AS trades,
  assumeNotNull(known.1) AS as_of,
  assumeNotNull(known.2) AS spans_at,
  now64(3, 'UTC') AS refreshed_at,
  sum(whole.n_positions) = 0 AND wallet != '' AS is_deleted
FROM (
  SELECT toUInt8(sipHash64(wallet) % 16) AS bucket, wallet, class, realized_lamports, n_positions, n_closed, n_won, n_sniped, n_with_role, trades
  FROM mintfold.wallet_results WHERE wallet IN (
    SELECT wallet FROM mintfold.wallet_spans_log WHERE refreshed_at > known.4 AND has(known.3, toUInt8(sipHash64(wallet) % 16))
    UNION ALL
    SELECT wallet FROM mintfold.wallet_spans_log
    WHERE span > known.5 - INTERVAL 3 DAY AND span <= known.1 - INTERVAL 3 DAY AND has(known.3, toUInt8(sipHash64(wallet) % 16))
    UNION ALL
    SELECT wallet FROM mintfold.wallet_results_log WHERE length(known.3) = 1 AND bucket = known.3[1] AND wallet != ''
  )
  UNION ALL
  SELECT bucket, wallet, '', 0, 0, 0, 0, 0, 0, 0
  FROM mintfold.wallet_results_log WHERE wallet IN (
    SELECT wallet FROM mintfold.wallet_spans_log WHERE refreshed_at > known.4 AND has(known.3, toUInt8(sipHash64(wallet) % 16))
    UNION ALL
    SELECT wallet FROM mintfold.wallet_spans_log
    WHERE span > known.5 - INTERVAL 3 DAY AND span <= known.1 - INTERVAL 3 DAY AND has(known.3, toUInt8(sipHash64(wallet) % 16))
    UNION ALL
    SELECT wallet FROM mintfold.wallet_results_log WHERE length(known.3) = 1 AND bucket = known.3[1] AND wallet != ''
  )
  UNION ALL
  SELECT arrayJoin(assumeNotNull(known.3)) AS bucket, '', '', 0, 0, 0, 0, 0, 0, 0
) AS whole
GROUP BY bucket, wallet
SETTINGS max_threads = 1, max_block_size = 8192, optimize_move_to_prewhere_if_final = 1, max_bytes_before_external_group_by = 40000000;

DROP VIEW IF EXISTS mintfold.wallet_leaderboard;

CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.wallet_leaderboard
REFRESH EVERY 2 MINUTE OFFSET 40 SECOND (
  rank UInt64 COMMENT 'Rank by realized_lamports, 1 for the best; equal results share a rank.',
  wallet String COMMENT 'The wallet, base58.',
  class LowCardinality(String) COMMENT 'See wallet_results.',
  realized_lamports Int256 COMMENT 'Result of the sales of the last 3 days, minus fees, lamports.',
  n_positions UInt64 COMMENT 'Mints traded.',
  n_closed UInt64 COMMENT 'Closed positions: at least as many coins sold as bought.',
  n_won UInt64 COMMENT 'Closed positions with a gain.',
  n_sniped UInt64 COMMENT 'Positions first bought at most 2 slots after the launch.',
  n_with_role UInt64 COMMENT 'Positions in coins at whose launch it has a role.',
  trades UInt64 COMMENT 'Trades.',
  as_of DateTime64(3, 'UTC') COMMENT 'Every trade up to here is counted, stream time, UTC.'
)
ENGINE = MergeTree ORDER BY (rank, wallet)
AS WITH
  (SELECT max(refreshed_at) FROM mintfold.wallet_results_log WHERE bucket = 255) AS reset_at
SELECT
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
  (SELECT max(as_of) FROM mintfold.wallet_results_log) AS as_of
FROM (
  SELECT * EXCEPT as_of FROM mintfold.wallet_results_log FINAL
  WHERE wallet != '' AND (SELECT uniqExactIf(bucket, refreshed_at > reset_at) FROM mintfold.wallet_results_log WHERE bucket < 16) = 16 ORDER BY realized_lamports DESC, wallet LIMIT 100000
)
SETTINGS max_threads = 1, max_bytes_before_external_sort = 20000000
COMMENT 'The 100,000 wallets with the best results of the last 3 days; computed every two minutes.';
