// Queries of a coin's holders: balances from every event that moves the coin, and roles of wallets by the card's rules.
import { NULLS, PLACE, withParts } from './parts.ts'

export const holdersSql = (db: string): string => `${withParts(db)},
  sold AS (
    SELECT d.mint AS mint, d.user AS wallet, least(sum(d.tokens), any(bundle.bought)) AS sold
    FROM deals AS d JOIN bundle ON d.mint = bundle.mint AND d.user = bundle.wallet WHERE NOT d.is_buy
      AND d.place > bundle.place GROUP BY mint, wallet
  ),
  bundles AS (
    SELECT bundle.mint AS mint, count() AS wallets, sum(bought) AS bought, sum(ifNull(sold.sold, 0)) AS sold, sum(ifNull(units,
      0)) AS held
    FROM bundle LEFT JOIN sold ON bundle.mint = sold.mint AND bundle.wallet = sold.wallet
    LEFT JOIN holders ON bundle.mint = holders.mint AND bundle.wallet = holders.wallet GROUP BY mint
  ),
  sums AS (
    SELECT mint, count() AS n, arraySum(arraySlice(arrayReverseSort(groupArray(units)), 1, 5)) AS top5, sum(units) AS circulating,
      sum(toUInt256(units) * toUInt256(units)) AS squares, sumIf(units, has(devs, wallet)) AS dev
    FROM holders JOIN launched USING mint GROUP BY mint
  )
  SELECT mint, ifNull(n, 0) AS \`holders.n_holders\`, ifNull(top5, 0) / supply AS \`holders.top5_share\`,
    if(ifNull(circulating, 0) = 0, NULL,
      toFloat64(intDiv(squares * 1000000000000, toUInt256(circulating) * toUInt256(circulating))) / 1000000000000) AS \`holders.hhi\`,
    ifNull(dev, 0) / supply AS \`holders.dev_share\`, ifNull(held, 0) / supply AS \`holders.bundle_share\`,
    ifNull(wallets, 0) AS \`holders.n_bundle_wallets\`, ifNull(bundles.sold, 0) * 2 > ifNull(bundles.bought, 0) AS \`holders.bundle_dumped\`,
    supply / 1000000 AS \`holders.supply_tokens\`, ifNull(circulating, 0) / 1000000 AS \`holders.circulating_tokens\`
  FROM mints LEFT JOIN sums USING mint LEFT JOIN bundles USING mint ${NULLS}`

/** Funders of a wallet before a position: of its newest 16 payments those of the half hour before, newest first, at most four funders. */
const fundersOf = (db: string, asked: string): string => `
  SELECT mint, wallet, arraySlice(arrayDistinct(arrayMap(p -> p.2, arrayReverseSort(p -> p.1, groupArray((place, funder))))), 1,
    4) AS funders FROM (
    SELECT a.mint AS mint, a.wallet AS wallet, f.place AS place, f.funder AS funder, f.tick_s AS tick_s, a.at AS at
    FROM (${asked}) AS a
    JOIN (SELECT ${PLACE} AS place, funder, wallet, toInt64(toUnixTimestamp(tick_at)) AS tick_s
      FROM ${db}.funding) AS f ON a.wallet = f.wallet
    WHERE f.place < a.place ORDER BY place DESC LIMIT 16 BY mint, wallet
  ) WHERE tick_s >= at - 1800 GROUP BY mint, wallet`

/** Roles of holders by the three rules. Answers about payments arrive some slots later: `newest_asked_slot` shows whether all have. */
export const insidersSql = (db: string): string => `${withParts(db)},
  asked AS (
    SELECT f.mint AS mint, f.wallet AS wallet, f.place AS place, f.slot AS slot, f.at AS at FROM first_buys AS f JOIN mints USING mint
    WHERE NOT f.is_dev AND f.place < closed_place
  ),
  launchers AS (SELECT mint, if(is_creator_wallet, creator, user) AS wallet, place, t0 AS at FROM launched),
  warm AS (${fundersOf(db, 'SELECT mint, wallet, place, at FROM launchers')}),
  paid AS (${fundersOf(db, 'SELECT mint, wallet, place, at FROM asked')}),
  rules AS (
    SELECT t.mint AS mint, t.owner AS wallet, 'a' AS rule FROM ${db}.transfers AS t JOIN mints ON t.mint = mints.mint
    WHERE t.units >= 0 AND t.is_wallet AND t.is_from_wallets AND NOT t.is_traded AND NOT has(devs, t.owner) AND ${PLACE} < closed_place
    UNION DISTINCT
    SELECT paid.mint, paid.wallet, 'b' FROM paid JOIN launched ON paid.mint = launched.mint LEFT JOIN warm ON paid.mint = warm.mint
    JOIN asked ON paid.mint = asked.mint AND paid.wallet = asked.wallet
    WHERE hasAny(paid.funders, arrayConcat(devs, ifNull(warm.funders, [])))
    UNION DISTINCT
    SELECT mint, wallet, 'c' FROM bundle WHERE is_create_tx
  ),
  roles AS (SELECT mint, wallet, arraySort(groupUniqArray(rule)) AS rules FROM rules GROUP BY mint, wallet),
  held AS (
    SELECT h.mint AS mint, h.wallet AS wallet, rules, h.units AS units, h.units / supply AS share
    FROM holders AS h JOIN roles ON h.mint = roles.mint AND h.wallet = roles.wallet JOIN launched ON h.mint = launched.mint
    ORDER BY h.units DESC, base58Decode(h.wallet)
  ),
  sums AS (
    SELECT mint, count() AS n, sum(units) AS units, groupArray(20)((wallet, rules, share)) AS named FROM held GROUP BY mint
  ),
  newest AS (SELECT mint, max(slot) AS slot FROM asked GROUP BY mint)
  SELECT launched.mint AS mint, ifNull(units, 0) / supply AS \`holders.insider_share\`, ifNull(n, 0) AS \`holders.n_insider_wallets\`,
    named AS \`holders.insiders\`, greatest(ifNull(newest.slot, 0), slot0) AS newest_asked_slot
  FROM launched LEFT JOIN sums ON launched.mint = sums.mint LEFT JOIN newest ON launched.mint = newest.mint ${NULLS}`
