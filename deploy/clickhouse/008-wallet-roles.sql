-- Who was close to a launch: its creator, the wallets of its bundle, its insiders. Said by the fold of the mint, once a wallet and role.

CREATE TABLE IF NOT EXISTS mintfold.wallet_roles_log (
  slot UInt64,
  tx_index UInt32,
  outer_ix UInt32,
  inner_ix UInt32,
  hash8 String,
  version UInt64,
  is_deleted UInt8,
  at DateTime64(3, 'UTC'),
  id String CODEC(ZSTD(1)),
  mint_bytes FixedString(32) EPHEMERAL,
  mint String DEFAULT base58Encode(mint_bytes) CODEC(ZSTD(1)),
  wallet_bytes FixedString(32) EPHEMERAL,
  wallet String DEFAULT base58Encode(wallet_bytes) CODEC(ZSTD(1)),
  role LowCardinality(String),
  counterpart_bytes Nullable(FixedString(32)) EPHEMERAL,
  counterpart Nullable(String) DEFAULT base58Encode(counterpart_bytes),
  t0 DateTime64(3, 'UTC'),
  slot0 UInt64,
  received_at DateTime DEFAULT now()
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY toYYYYMMDD(at)
ORDER BY (wallet, mint, role, slot, tx_index, outer_ix, inner_ix, hash8)
TTL received_at + INTERVAL 90 DAY
SETTINGS ttl_only_drop_parts = 1;

CREATE VIEW IF NOT EXISTS mintfold.wallet_roles (
  role_id String COMMENT 'position@hash8:role:wallet:mint.',
  position String COMMENT 'Place on the chain at which the wallet got the role: solana:slot.transaction.outer.inner; ~ stands for the tick that ends a slot (rule b: the answer about its funding came), or for an event derived from balances (rule a).',
  event_id String COMMENT 'position@hash8: the event or tick on its branch of the chain that proved it.',
  slot UInt64 COMMENT 'Slot.',
  tx_index UInt32 COMMENT 'Transaction in the slot, from 0; 4294967295 for the tick that ends it.',
  outer_ix UInt32 COMMENT 'Top-level instruction, from 0; 4294967295 for events derived from balances, and for the tick.',
  inner_ix UInt32 COMMENT '0 the top level itself, inner instructions from 1; 4294967295 for the tick.',
  at DateTime64(3, 'UTC') COMMENT 'Block time of that event or tick, UTC.',
  mint String COMMENT 'The coin, base58: one whose launch was witnessed.',
  wallet String COMMENT 'Who has the role, base58.',
  role LowCardinality(String) COMMENT 'dev: called create, or is the creator that it named; bundle: bought in the slot of the launch; insider: by the rule beside it.',
  rule LowCardinality(Nullable(String)) COMMENT 'Of insiders, a: got coins from wallets alone while the curve was open; b: paid by the creator or its funder in the 30 minutes before its first buy; c: bought in the transaction of the launch. A wallet has a row for each that it met. Null for other roles.',
  counterpart Nullable(String) COMMENT 'Rule a: who handed the coins over, null where they came of several; rule b: who paid; null for the rest. Base58.',
  t0 DateTime64(3, 'UTC') COMMENT 'Launch, UTC.',
  slot0 UInt64 COMMENT 'Slot of the launch.'
) AS SELECT
  id AS role_id,
  if(tx_index = 4294967295, concat('solana:', toString(slot), '.~'), concat('solana:', toString(slot), '.', toString(tx_index), '.', if(outer_ix = 4294967295, '~', toString(outer_ix)), '.', toString(inner_ix))) AS position,
  concat(position, '@', hash8) AS event_id,
  slot,
  tx_index,
  outer_ix,
  inner_ix,
  at,
  mint,
  wallet,
  roles.role AS role,
  roles.rule AS rule,
  counterpart,
  t0,
  slot0
FROM (
  SELECT
    * EXCEPT (role),
    toLowCardinality(splitByChar('_', log.role)[1]) AS role,
    toLowCardinality(if(startsWith(log.role, 'insider_'), toNullable(splitByChar('_', log.role)[2]), NULL)) AS rule
  FROM mintfold.wallet_roles_log AS log FINAL
) AS roles
COMMENT 'Roles of wallets at launches: once a mint, wallet and role.';
