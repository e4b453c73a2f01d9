// Queries of the deployer's activity on the curve and before the launch, and of findings recomputed from the events.
import { NULLS, PLACE, withCurveParts } from './parts.ts'

const DAYS = 90
const eth = (units: string): string => `if(is_native, toFloat64(${units}) / 1e18, NULL)`
const orZero = (units: string): string => `ifNull(${units}, toInt256(0))`

export const deployerSql = (db: string): string => `${withCurveParts(db)},
  own AS (
    SELECT mint, sumIf(tokens, is_buy) AS bought, sumIf(paid, is_buy AND block = block0) AS launch_buy, countIf(NOT is_buy) AS sells,
      sumIf(tokens, NOT is_buy) AS sold, argMinIf(toNullable(at), place, NOT is_buy) AS first_sell_at
    FROM deals JOIN launched USING mint WHERE wallet = deployer GROUP BY mint
  ),
  sent AS (
    SELECT mint, sum(units) AS units, argMinIf(toNullable(at), place, recipient != curve AND recipient != mint
      AND recipient NOT IN (SELECT wallet FROM contracts)) AS first_at
    FROM moves WHERE sender = deployer GROUP BY mint
  )
  SELECT l.mint AS mint, toFloat64(${orZero('bought')}) / toFloat64(supply) AS \`deployer_activity.bought_share\`,
    ${eth(orZero('launch_buy'))} AS \`deployer_activity.launch_buy_eth\`, toInt64(ifNull(sells, 0)) AS \`deployer_activity.n_sells\`,
    toFloat64(${orZero('sold')}) / toFloat64(supply) AS \`deployer_activity.sold_share\`,
    if(first_sell_at IS NULL, NULL, greatest(0, first_sell_at - t0)) AS \`deployer_activity.first_sell_after_s\`,
    toFloat64(greatest(toInt256(0), ${orZero('sent.units')} - ${orZero('sold')})) / toFloat64(supply) AS \`deployer_activity.given_share\`,
    if(first_at IS NULL, NULL, greatest(0, first_at - t0)) AS \`deployer_activity.first_given_after_s\`
  FROM launched AS l LEFT JOIN own USING mint LEFT JOIN sent USING mint ${NULLS}`

/** Counts the deployer's launches, and their outcomes, before the launch; launches count on its day (UTC) and the 90 days before that. */
export const priorSql = (db: string): string => `${withCurveParts(db)},
  settled AS (
    SELECT o.token AS mint, l.deployer AS deployer, o.place AS place, graduated, rugged, sold_s, toDate(toDateTime(t0, 'UTC')) AS day FROM (
      SELECT token, ${PLACE} AS place, graduated, rugged, toInt64(deployer_first_sell_dt_s) AS sold_s FROM ${db}.alt_outcomes
    ) AS o JOIN launched AS l ON o.token = l.mint WHERE graduated IS NOT NULL AND rugged IS NOT NULL
  ),
  before AS (
    SELECT l.mint AS mint, count() AS n, 0 AS resolved, 0 AS graduated, 0 AS rugged, [] AS sells FROM launched AS l
    JOIN launched AS other ON l.deployer = other.deployer
    WHERE other.place0 < l.place0 AND toDate(toDateTime(other.t0, 'UTC')) >= toDate(toDateTime(l.t0, 'UTC')) - ${DAYS} GROUP BY mint
    UNION ALL
    SELECT l.mint, 0, count(), countIf(s.graduated), countIf(s.rugged), groupArrayIf(s.sold_s, s.sold_s IS NOT NULL)
    FROM launched AS l JOIN settled AS s ON l.deployer = s.deployer
    WHERE s.place < l.place0 AND s.day >= toDate(toDateTime(l.t0, 'UTC')) - ${DAYS} GROUP BY l.mint
  ),
  sums AS (
    SELECT mint, toInt64(sum(n)) AS launches, toInt64(sum(resolved)) AS resolved, sum(graduated) AS graduated, sum(rugged) AS rugged,
      arrayFlatten(groupArray(sells)) AS sells FROM before GROUP BY mint
  )
  SELECT l.mint AS mint, toInt64(block0) AS block0, ifNull(launches, 0) AS \`deployer_prior_at_launch.n_launches\`,
    ifNull(resolved, 0) AS \`deployer_prior_at_launch.n_resolved\`,
    if(ifNull(resolved, 0) = 0, NULL, graduated / resolved) AS \`deployer_prior_at_launch.grad_rate\`,
    if(ifNull(resolved, 0) = 0, NULL, rugged / resolved) AS \`deployer_prior_at_launch.rug_rate\`,
    if(length(sells) = 0, NULL, arrayReduce('quantileExactInclusive(0.5)', sells)) AS \`deployer_prior_at_launch.median_dev_sell_s\`,
    ifNull(launches, 0) = 0 AS \`deployer_prior_at_launch.is_first_time\`,
    greatest((SELECT min(toInt64(toUnixTimestamp(tick_at))) FROM ${db}.alt_frames),
      toInt64(toUnixTimestamp(toStartOfDay(toDateTime(t0, 'UTC')))) - ${DAYS} * 86400) AS \`deployer_prior_at_launch.observed_since\`
  FROM launched AS l LEFT JOIN sums USING mint ${NULLS}`

/** The deployer's first sell, and the first event after which an open curve holds at most a fifth of a peak of 0.1 ETH or more. */
export const findingsSql = (db: string): string => `${withCurveParts(db)},
  found AS (
    SELECT mint, 'deployer_sold' AS flag, argMin(at, place) AS first_at, argMin(position, place) AS first_position, min(place) AS first
    FROM deals JOIN launched USING mint WHERE NOT is_buy AND wallet = deployer GROUP BY mint
    UNION ALL
    SELECT mint, 'curve_drained', argMin(r.at, r.place), argMin(r.position, r.place), min(r.place)
    FROM reserves AS r JOIN curves AS c USING mint
    WHERE is_native AND r.place < completed_place AND peak >= 100000000000000000 AND real * 5 <= peak GROUP BY mint
  ),
  listed AS (
    SELECT mint, groupArray((flag, first_at, first_position)) AS flags FROM (SELECT * FROM found ORDER BY first, flag) GROUP BY mint
  )
  SELECT c.mint AS mint, ifNull(flags, []) AS findings, arrayExists(f -> f.1 = 'deployer_sold', ifNull(flags, [])) AS \`flags.deployer_sold\`,
    if(is_native, arrayExists(f -> f.1 = 'curve_drained', ifNull(flags, [])), NULL) AS \`flags.curve_drained\`
  FROM curves AS c LEFT JOIN listed USING mint ${NULLS}`

/** The findings stored in the history. */
export const keptSql = (db: string): string => `
  SELECT token AS mint, groupArray((finding_id, toString(flag), toString(detector), toInt64(detector_version), evidence)) AS kept
  FROM (SELECT * FROM ${db}.alt_flags ORDER BY ${PLACE}, flag) GROUP BY mint ${NULLS}`
