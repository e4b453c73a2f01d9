-- Trades of the last three days by wallet, mint and ten minutes, as views/7-wallet-spans.sql sums them up.
-- Applied as well: 590f0fc7ca9115086aea7dcf969b6816d2fe6f710d630980041a6259361b0bf5 (with the views, which are in views/ now).
-- Applied as well: 3b878173712f235b530c293f29ceaa5c803d4f696014cc2ad6fd81e42c962c6c (with the views, which are in views/ now).

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
