// Query of the last event of mints whose launch was not captured, or that are no longer covered.
import { EVENTS } from './demand.ts'
import { NULLS, PLACE } from './parts.ts'

export const lastSeenSql = (db: string): string => `
  WITH events AS (
    ${EVENTS.map((table) => `SELECT mint, ${PLACE} AS place, position, toInt64(toUnixTimestamp(at)) AS at FROM ${db}.${table}`).join(' UNION ALL ')}
  ),
  seen AS (SELECT mint, argMax(position, place) AS position, argMax(at, place) AS at FROM events GROUP BY mint),
  launched AS (SELECT mint, any(is_mayhem) AS mayhem, any(toString(quote_mint)) AS quote, 0 AS real, min(${PLACE}) AS place
    FROM ${db}.launches GROUP BY mint),
  newest AS (
    SELECT mint, argMax(real, place) AS real, max(mayhem) AS mayhem, any(quote) AS quote FROM (
      SELECT mint, ${PLACE} AS place, is_mayhem AS mayhem, toNullable(toString(quote_mint)) AS quote,
        toInt64(ifNull(real_quote_units, if(quote_mint IS NULL AND NOT is_mayhem, greatest(0, virtual_quote_units - 30000000000),
          -1))) AS real
      FROM ${db}.trades
      UNION ALL
      SELECT mint, ${PLACE}, true, NULL, real_quote_units FROM ${db}.mayhem_reserves
      UNION ALL
      SELECT mint, place, mayhem, quote, real FROM launched
    ) GROUP BY mint
  )
  SELECT seen.mint AS mint, position AS \`last_seen.position\`, at AS \`last_seen.at\`,
    multiIf(quote IS NOT NULL, NULL, mint IN (SELECT mint FROM ${db}.migrations), 0, ifNull(real, -1) >= 0, real / 1000000000,
      NULL) AS \`last_seen.rs_sol\`,
    mint IN (SELECT mint FROM ${db}.completions) OR mint IN (SELECT mint FROM ${db}.migrations) AS \`last_seen.complete\`,
    mint IN (SELECT mint FROM ${db}.migrations) AS \`last_seen.migrated\`, ifNull(mayhem, false) AS \`last_seen.is_mayhem\`
  FROM seen LEFT JOIN newest ON seen.mint = newest.mint ${NULLS}`
