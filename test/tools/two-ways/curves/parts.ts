// Common table expressions over the public tables of the alt chain. `place` is a number in chain order, amounts are exact (Int256), times
// are unix seconds.
import type { HistoryClient } from '../../../../topology/history/client.ts'

/** Settings at the end of every query: unmatched rows of a join are null, and a name means the column if there is one. */
export const NULLS = 'SETTINGS join_use_nulls = 1, prefer_column_name_to_alias = 1'

export const PLACE = 'bitShiftLeft(toUInt128(block), 64) + bitShiftLeft(toUInt128(tx_index), 32) + log_index'
const AT = 'toInt64(toUnixTimestamp(tick_at))'
const SUPPLY = "toUInt256('1000000000000000000000000000')"
/** Greater than every `place`. */
const NEVER = 'bitShiftLeft(toUInt128(1), 126)'

/** Columns of an event of a curve after its launch; `e` is the table. */
const event = (rest: string): string => `e.token AS mint, ${PLACE} AS place, block, position, ${AT} AS at${rest}`
const after = (table: string): string => `${table} AS e JOIN launched AS l ON e.token = l.mint WHERE place > l.place0`

const LAUNCH = 'mint place0 block0 position0 t0 curve deployer route pair_token is_native pair_decimals threshold virtual supply exempt'
const COLUMNS = LAUNCH.split(' ')
  .map((name) => `l.${name} AS ${name}`)
  .join(', ')

