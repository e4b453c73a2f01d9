// Query of a token's holders and of the routes of its buys.
import { NULLS, withCurveParts } from './parts.ts'

const share = (part: string, whole: string): string => `if(${whole} = 0, NULL, toFloat64(${part}) / toFloat64(${whole}))`

/** @param terminals names of the routes that are trading terminals */
export const structureSql =
  (terminals: readonly string[]) =>
  (db: string): string => {
    const list = `[${terminals.map((one) => `'${one}'`).join(', ')}]`
    return `${withCurveParts(db)},
  held AS (
    SELECT mint, count() AS n, max(held) AS top1, arraySum(arraySlice(arrayReverseSort(groupArray(held)), 1, 5)) AS top5,
      sum(held) AS total, sum(held * held) AS squares, sumIf(held, wallet = deployer) AS of_deployer,
      sumIf(held, (mint, wallet) IN (SELECT mint, assumeNotNull(wallet) FROM cluster)) AS of_cluster,
      sumIf(held, (mint, wallet) IN (
        SELECT mint, assumeNotNull(wallet) FROM deals WHERE is_buy AND wallet IS NOT NULL AND has(${list}, route)
      )) AS of_terminals
    FROM holders JOIN launched USING mint GROUP BY mint
  ),
  clusters AS (SELECT mint, count() AS n FROM cluster GROUP BY mint),
  blocks AS (
    SELECT mint, max(n) AS n FROM (
      SELECT mint, block, count() AS n FROM deals WHERE is_buy AND route = 'direct' AND wallet IS NOT NULL GROUP BY mint, block
    ) GROUP BY mint
  ),
  buys AS (
    SELECT mint, count() AS n, countIf(route = 'direct' AND wallet IS NOT NULL) AS direct, countIf(has(${list}, route)) AS terminal,
      countIf(wallet IS NOT NULL) AS resolved FROM deals WHERE is_buy GROUP BY mint
  ),
  routed AS (
    SELECT mint, groupArray((route, n)) AS routes FROM (
      SELECT mint, route, toInt64(count()) AS n FROM deals WHERE is_buy GROUP BY mint, route ORDER BY mint, route
    ) GROUP BY mint
  ),
  last AS (SELECT mint, argMax(tokens, place) AS tokens FROM reserves GROUP BY mint),
  known AS (
    SELECT c.mint AS mint, supply, is_graduated,
      ifNull(moved_out_units >= out_units AND moved_in_units >= in_units, true) AS is_known,
      coalesce(completed_tokens, last.tokens, supply) AS reserve,
      if(is_graduated, ifNull(held.total, toInt256(0)), supply - reserve) AS circulating
    FROM curves AS c LEFT JOIN passed USING mint LEFT JOIN held USING mint LEFT JOIN last USING mint
  )
  SELECT k.mint AS mint,
    if(is_known, toInt64(ifNull(held.n, 0)), NULL) AS \`structure.n_holders\`,
    if(is_known, ${share('ifNull(top1, toInt256(0))', 'circulating')}, NULL) AS \`structure.top1_share\`,
    if(is_known, ${share('ifNull(top5, toInt256(0))', 'circulating')}, NULL) AS \`structure.top5_share\`,
    if(is_known AND circulating != 0, toFloat64(ifNull(squares, toInt256(0))) / toFloat64(circulating * circulating), NULL) AS \`structure.hhi\`,
    if(is_known, ${share('ifNull(of_deployer, toInt256(0))', 'circulating')}, NULL) AS \`structure.deployer_holding_share\`,
    if(is_known, ${share('ifNull(of_cluster, toInt256(0))', 'circulating')}, NULL) AS \`structure.same_block_direct_cluster_share\`,
    if(is_known, ${share('ifNull(of_terminals, toInt256(0))', 'circulating')}, NULL) AS \`structure.terminal_holdings_share\`,
    toInt64(ifNull(clusters.n, 0)) AS \`structure.same_block_direct_cluster_wallets\`,
    toInt64(ifNull(blocks.n, 0)) AS \`structure.max_direct_buys_in_one_block\`,
    buys.direct / buys.n AS \`structure.direct_buy_share\`, buys.terminal / buys.n AS \`structure.terminal_buy_share\`,
    buys.resolved / buys.n AS \`structure.router_join_resolved_share\`, ifNull(routes, []) AS \`structure.routes\`,
    toFloat64(supply) / 1e18 AS \`structure.supply_tokens\`,
    if(is_graduated AND NOT is_known, NULL, toFloat64(circulating) / 1e18) AS \`structure.circulating_tokens\`
  FROM known AS k LEFT JOIN held USING mint LEFT JOIN clusters USING mint LEFT JOIN blocks USING mint LEFT JOIN buys USING mint
    LEFT JOIN routed USING mint ${NULLS}`
  }
