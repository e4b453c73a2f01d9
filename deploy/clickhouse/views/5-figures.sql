-- Aggregates. They are computed from the stored rows, never incrementally on insert, so rows that are rewritten or retracted
-- cannot distort them. A minute is complete if it ends at or before progress.up_to, the stream time up to which the history is complete.

CREATE OR REPLACE VIEW mintfold.regime_minutes (
  minute DateTime('UTC') COMMENT 'Start of the minute, stream time, UTC.',
  launches UInt64 COMMENT 'Launches in this minute.',
  mayhem UInt64 COMMENT 'Launches in mayhem mode.',
  buys UInt64 COMMENT 'Buys on curves and in pools, without the mayhem agent.',
  sells UInt64 COMMENT 'Sells on curves and in pools, without the mayhem agent.',
  buy_lamports Int256 COMMENT 'SOL of these buys without fees, lamports; other quotes are excluded.',
  sell_lamports Int256 COMMENT 'SOL of these sells without fees, lamports; other quotes are excluded.',
  failed UInt64 COMMENT 'Transactions of the launchpad that failed.',
  total UInt64 COMMENT 'All transactions of the launchpad: the denominator of failed.',
  migrations UInt64 COMMENT 'Curves that moved to a pool.',
  true_graduations UInt64 COMMENT 'Outcomes of this minute whose curve was observed at 84 SOL or above.',
  rug_flags Map(String, UInt64) COMMENT 'Number of flags of this minute, by mechanism.',
  frames UInt64 COMMENT 'Frames folded.',
  is_complete Bool COMMENT 'The history is complete for this minute.'
) AS SELECT
  minute,
  launches,
  mayhem,
  buys,
  sells,
  buy_lamports,
  sell_lamports,
  failed,
  total,
  migrations,
  true_graduations,
  rug_flags,
  frames,
  is_complete
FROM mintfold.regime_minutes_log FINAL
COMMENT 'The market by minute; updated every minute.';

-- A plain view, not a refreshed one: queries always filter by mint or time.
CREATE OR REPLACE VIEW mintfold.launch_minutes (
  mint String COMMENT 'The coin, base58.',
  minute DateTime('UTC') COMMENT 'Start of the minute, stream time, UTC.',
  buys UInt64 COMMENT 'Buys on the curve, without the mayhem agent.',
  sells UInt64 COMMENT 'Sells on the curve, without the mayhem agent.',
  buyers UInt64 COMMENT 'Wallets that bought.',
  sellers UInt64 COMMENT 'Wallets that sold.',
  quote_mint LowCardinality(Nullable(String)) COMMENT 'The quote token of the coin; null for SOL.',
  buy_quote_units Int256 COMMENT 'Quote of the buys without fees, base units: lamports where quote_mint is null.',
  sell_quote_units Int256 COMMENT 'Quote of the sells without fees, base units.',
  real_quote_units_high Nullable(Int256) COMMENT 'Highest real quote reserve after a trade of this minute; null for events in the launchpad''s oldest layout.',
  real_quote_units_close Nullable(Int256) COMMENT 'Real quote reserve after the last trade of this minute; null for events in the launchpad''s oldest layout.',
  virtual_quote_units_close Int256 COMMENT 'Virtual quote reserve after the last trade; divided by virtual_token_units_close, it is the price.',
  virtual_token_units_close Int256 COMMENT 'Virtual coin reserve after the last trade.'
) AS SELECT
  mint,
  toStartOfMinute(tick_at) AS minute,
  countIf(is_buy AND NOT is_agent) AS buys,
  countIf(NOT is_buy AND NOT is_agent) AS sells,
  uniqExactIf(user, is_buy AND NOT is_agent) AS buyers,
  uniqExactIf(user, NOT is_buy AND NOT is_agent) AS sellers,
  any(trades.quote_mint) AS quote_mint,
  sumIf(if(mapContains(trades.exact_units, 'quote_units'), trades.exact_units['quote_units'], toInt256(trades.quote_units)), is_buy AND NOT is_agent) AS buy_quote_units,
  sumIf(if(mapContains(trades.exact_units, 'quote_units'), trades.exact_units['quote_units'], toInt256(trades.quote_units)), NOT is_buy AND NOT is_agent) AS sell_quote_units,
  max(if(mapContains(trades.exact_units, 'real_quote_units'), trades.exact_units['real_quote_units'], toInt256(trades.real_quote_units))) AS real_quote_units_high,
  argMax(tuple(if(mapContains(trades.exact_units, 'real_quote_units'), trades.exact_units['real_quote_units'], toInt256(trades.real_quote_units))), (slot, tx_index, outer_ix, inner_ix)).1 AS real_quote_units_close,
  argMax(if(mapContains(trades.exact_units, 'virtual_quote_units'), trades.exact_units['virtual_quote_units'], toInt256(trades.virtual_quote_units)), (slot, tx_index, outer_ix, inner_ix)) AS virtual_quote_units_close,
  argMax(if(mapContains(trades.exact_units, 'virtual_token_units'), trades.exact_units['virtual_token_units'], toInt256(trades.virtual_token_units)), (slot, tx_index, outer_ix, inner_ix)) AS virtual_token_units_close
FROM mintfold.trades_log AS trades FINAL
GROUP BY mint, minute
SETTINGS do_not_merge_across_partitions_select_final = 1
COMMENT 'The curve of each mint by minute.';
