// Queries of analysts, the API and the engine against a history, each with its time limit.
import { guideQuestions } from '../../tools/sql-guide/guide.ts'

export interface Question {
  readonly kind: 'view' | 'lookup' | 'guide'
  readonly name: string
  readonly sql: string
  readonly secondsMax: number
}

const LOOKUP_S_MAX = 2
const GUIDE_S_MAX = 10
/** Views over tables partitioned by day, and the column of their time windows. */
const BY_DAY: Readonly<Record<string, string>> = {
  trades: 'tick_at',
  pool_trades: 'tick_at',
  pool_liquidity: 'tick_at',
  mayhem_reserves: 'tick_at',
  transfers: 'tick_at',
  funding: 'tick_at',
  frames: 'tick_at',
  gaps: 'tick_at',
  wallet_roles: 'at',
  launch_minutes: 'minute',
  launches: 'tick_at',
  outcomes: 'at',
  flags: 'at',
}

/** @param sample an existing mint, wallet, signature, slot, event id and creator */
export const questionsOf = (endS: number, sample: Readonly<Record<string, string>>): readonly Question[] => [
  ...Object.entries(BY_DAY).map(([view, column]) => ({
    kind: 'view' as const,
    name: `${view}, last 10 minutes`,
    sql: `SELECT count() FROM mintfold.${view} WHERE ${column} >= toDateTime('${endS - 600}', 'UTC')`,
    secondsMax: LOOKUP_S_MAX,
  })),
  ...Object.entries({
    'trades by mint': `SELECT count() FROM mintfold.trades WHERE mint = '${sample.mint}'`,
    'trades by wallet': `SELECT count() FROM mintfold.trades WHERE user = '${sample.wallet}'`,
    'trades by signature': `SELECT count() FROM mintfold.trades WHERE signature = '${sample.signature}'`,
    'trades by slot': `SELECT count() FROM mintfold.trades WHERE slot = ${sample.slot}`,
    'trades by event id': `SELECT count() FROM mintfold.trades WHERE event_id = '${sample.event}'`,
    'pool trades by wallet': `SELECT count() FROM mintfold.pool_trades WHERE user = '${sample.poolWallet}'`,
    'launches of a creator': `SELECT count() FROM mintfold.launches WHERE creator = '${sample.creator}'`,
    'creator_stats of one': `SELECT * FROM mintfold.creator_stats WHERE creator = '${sample.creator}'`,
    'funding by funder': `SELECT count() FROM mintfold.funding WHERE funder = '${sample.funder}'`,
    'wallet_positions of one': `SELECT count() FROM mintfold.wallet_positions WHERE wallet = '${sample.wallet}'`,
    'wallet_results of one': `SELECT * FROM mintfold.wallet_results WHERE wallet = '${sample.wallet}'`,
    'launch_minutes of one': `SELECT count() FROM mintfold.launch_minutes WHERE mint = '${sample.mint}'`,
    coverage: 'SELECT count() FROM mintfold.coverage',
    detector_scorecard: 'SELECT count() FROM mintfold.detector_scorecard',
    'volume by hour of a day': `SELECT toStartOfHour(tick_at) AS hour, sum(quote_units) FROM mintfold.trades WHERE tick_at >= toDateTime('${endS - 86_400}', 'UTC') GROUP BY hour`,
  }).map(([name, sql]) => ({ kind: 'lookup' as const, name, sql, secondsMax: LOOKUP_S_MAX })),
  ...guideQuestions().map(({ title, query }) => ({ kind: 'guide' as const, name: title, sql: query, secondsMax: GUIDE_S_MAX })),
]
