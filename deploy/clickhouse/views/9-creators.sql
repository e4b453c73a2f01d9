-- A wallet's record counts the launches whose dev set has the wallet: the caller of create, and the named creator if that is a wallet. A caller
-- who names another wallet, or a program's address, as the creator still has the launch in the record. An outcome names only the creator: it is
-- joined with the launch only where caller and creator differ, a few launches in a hundred.

CREATE OR REPLACE VIEW mintfold.creator_stats (
  creator String COMMENT 'Wallet in the dev sets of these launches, base58.',
  n_launches UInt64 COMMENT 'Launches on the day of as_of and the 90 UTC days before.',
  n_resolved UInt64 COMMENT 'Launches settled with both labels known: the denominator of the rates.',
  n_graduated UInt64 COMMENT 'Resolved launches whose curve was observed at 84 SOL or above.',
  n_rugged UInt64 COMMENT 'Resolved launches that were drained, or dumped by their dev set.',
  grad_rate Nullable(Float64) COMMENT 'n_graduated / n_resolved; null without any.',
  rug_rate Nullable(Float64) COMMENT 'n_rugged / n_resolved; null without any.',
  median_dev_sell_s Nullable(Float64) COMMENT 'Median of seconds from launch to the first sell of the dev set, over resolved launches in which it sold; null without any.',
  total_dev_buy_lamports Int256 COMMENT 'What the dev sets spent in the create slots of settled launches on SOL curves, lamports.',
  first_launch_at DateTime64(3, 'UTC') COMMENT 'Oldest launch that counts, UTC.',
  last_launch_at DateTime64(3, 'UTC') COMMENT 'Newest launch, UTC.',
  observed_since DateTime64(3, 'UTC') COMMENT 'Start of the counted launches, UTC: the beginning of coverage, or the first of the 91 days.',
  as_of DateTime64(3, 'UTC') COMMENT 'Stream time up to which the history is complete, UTC.'
) AS WITH
  (SELECT max(up_to) FROM mintfold.progress WHERE is_filling) AS up_to,
  toDate(up_to) - 90 AS first_day,
  (SELECT min(`from`) FROM mintfold.coverage WHERE table = 'launches') AS oldest
SELECT
  creator,
  countIf(is_launch) AS n_launches,
  countIf(is_resolved) AS n_resolved,
  countIf(is_resolved AND graduated) AS n_graduated,
  countIf(is_resolved AND rugged) AS n_rugged,
  if(n_resolved = 0, NULL, n_graduated / n_resolved) AS grad_rate,
  if(n_resolved = 0, NULL, n_rugged / n_resolved) AS rug_rate,
  quantileExactInclusiveOrNullIf(0.5)(assumeNotNull(sell_dt_s), is_resolved AND sell_dt_s IS NOT NULL) AS median_dev_sell_s,
  sum(dev_buy_lamports) AS total_dev_buy_lamports,
  min(launched_at) AS first_launch_at,
  max(launched_at) AS last_launch_at,
  greatest(oldest, toDateTime64(first_day, 3, 'UTC')) AS observed_since,
  up_to AS as_of
FROM (
  SELECT
    arrayJoin(if(launches.is_creator_wallet, arrayDistinct([launches.user, launches.creator]), [launches.user])) AS creator,
    at AS launched_at,
    true AS is_launch,
    false AS is_resolved,
    NULL AS graduated,
    NULL AS rugged,
    NULL AS sell_dt_s,
    toInt256(0) AS dev_buy_lamports
  FROM (SELECT at, user, creator, is_creator_wallet FROM mintfold.launches_log FINAL WHERE tick_at >= toDateTime64(first_day, 3, 'UTC')) AS launches
  UNION ALL
  SELECT
    arrayJoin(if(empty(others.devs), [settled.creator], others.devs)),
    t0,
    false,
    graduated IS NOT NULL AND rugged IS NOT NULL,
    graduated,
    rugged,
    dev_first_sell_dt_s,
    if(quote_mint IS NULL, if(mapContains(settled.exact_units, 'dev_buy_quote_units'), settled.exact_units['dev_buy_quote_units'], toInt256(settled.dev_buy_quote_units)), 0)
  FROM (SELECT * FROM mintfold.outcomes_log FINAL WHERE at >= toDateTime64(first_day, 3, 'UTC') AND t0 >= toDateTime64(first_day, 3, 'UTC')) AS settled
  LEFT ANY JOIN (
    SELECT mint, if(is_creator_wallet, [user, creator], [user]) AS devs
    FROM mintfold.launches_log FINAL
    WHERE tick_at >= toDateTime64(first_day, 3, 'UTC') AND (user != creator OR NOT is_creator_wallet)
  ) AS others ON others.mint = settled.mint
)
WHERE toDate(launched_at) >= first_day
GROUP BY creator
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'Wallets that launched, as caller of create or as named creator: launches of the last 91 UTC days, and their outcomes.';
