-- The market by minute, as views/6-refreshes.sql computes it.
-- Applied as well: d09ded05ae8396eee7086c276fcfe5ab9a98c470bf004abb07af6ea712d0d454 (with the views, which are in views/ now).

CREATE TABLE IF NOT EXISTS mintfold.regime_minutes_log (
  minute DateTime('UTC'),
  launches UInt64,
  mayhem UInt64,
  buys UInt64,
  sells UInt64,
  buy_lamports Int64,
  sell_lamports Int64,
  failed UInt64,
  total UInt64,
  migrations UInt64,
  true_graduations UInt64,
  rug_flags Map(String, UInt64),
  frames UInt64,
  is_complete Bool,
  refreshed_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(refreshed_at)
ORDER BY minute;
