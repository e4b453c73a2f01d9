// Queries that find the six flags in the events, each at the first position where it holds.
import { poolEvents } from './curve.ts'
import { NULLS, PLACE, tickOf, withParts } from './parts.ts'

const first = (flag: string, from: string): string => `
  SELECT mint, '${flag}' AS flag, argMin(at, place) AS first_at, argMin(position, place) AS first_position, min(place) AS first_place
  FROM (${from}) GROUP BY mint`

export const flagsSql = (db: string): string => `${withParts(db)},${poolEvents(db)},
  bundle_sales AS (
    SELECT d.mint AS mint, d.place AS place, d.position AS position, d.at AS at, d.slot AS slot, d.tick_s AS tick_s, bought,
      least(sum(d.tokens) OVER (PARTITION BY d.mint, d.user ORDER BY d.place), bought) AS sold_so_far, d.user AS wallet
    FROM deals AS d JOIN bundle ON d.mint = bundle.mint AND d.user = bundle.wallet WHERE NOT d.is_buy AND d.place > bundle.place
  ),
  bundle_steps AS (
    SELECT *, sold_so_far - lagInFrame(sold_so_far, 1, 0) OVER (PARTITION BY mint,
      wallet ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS step
    FROM bundle_sales
  ),
  bundle_sums AS (
    SELECT s.mint AS mint, s.place AS place, s.position AS position, s.at AS at, s.slot AS slot, s.tick_s AS tick_s,
      sum(step) OVER (PARTITION BY mint ORDER BY place) AS sold, total, slot0
    FROM bundle_steps AS s JOIN (SELECT mint, sum(bought) AS total FROM bundle GROUP BY mint) AS t ON s.mint = t.mint
    JOIN launched ON s.mint = launched.mint
  ),
  found AS (
    ${first('creator_sold', 'SELECT mint, place, at, position FROM deals WHERE NOT is_buy AND is_dev')}
    UNION ALL
    ${first(
      'bundle_dumped',
      `SELECT mint, if(slot = slot0, ${tickOf('slot')}, place) AS place, if(slot = slot0, tick_s, at) AS at,
         if(slot = slot0, concat('solana:', toString(slot), '.~'), position) AS position FROM bundle_sums WHERE sold * 2 > total`,
    )}
    UNION ALL
    ${first(
      'curve_drained',
      `SELECT r.mint AS mint, place, at, position FROM reserves AS r JOIN launched ON r.mint = launched.mint
       WHERE quote_mint IS NULL AND is_open AND real >= 0 AND peak >= 1000000000 AND real * 100 <= peak * 20`,
    )}
    UNION ALL
    ${first(
      'curve_closed_low',
      `SELECT c.mint AS mint, ${PLACE} AS place, toInt64(toUnixTimestamp(c.at)) AS at, c.position AS position
        FROM ${db}.completions AS c
       JOIN launched ON c.mint = launched.mint WHERE launched.quote_mint IS NULL AND c.mint NOT IN (SELECT mint FROM reserves
         WHERE real >= 84000000000)`,
    )}
    UNION ALL
    ${first(
      'migrate_below_grad',
      `SELECT m.mint AS mint, ${PLACE} AS place, toInt64(toUnixTimestamp(m.at)) AS at, m.position AS position FROM ${db}.migrations AS m
       JOIN launched ON m.mint = launched.mint WHERE launched.quote_mint IS NULL AND m.mint NOT IN (SELECT mint FROM reserves
         WHERE real >= 84000000000)`,
    )}
    UNION ALL
    ${first(
      'pool_drained',
      'SELECT e.mint AS mint, e.place AS place, e.at AS at, e.position AS position FROM pool_events AS e JOIN opened USING mint WHERE quote * 100 <= opening * 20',
    )}
  ),
  listed AS (SELECT mint, groupArray((flag, first_at, first_position)) AS flags FROM (SELECT * FROM found ORDER BY first_place,
    flag) GROUP BY mint)
  SELECT mints.mint AS mint, flags AS rug_flags, ${['creator_sold', 'bundle_dumped'].map((flag) => `${has(flag)} AS \`flags.${flag}\``).join(', ')},
    if(migrated_pool IS NULL OR mint IN (SELECT mint FROM opened), ${has('pool_drained')}, NULL) AS \`flags.pool_drained\`,
    ${['curve_drained', 'curve_closed_low', 'migrate_below_grad']
      .map((flag) => `if(quote_mint IS NULL, ${has(flag)}, NULL) AS \`flags.${flag}\``)
      .join(', ')}
  FROM mints LEFT JOIN listed ON mints.mint = listed.mint ${NULLS}`

const has = (flag: string): string => `arrayExists(f -> f.1 = '${flag}', flags)`

/** The findings stored in the history. */
export const findingsSql = (db: string): string => `
  SELECT mint, groupArray((finding_id, toString(flag), toString(detector), toInt64(detector_version), evidence)) AS findings
  FROM (SELECT * FROM ${db}.flags ORDER BY ${PLACE}, flag) GROUP BY mint ${NULLS}`
