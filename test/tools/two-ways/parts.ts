// Common table expressions over the history's public tables, for the queries of this folder. `place` is a chain position as one number,
// in chain order. Times are unix seconds.

import type { HistoryClient } from '../../../topology/history/client.ts'

/** The `place` of an event, from the four position columns. */
export const PLACE =
  'bitShiftLeft(toUInt256(slot), 96) + bitShiftLeft(toUInt256(tx_index), 64) + bitShiftLeft(toUInt256(outer_ix), 32) + inner_ix'
/** The `place` of the tick that ends a slot: after all of its events. */
export const tickOf = (slot: string): string => `bitShiftLeft(toUInt256(${slot}), 96) + toUInt256('79228162514264337593543950335')`
/** After every `place`. */
export const NEVER = 'bitShiftLeft(toUInt256(1), 200)'
/** The launchpad's mayhem agent: not a holder; tokens minted to it in addition to the launch count as supply. */
export const AGENT = 'BwWK17cbHxwWBKZkUYvzxLcNQ1YVyaFezduWbtm2de6s'
const AT = 'toInt64(toUnixTimestamp(at))'

const LAUNCH = 'mint place slot0 tx0 t0 user creator is_creator_wallet bonding_curve quote_mint is_mayhem supply real0 devs'.split(' ')
/** Columns of `mints`. */
export const MINT_COLUMNS: readonly string[] = [
  ...LAUNCH,
  ...['completed_place', 'completed_by', 'migrated_place', 'migrated_pool', 'closed_place'],
]

