// Queries for the coins, creators and wallets of each kind in the demo's market: their answers are bought.

const NOW = '(SELECT max(tick_at) FROM mintfold.frames)'
/** Mints of each kind in the market, by SQL. */
export const KINDS: readonly string[] = [
  'SELECT mint FROM mintfold.launches WHERE is_mayhem ORDER BY at DESC',
  'SELECT mint FROM mintfold.launches WHERE quote_mint IS NOT NULL ORDER BY at DESC',
  'SELECT mint FROM mintfold.migrations ORDER BY at DESC',
  'SELECT mint FROM mintfold.outcomes ORDER BY at DESC',
  'SELECT mint FROM mintfold.outcomes ORDER BY at',
  'SELECT mint FROM mintfold.launches ORDER BY at',
  'SELECT mint FROM mintfold.creator_changes ORDER BY at DESC',
  `SELECT o.mint AS mint FROM mintfold.outcomes AS o JOIN (
    SELECT creator, min(at) AS first FROM mintfold.outcomes GROUP BY creator HAVING count() > 1
  ) AS c ON o.creator = c.creator WHERE o.at > c.first ORDER BY o.at`,
  `SELECT mint FROM mintfold.trades GROUP BY mint HAVING max(at) < ${NOW} - INTERVAL 125 MINUTE ORDER BY mint`,
  ...['creator_sold', 'bundle_dumped', 'curve_drained', 'pool_drained', 'curve_closed_low', 'migrate_below_grad'].map(
    (flag) => `SELECT mint FROM mintfold.flags WHERE flag = '${flag}' ORDER BY at DESC`,
  ),
]
/** Coins of old pools, of which only the accounts are known. */
export const OLD = 'SELECT mint FROM mintfold.pool_trades WHERE mint NOT IN (SELECT mint FROM mintfold.launches) ORDER BY at DESC'
/** Coins that stay covered while the test runs: coverage ends after two hours without a trade. */
export const LIVELY = `SELECT DISTINCT mint FROM (
    SELECT mint FROM mintfold.trades WHERE at > ${NOW} - INTERVAL 100 MINUTE
    UNION ALL SELECT mint FROM mintfold.pool_trades WHERE at > ${NOW} - INTERVAL 100 MINUTE
  )`
export const LIVELY_MAX = 10_000
/** The newest of them with each flag. */
export const FLAGGED = `SELECT argMax(flagged.mint, flagged.at) AS mint FROM mintfold.flags AS flagged WHERE flagged.mint IN (${LIVELY}) GROUP BY flagged.flag`
export const CREATORS = [
  'SELECT creator AS address FROM mintfold.launches GROUP BY creator ORDER BY count() DESC, creator',
  'SELECT creator AS address FROM mintfold.outcomes ORDER BY at DESC',
  // A launch reaches the record of its creator some slots later.
  `SELECT creator AS address FROM mintfold.launches WHERE at < ${NOW} - INTERVAL 1 MINUTE ORDER BY at DESC`,
]
/** A launch of each kind of creator, and of each shape. */
export const SHAPES = [
  'SELECT any(mint) AS mint FROM mintfold.launch_shapes WHERE dev_buy IS NOT NULL GROUP BY creator_kind',
  'SELECT any(mint) AS mint FROM mintfold.launch_shapes WHERE dev_buy IS NOT NULL GROUP BY dev_buy, bundle, creator_kind',
]
export const WALLETS = [
  'SELECT any(wallet) AS address FROM mintfold.wallet_leaderboard GROUP BY class',
  'SELECT wallet AS address FROM mintfold.wallet_leaderboard ORDER BY rank, wallet',
  'SELECT user AS address FROM mintfold.trades GROUP BY user ORDER BY count() DESC, user',
  'SELECT user AS address FROM mintfold.trades WHERE at > (SELECT max(at) FROM mintfold.trades) - INTERVAL 5 MINUTE ORDER BY at DESC',
  'SELECT user AS address FROM mintfold.launches ORDER BY at DESC',
]