/** Expressions by name; each may use the ones before it. */
const PARTS: Readonly<Record<string, (db: string) => string>> = {
  contracts: () => "SELECT arrayJoin(CAST({contracts}, 'Array(String)')) AS wallet",
  launched: (db) => `
    SELECT token AS mint, ${PLACE} AS place0, block AS block0, position AS position0, ${AT} AS t0, curve, deployer, route, pair_token,
      pair_token IS NULL AS is_native, pair_decimals, toInt256(threshold_units) AS threshold, toInt256(virtual_quote_units) AS virtual,
      toInt256(ifNull(supply_units, ${SUPPLY})) AS supply, toInt64(length(snipe_exempt)) AS exempt
    FROM ${db}.alt_launches ORDER BY place0 LIMIT 1 BY mint`,
  deals: (db) => `
    SELECT ${event(`, is_buy, wallet, e.route AS route, toInt256(token_units) AS tokens, toInt256(quote_units) AS quote,
      toInt256(user_quote_units) AS paid, toInt256(snipe_tax_units) AS tax`)} FROM ${after(`${db}.alt_trades`)}`,
  completed: (db) => `
    SELECT mint, min(place) AS place, argMin(block, place) AS block, argMin(quote, place) AS quote, argMin(tokens, place) AS tokens FROM (
      SELECT ${event(', toInt256(quote_units) AS quote, toInt256(token_units) AS tokens')} FROM ${after(`${db}.alt_completions`)}
    ) GROUP BY mint`,
  graduated: (db) => `
    SELECT mint, min(place) AS place, argMin(block, place) AS block, argMin(at, place) AS at FROM (
      SELECT ${event('')} FROM ${after(`${db}.alt_migrations`)}
    ) GROUP BY mint`,
  buybacks: (db) => `
    SELECT ${event(', toInt256(quote_units) AS quote, toInt256(token_units) AS tokens')} FROM ${after(`${db}.alt_buybacks`)}`,
  rare: (db) => `SELECT ${event(', toString(kind) AS kind')} FROM ${after(`${db}.alt_curve_events`)}`,
  refunds: (db) => `SELECT ${event('')} FROM ${after(`${db}.alt_refunds`)}`,
  curves: () => `
    SELECT ${COLUMNS}, c.block AS completed_block, ifNull(c.place, ${NEVER}) AS completed_place, c.quote AS completed_quote,
      c.tokens AS completed_tokens, g.block AS graduated_block, g.at AS graduated_at, g.block IS NOT NULL AS is_graduated
    FROM launched AS l LEFT JOIN completed AS c USING mint LEFT JOIN graduated AS g USING mint`,
  /** Reserves of the curve after each trade and buyback, and their peak so far. */
  reserves: () => `
    SELECT mint, place, position, at, real, tokens, greatest(toInt256(0), max(real) OVER (PARTITION BY mint ORDER BY place)) AS peak
    FROM (
      SELECT m.mint AS mint, place, position, at, sum(dq) OVER w AS real, any(supply) OVER w - sum(dt) OVER w AS tokens
      FROM (
        SELECT mint, place, position, at, if(is_buy, quote, -quote) AS dq, if(is_buy, tokens, -tokens) AS dt FROM deals
        UNION ALL SELECT mint, place, position, at, quote, tokens FROM buybacks
      ) AS m JOIN launched USING mint WINDOW w AS (PARTITION BY mint ORDER BY place)
    )`,
  /** Token transfers. */
  moves: (db) => `
    SELECT ${event(', l.curve AS curve, l.deployer AS deployer, e.sender AS sender, e.recipient AS recipient, toInt256(token_units) AS units')}
    FROM ${after(`${db}.alt_transfers`)} AND sender != recipient`,
  holders: () => `
    SELECT mint, wallet, sum(units) AS held FROM (
      SELECT mint, curve, sender AS wallet, -units AS units FROM moves UNION ALL SELECT mint, curve, recipient, units FROM moves
    ) WHERE wallet != curve AND wallet != mint AND wallet NOT IN (SELECT wallet FROM contracts) GROUP BY mint, wallet HAVING held > 0`,
  /** Tokens out of and into the curve, by the curve's events and by token transfers. */
  passed: () => `
    SELECT mint, sum(given) AS out_units, sum(got) AS in_units, sum(moved_out) AS moved_out_units, sum(moved_in) AS moved_in_units FROM (
      SELECT mint, if(is_buy, tokens, toInt256(0)) AS given, if(is_buy, toInt256(0), tokens) AS got, toInt256(0) AS moved_out,
        toInt256(0) AS moved_in FROM deals
      UNION ALL SELECT mint, tokens, 0, 0, 0 FROM buybacks
      UNION ALL SELECT mint, tokens, 0, 0, 0 FROM completed
      UNION ALL SELECT mint, 0, 0, if(sender = curve, units, 0), if(recipient = curve, units, 0) FROM moves
    ) GROUP BY mint`,
  /** Wallets with a direct buy in a block of two or more direct buys. */
  cluster: () => `
    SELECT DISTINCT mint, wallet FROM (
      SELECT mint, wallet, count() OVER (PARTITION BY mint, block) AS n FROM deals WHERE is_buy AND route = 'direct' AND wallet IS NOT NULL
    ) WHERE n >= 2`,
}

const NAMES = Object.keys(PARTS)
const tableOf = (db: string, name: string): string => `${db}.two_ways_curve_${name}`
const withNames = (db: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `WITH ${names.map((name) => `${name} AS (SELECT * FROM ${tableOf(db, name)})`).join(',\n')}`

/** Materializes each expression once, in its own table. `contracts`: addresses that tokens pass through and that are not holders. */
export const prepareCurveParts = async (client: HistoryClient, contracts: readonly string[]): Promise<void> => {
  const { database: db, command } = client
  const list = `[${contracts.map((one) => `'${one}'`).join(', ')}]`
  for (const [n, name] of NAMES.entries()) {
    const sql = `${withNames(db, NAMES.slice(0, n))} ${PARTS[name]?.(db)}`.replace('{contracts}', list)
    await command(`DROP TABLE IF EXISTS ${tableOf(db, name)}`)
    await command(`CREATE TABLE ${tableOf(db, name)} ENGINE = Memory AS ${sql} ${NULLS}`)
  }
}

/** WITH clause of all materialized expressions. */
export const withCurveParts = (db: string): string => withNames(db, NAMES)