/** Expressions by name; each may use the ones before it. */
const PARTS: Readonly<Record<string, (db: string) => string>> = {
  launched: (db) => `
    SELECT l.mint AS mint, ${PLACE} AS place, slot AS slot0, tx_index AS tx0, ${AT} AS t0, user, creator, is_creator_wallet,
      bonding_curve, quote_mint,
      is_mayhem, toInt64(ifNull(supply_units, 1000000000000000)) + if(is_mayhem, ifNull(minted.units, 0), 0) AS supply,
        toInt64(ifNull(real_token_units, 793100000000000)) AS real0,
      if(is_creator_wallet, arrayDistinct([user, creator]), [user]) AS devs
    FROM ${db}.launches AS l LEFT JOIN (
      SELECT mint, sum(units) AS units FROM ${db}.transfers WHERE owner = '${AGENT}' GROUP BY mint
    ) AS minted ON minted.mint = l.mint ORDER BY place LIMIT 1 BY mint`,
  completed: (db) => `SELECT mint, min(${PLACE}) AS place, argMin(user, ${PLACE}) AS by FROM ${db}.completions GROUP BY mint`,
  migrated: (db) => `SELECT mint, min(${PLACE}) AS place, argMin(pool, ${PLACE}) AS to FROM ${db}.migrations GROUP BY mint`,
  mints: () => `
    SELECT ${LAUNCH.map((name) => `l.${name} AS ${name}`).join(', ')}, ifNull(c.place, ${NEVER}) AS completed_place,
      c.by AS completed_by, ifNull(m.place, ${NEVER}) AS migrated_place,
      m.to AS migrated_pool, least(completed_place, migrated_place) AS closed_place
    FROM launched AS l LEFT JOIN completed AS c USING mint LEFT JOIN migrated AS m USING mint`,
  /** Buys and sells except those of the mayhem agent; the part of a buy that goes to the future pool does not count as a separate trade. */
  deals: (db) => `
    SELECT mint, place, d.slot AS slot, d.tx_index AS tx_index, d.position AS position, d.at AS at, tick_s, d.user AS user, is_buy,
      n_trades,
      tokens, quote, ifNull(d.quote_mint, '') = ifNull(mints.quote_mint, '') AS is_own_quote, has(devs, d.user) AS is_dev
    FROM (
      SELECT mint, ${PLACE} AS place, slot, tx_index, position, ${AT} AS at, toInt64(toUnixTimestamp(tick_at)) AS tick_s, user, is_buy,
        1 AS n_trades, token_units AS tokens, quote_units AS quote, toNullable(toString(quote_mint)) AS quote_mint
      FROM ${db}.trades WHERE NOT is_agent
      UNION ALL
      SELECT mint, ${PLACE}, slot, tx_index, position, ${AT}, toInt64(toUnixTimestamp(tick_at)), user, is_buy, 1, token_units,
        quote_units,
        toNullable(toString(quote_mint))
      FROM ${db}.pool_trades WHERE NOT is_agent
      UNION ALL
      SELECT mint, ${PLACE}, slot, tx_index, position, ${AT}, toInt64(toUnixTimestamp(tick_at)), user, true, 0, token_units,
        quote_units,
        toNullable(toString(quote_mint))
      FROM ${db}.post_complete_buys
    ) AS d JOIN mints ON d.mint = mints.mint`,
  /** Reserves of the curve after each event; the oldest event layout has only the virtual reserves. */
  reserves: (db) => `
    SELECT mint, place, position, at, real, real_tokens, max(real) OVER (PARTITION BY mint ORDER BY place) AS peak,
      place < closed_place AS is_open
    FROM (
      SELECT t.mint AS mint, ${PLACE} AS place, t.position AS position, toInt64(toUnixTimestamp(t.at)) AS at,
        toInt64(ifNull(t.real_quote_units, if(t.quote_mint IS NULL AND NOT (t.is_mayhem OR mints.is_mayhem), greatest(0,
          t.virtual_quote_units - 30000000000), -1))) AS real,
        toInt64(ifNull(t.real_token_units, if(t.quote_mint IS NULL AND NOT (t.is_mayhem OR mints.is_mayhem), greatest(0,
          t.virtual_token_units - 279900000000000), -1))) AS real_tokens,
        closed_place, migrated_place
      FROM ${db}.trades AS t JOIN mints ON t.mint = mints.mint
      UNION ALL
      SELECT r.mint, ${PLACE}, r.position, toInt64(toUnixTimestamp(r.at)), r.real_quote_units, r.real_token_units, closed_place,
        migrated_place
      FROM ${db}.mayhem_reserves AS r JOIN mints ON r.mint = mints.mint
    ) WHERE place < migrated_place`,
  vaults: (db) => `
    SELECT mint, bonding_curve AS wallet FROM launched UNION DISTINCT SELECT mint, to FROM migrated
    UNION DISTINCT SELECT mint, pool FROM ${db}.pools`,
  /** Every change of a wallet's balance of a coin. */
  moves: (db) => `
    SELECT mint, place, wallet, units FROM (
      SELECT mint, place, user AS wallet, if(is_buy, tokens, -tokens) AS units FROM deals
      UNION ALL
      SELECT mint, ${PLACE}, user, if(is_deposit, -token_units, token_units) FROM ${db}.pool_liquidity
      UNION ALL
      SELECT mint, ${PLACE}, owner, units FROM ${db}.transfers WHERE owner != '${AGENT}'
    ) WHERE mint IN (SELECT mint FROM launched) AND (mint, wallet) NOT IN (SELECT mint, wallet FROM vaults)`,
  holders: () => `SELECT mint, wallet, sum(units) AS units FROM moves GROUP BY mint, wallet HAVING units > 0`,
  first_buys: () => `
    SELECT mint, user AS wallet, min(place) AS place, argMin(slot, deals.place) AS slot, argMin(at, deals.place) AS at,
      any(is_dev) AS is_dev
    FROM deals WHERE is_buy GROUP BY mint, user`,
  /** Buyers in the create slot outside the dev set, their amounts, and whether they bought in the launch transaction. */
  bundle: () => `
    SELECT mint, user AS wallet, sum(tokens) AS bought, min(place) AS place, max(tx_index = tx0) AS is_create_tx
    FROM deals JOIN launched USING mint WHERE is_buy AND NOT is_dev AND slot = slot0 GROUP BY mint, user`,
}

const NAMES = Object.keys(PARTS)
const tableOf = (db: string, name: string): string => `${db}.two_ways_${name}`
const withNames = (db: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `WITH ${names.map((name) => `${name} AS (SELECT * FROM ${tableOf(db, name)})`).join(',\n')}`

/** Settings at the end of every query: unmatched rows of a join are null. */
export const NULLS = 'SETTINGS join_use_nulls = 1'

/** Materializes each expression once, in its own table of the history's database, because queries use several of them repeatedly. */
export const prepareParts = async ({ database: db, command }: Pick<HistoryClient, 'database' | 'command'>): Promise<void> => {
  for (const [n, name] of NAMES.entries()) {
    await command(`DROP TABLE IF EXISTS ${tableOf(db, name)}`)
    await command(`CREATE TABLE ${tableOf(db, name)} ENGINE = Memory AS ${withNames(db, NAMES.slice(0, n))} ${PARTS[name]?.(db)} ${NULLS}`)
  }
}

/** WITH clause of all materialized expressions. */
export const withParts = (db: string): string => withNames(db, NAMES)
