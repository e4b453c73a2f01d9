// Queries of what was known about a launch's dev set at the launch: they read only events before the launch on the chain.
import { NULLS, PLACE, withParts } from './parts.ts'

/** Launches of each wallet: those whose dev set contains it. */
const OWN = 'own AS (SELECT arrayJoin(devs) AS wallet, mint, place, t0 FROM launched)'

/**
 * Counts launches and outcomes before the launch, for each wallet of its dev set, and takes the wallet with the most launches (on a tie the
 * caller of create). Launches count on the day of the launch and the 90 days before.
 */
export const priorSql = (db: string): string => `${withParts(db)}, ${OWN},
  settled AS (
    SELECT o.mint AS mint, wallet, o.place AS place, graduated, rugged, sold_s, day
    FROM (
      SELECT mint, ${PLACE} AS place, graduated, rugged, toInt64(dev_first_sell_dt_s) AS sold_s, toDate(t0) AS day FROM ${db}.outcomes
    ) AS o JOIN own ON own.mint = o.mint
  ),
  asked AS (SELECT mint, place, t0, user, arrayJoin(devs) AS wallet FROM launched),
  before AS (
    SELECT mint, wallet, user, 0 AS n, 0 AS resolved, 0 AS graduated, 0 AS rugged, [] AS sells FROM asked
    UNION ALL
    SELECT l.mint, l.wallet, any(l.user), count(), 0, 0, 0, [] FROM asked AS l JOIN own AS other ON l.wallet = other.wallet
    WHERE other.place < l.place AND toDate(toDateTime(other.t0, 'UTC')) >= toDate(toDateTime(l.t0, 'UTC')) - 90 GROUP BY l.mint, l.wallet
    UNION ALL
    SELECT l.mint, l.wallet, any(l.user), 0, count(), countIf(s.graduated), countIf(s.rugged),
      groupArrayIf(s.sold_s, s.sold_s IS NOT NULL)
    FROM asked AS l JOIN settled AS s ON l.wallet = s.wallet
    WHERE s.place < l.place AND s.graduated IS NOT NULL AND s.rugged IS NOT NULL AND s.day >= toDate(toDateTime(l.t0,
      'UTC')) - 90 GROUP BY l.mint, l.wallet
  ),
  sums AS (
    SELECT mint, wallet, sum(n) AS launches, sum(resolved) AS resolved, sum(graduated) AS graduated, sum(rugged) AS rugged,
      arrayFlatten(groupArray(sells)) AS sells
    FROM before GROUP BY mint, wallet ORDER BY launches DESC, wallet = any(user) DESC LIMIT 1 BY mint
  )
  SELECT mint, slot0, wallet AS creator_prior_of, ifNull(launches, 0) AS \`creator_prior_at_launch.n_launches\`, ifNull(resolved, 0) AS \`creator_prior_at_launch.n_resolved\`,
    if(ifNull(resolved, 0) = 0, NULL, graduated / resolved) AS \`creator_prior_at_launch.grad_rate\`,
    if(ifNull(resolved, 0) = 0, NULL, rugged / resolved) AS \`creator_prior_at_launch.rug_rate\`,
    if(length(sells) = 0, NULL, arrayReduce('quantileExactInclusive(0.5)', sells)) AS \`creator_prior_at_launch.median_dev_sell_s\`,
    ifNull(launches, 0) = 0 AS \`creator_prior_at_launch.is_first_time\`,
    greatest((SELECT min(toInt64(toUnixTimestamp(tick_at))) FROM ${db}.frames),
      toInt64(toUnixTimestamp(toStartOfDay(toDateTime(t0, 'UTC')))) - 7776000) AS \`creator_prior_at_launch.observed_since\`
  FROM launched LEFT JOIN sums USING mint ${NULLS}`

/** The newest payment to the launcher in the half hour before the launch, and the payer's launches before that launch. */
export const warmSql = (db: string): string => `${withParts(db)}, ${OWN},
  payments AS (
    SELECT l.mint AS mint, f.place AS place, f.position AS position, funder, lamports, tick_s, t0 FROM launched AS l JOIN (
      SELECT ${PLACE} AS place, position, wallet, funder, amount_lamports AS lamports,
        toInt64(toUnixTimestamp(tick_at)) AS tick_s FROM ${db}.funding
    ) AS f ON f.wallet = if(l.is_creator_wallet, l.creator, l.user) WHERE f.place < l.place AND f.tick_s >= l.t0 - 1800
    ORDER BY place DESC LIMIT 1 BY mint
  ),
  funders AS (
    SELECT p.mint AS mint, count() AS launches, 0 AS resolved, 0 AS rugged FROM payments AS p JOIN launched AS l ON l.mint = p.mint
    JOIN own AS other ON other.wallet = p.funder WHERE other.place < l.place GROUP BY mint
    UNION ALL
    SELECT p.mint, 0, countIf(o.graduated IS NOT NULL AND o.rugged IS NOT NULL), countIf(o.graduated IS NOT NULL AND o.rugged)
    FROM payments AS p JOIN launched AS l ON l.mint = p.mint
    JOIN (
      SELECT wallet, s.place AS place, graduated, rugged
      FROM (SELECT mint, ${PLACE} AS place, graduated, rugged FROM ${db}.outcomes) AS s JOIN own ON own.mint = s.mint
    ) AS o ON o.wallet = p.funder
    WHERE o.place < l.place GROUP BY p.mint
  ),
  priors AS (SELECT mint, sum(launches) AS launches, sum(resolved) AS resolved, sum(rugged) AS rugged FROM funders GROUP BY mint)
  SELECT launched.mint AS mint, launched.slot0 AS slot0, funder AS \`warm_launch.funder\`, lamports / 1000000000 AS \`warm_launch.amount_sol\`,
    tick_s AS \`warm_launch.funded_at\`, if(funder IS NULL, NULL, greatest(launched.t0 - tick_s, 0)) AS \`warm_launch.seconds_before_launch\`,
    position AS \`warm_launch.position\`, if(funder IS NULL, NULL, ifNull(priors.launches, 0) > 0) AS \`warm_launch.funder_is_creator\`,
    if(funder IS NULL, NULL, ifNull(priors.launches, 0)) AS \`warm_launch.funder_prior.n_launches\`,
    if(ifNull(priors.resolved, 0) = 0, NULL, priors.rugged / priors.resolved) AS \`warm_launch.funder_prior.rug_rate\`
  FROM launched LEFT JOIN payments ON launched.mint = payments.mint LEFT JOIN priors ON launched.mint = priors.mint ${NULLS}`
