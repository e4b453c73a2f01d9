-- Parameterized views: FROM mintfold.event(id = '...'). Each selects only the rows of one slot (event), coin or wallet, however
-- long the history is.

CREATE OR REPLACE VIEW mintfold.event (
  table LowCardinality(String) COMMENT 'Which table has the whole row: frames for the tick that ends a slot.',
  event_id String COMMENT 'The requested id: position@hash8.',
  slot UInt64 COMMENT 'Slot.',
  at DateTime64(3, 'UTC') COMMENT 'Timestamp of the event, UTC; for a frame that of its tick.',
  mint Nullable(String) COMMENT 'The coin, base58; null for funding and frames.',
  signature Nullable(String) COMMENT 'First signature of the transaction, base58; null for frames.',
  wallet Nullable(String) COMMENT 'The wallet that acted, was paid, received or gave coins, or is the creator; null if the event has none.'
) AS SELECT table, event_id, slot, at, mint, signature, wallet
FROM (
  SELECT 'launches' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, toNullable(user) AS wallet FROM mintfold.launches
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'trades' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, toNullable(user) AS wallet FROM mintfold.trades
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'completions' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, toNullable(user) AS wallet FROM mintfold.completions
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'post_complete_buys' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, toNullable(user) AS wallet FROM mintfold.post_complete_buys
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'migrations' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, toNullable(user) AS wallet FROM mintfold.migrations
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'pool_trades' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, toNullable(user) AS wallet FROM mintfold.pool_trades
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'pool_liquidity' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, toNullable(user) AS wallet FROM mintfold.pool_liquidity
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'pools' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, toNullable(creator) AS wallet FROM mintfold.pools
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'pool_boosts' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, NULL AS wallet FROM mintfold.pool_boosts
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'creator_changes' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, toNullable(creator) AS wallet FROM mintfold.creator_changes
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'missing_events' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, NULL AS wallet FROM mintfold.missing_events
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'mayhem_reserves' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, NULL AS wallet FROM mintfold.mayhem_reserves
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'transfers' AS table, event_id, slot, at, toNullable(mint) AS mint, toNullable(signature) AS signature, toNullable(owner) AS wallet FROM mintfold.transfers
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'funding' AS table, event_id, slot, at, NULL AS mint, toNullable(signature) AS signature, toNullable(wallet) AS wallet FROM mintfold.funding
  WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
  UNION ALL
  SELECT 'frames' AS table, concat('solana:', toString(slot), '.~@', hash8) AS event_id, slot, tick_at AS at, NULL AS mint, NULL AS signature, NULL AS wallet
  FROM mintfold.ticks_log FINAL WHERE slot = toUInt64OrZero(extract({id:String}, '^solana:([0-9]+)[.]'))
)
WHERE event_id = {id:String}
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'The row of one event id, such as those in flags.events: event(id = ''solana:332254908.17.3.2@1a2b3c4d''). No row: it has expired, or a fork retracted it.';

CREATE OR REPLACE VIEW mintfold.coin (
  mint String COMMENT 'The requested coin, base58.',
  is_before_history Nullable(Bool) COMMENT 'False: its launch is in launches. True: it has events but no launch here, so it was launched before the history began, or in a gap. Null: nothing is known of it.',
  first_seen_at Nullable(DateTime64(3, 'UTC')) COMMENT 'Its oldest launch, trade or migration here, UTC.',
  launch_event_id Nullable(String) COMMENT 'position@hash8 of the launch.',
  launched_at Nullable(DateTime64(3, 'UTC')) COMMENT 'Time of the launch, UTC.',
  creator Nullable(String) COMMENT 'Creator named by the launch, base58.',
  bundle_wallets Nullable(UInt64) COMMENT 'Wallets outside the dev set that bought in the slot of the launch.',
  bundle_units Nullable(Int256) COMMENT 'Coins that they bought in that slot, base units.',
  bundle_share Nullable(Float64) COMMENT 'bundle_units divided by the supply that the launch states, or by 1000000000000000 if it states none.',
  bundle_reason Nullable(String) COMMENT 'Why bundle_wallets, bundle_units and bundle_share are null.'
) AS WITH
  (SELECT (count(), min(tick_at), min(slot), any(event_id), any(at), any(creator), any(if(is_creator_wallet, [user, creator], [user])), any(ifNull(supply_units, 1000000000000000))) FROM mintfold.launches WHERE mint = {mint:String}) AS launch,
  (SELECT minOrNull(`from`) FROM mintfold.coverage WHERE table = 'trades') AS known_from,
  (SELECT (count(), min(tick_at)) FROM mintfold.trades WHERE mint = {mint:String}) AS curve,
  (SELECT (count(), min(tick_at)) FROM mintfold.migrations WHERE mint = {mint:String}) AS migration,
  (SELECT (count(), min(tick_at)) FROM mintfold.pool_trades WHERE mint = {mint:String}) AS pool,
  (
    SELECT (uniqExact(user), sum(token_units)) FROM mintfold.trades
    WHERE mint = {mint:String} AND slot = launch.3 AND is_buy AND NOT is_agent AND NOT has(launch.7, user)
  ) AS bundle,
  multiIf(launch.1 = 0, 'its launch is not known here', known_from IS NULL OR launch.2 < known_from, 'trades of its create slot are not known any more', NULL) AS reason
SELECT
  {mint:String} AS mint,
  multiIf(launch.1 > 0, toNullable(false), curve.1 + migration.1 + pool.1 > 0, true, NULL) AS is_before_history,
  arrayMin(arrayMap(seen -> seen.2, arrayFilter(seen -> seen.1 > 0, [(launch.1, toNullable(launch.2)), (curve.1, curve.2), (migration.1, migration.2), (pool.1, pool.2)]))) AS first_seen_at,
  if(launch.1 = 0, NULL, launch.4) AS launch_event_id,
  if(launch.1 = 0, NULL, launch.5) AS launched_at,
  if(launch.1 = 0, NULL, launch.6) AS creator,
  if(reason IS NULL, bundle.1, NULL) AS bundle_wallets,
  if(reason IS NULL, bundle.2, NULL) AS bundle_units,
  if(reason IS NULL, bundle.2 / launch.8, NULL) AS bundle_share,
  reason AS bundle_reason
COMMENT 'One coin: whether its launch is here, and what its bundle bought in the slot of the launch: coin(mint = ''...'').';

CREATE OR REPLACE VIEW mintfold.first_buys (
  wallet String COMMENT 'The requested wallet, base58.',
  mint String COMMENT 'A coin that it bought on a curve or in a pool, base58.',
  event_id String COMMENT 'position@hash8 of the wallet''s first buy of the coin in the history.',
  at DateTime64(3, 'UTC') COMMENT 'Time of that buy, UTC.',
  funder Nullable(String) COMMENT 'Newest funder of the wallet before that buy, with at least 0.1 SOL; base58.',
  amount_lamports Nullable(Int256) COMMENT 'Amount of that payment.',
  funding_event_id Nullable(String) COMMENT 'position@hash8 of that payment.',
  funded_at Nullable(DateTime64(3, 'UTC')) COMMENT 'Time of that payment, UTC.',
  funder_reason Nullable(String) COMMENT 'Why funder and the columns of its payment are null.'
) AS SELECT
  {wallet:String} AS wallet,
  coin AS mint,
  buy_id AS event_id,
  buy_at AS at,
  last_payment.1 AS funder,
  last_payment.2 AS amount_lamports,
  last_payment.3 AS funding_event_id,
  last_payment.4 AS funded_at,
  if(funder IS NULL, concat('no payment of 0.1 SOL or more before the buy is known; payments are known from ', ifNull(toString((SELECT minOrNull(`from`) FROM mintfold.coverage WHERE table = 'funding')), 'now on')), NULL) AS funder_reason
FROM (
  SELECT
    coin,
    place,
    buy_id,
    buy_at,
    argMaxIf((toNullable(payer), toNullable(paid), toNullable(payment_id), toNullable(paid_at)), place, coin = '') OVER (ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS last_payment
  FROM (
    SELECT
      '' AS coin,
      (slot, tx_index, outer_ix, inner_ix) AS place,
      '' AS buy_id,
      at AS buy_at,
      funder AS payer,
      amount_lamports AS paid,
      event_id AS payment_id,
      at AS paid_at
    FROM mintfold.funding WHERE wallet = {wallet:String}
    UNION ALL
    SELECT mint, min(bought), argMin(id, bought), argMin(bought_at, bought), '', 0, '', toDateTime64(0, 3, 'UTC')
    FROM (
      SELECT mint, (slot, tx_index, outer_ix, inner_ix) AS bought, event_id AS id, at AS bought_at
      FROM mintfold.trades WHERE user = {wallet:String} AND is_buy
      UNION ALL
      SELECT mint, (slot, tx_index, outer_ix, inner_ix), event_id, at
      FROM mintfold.pool_trades WHERE user = {wallet:String} AND is_buy
    )
    GROUP BY mint
  )
)
WHERE coin != ''
COMMENT 'First buys of one wallet, one row per coin, with the newest funder before each: first_buys(wallet = ''...'').';
