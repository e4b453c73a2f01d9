// Compares lists, creators' records, shapes of launches and the regime with SQL over the history as of each answer.
import { type Answers, LAUNCHES } from './answers.ts'
import type { Demo, Json, Reply } from './demo.ts'
import { compare, type Expected } from './meaning.ts'
import { judged, unobserved, type Verdict } from './verdict.ts'

const dataOf = ({ body }: Reply): Json => (body.data ?? {}) as Json
const itemsOf = (reply: Reply): readonly Json[] => (dataOf(reply).items ?? []) as readonly Json[]
const secondOf = ({ body }: Reply): number => Math.floor(Number(body.t))
const at = (column: string): string => `toInt64(toUnixTimestamp(${column}))`
/** The newest slot that was folded when the answer was made: rows of later slots came after it. */
const slotOf = ({ body }: Reply): number => Number((body.meta as Json).last_slot)

const replyTo = (answers: Answers, path: string): Reply | undefined =>
  answers.replies.find((reply) => reply.path === path && reply.status === 200)

/** Undefined if both lists have the same items, in any order; otherwise the difference. */
const setFault = (answered: readonly string[], known: readonly string[]): string | undefined => {
  const missing = known.filter((one) => !answered.includes(one))
  const more = answered.filter((one) => !known.includes(one))
  return missing.length + more.length === 0
    ? undefined
    : `${answered.length} items, SQL ${known.length}; missing ${missing.slice(0, 3)}, more ${more.slice(0, 3)}`
}

const listVerdict = async (demo: Demo, answers: Answers, path: string, key: string, sql: (reply: Reply) => string): Promise<Verdict> => {
  const reply = replyTo(answers, path)
  if (reply === undefined) return unobserved(`${path} items = SQL`, 'not answered')
  const rows = await demo.rows<{ readonly key: string }>(sql(reply))
  return judged(
    `${path} items = SQL`,
    setFault(
      itemsOf(reply).map((item) => String(item[key])),
      rows.map((row) => row.key),
    ),
  )
}

const RUGS = '/v1/rugs/recent'
const GRADUATIONS = '/v1/graduations/recent?window_s=86400'

const holdLists = (demo: Demo, answers: Answers): Promise<readonly Verdict[]> =>
  Promise.all([
    listVerdict(
      demo,
      answers,
      LAUNCHES,
      'mint',
      (reply) =>
        `SELECT mint AS key FROM mintfold.launches WHERE slot <= ${slotOf(reply)} ORDER BY at DESC, slot DESC, tx_index DESC LIMIT 100`,
    ),
    listVerdict(
      demo,
      answers,
      RUGS,
      'finding_id',
      (reply) =>
        `SELECT finding_id AS key FROM mintfold.flags WHERE slot <= ${slotOf(reply)} AND ${at('at')} >= ${secondOf(reply) - 3_600} ORDER BY at DESC, slot DESC LIMIT 50`,
    ),
    listVerdict(
      demo,
      answers,
      GRADUATIONS,
      'mint',
      (reply) => `SELECT mint AS key FROM mintfold.migrations WHERE slot <= ${slotOf(reply)} ORDER BY at DESC`,
    ),
  ])

const repliesOf = (answers: Answers, start: string): readonly Reply[] =>
  answers.replies.filter(({ path, status }) => path.startsWith(start) && status === 200)
const fieldOf = (data: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Json | null)?.[name] ?? null, data)

/** A mint that has not migrated is live if its last trade is at most this many seconds old. */
const LIVE_S = 7_200

/** A launch with its outcome and its last trade. */
interface Launched extends Json {
  readonly mint: string
  readonly user: string
  readonly creator: string
  readonly slot: number
}
const TRADED = `SELECT mint, max(toInt64(toUnixTimestamp(at))) AS last_s FROM (
  SELECT mint, at FROM mintfold.trades UNION ALL SELECT mint, at FROM mintfold.pool_trades) GROUP BY mint`

/** The first settlement of each launch counts. */
const LAUNCHED = `SELECT l.mint AS mint, l.user AS user, if(l.is_creator_wallet, l.creator, l.user) AS creator, l.slot AS slot,
    o.slot AS settled_slot, o.graduated AS graduated, o.rugged AS rugged, t.last_s AS last_s, m.slot AS migrated_slot
  FROM mintfold.launches AS l
  LEFT JOIN (SELECT mint, slot, graduated, rugged FROM mintfold.outcomes ORDER BY slot LIMIT 1 BY mint) AS o ON o.mint = l.mint
  LEFT JOIN (${TRADED}) AS t ON t.mint = l.mint LEFT JOIN (SELECT mint, slot FROM mintfold.migrations) AS m ON m.mint = l.mint
  SETTINGS join_use_nulls = 1`

/**
 * A message of a launch or an outcome to a wallet's record applies at the end of the next epoch of 4 slots, so a record may lag by up to
 * this many slots.
 */
const ON_THEIR_WAY_SLOTS = 12

/** A wallet's record counts the launches whose dev set it is in. */
const creatorOf = (launched: readonly Launched[], reply: Reply, slot: number): Expected => {
  const { creator } = dataOf(reply)
  const own = launched.filter((row) => row.slot <= slot && (row.user === creator || row.creator === creator))
  const resolved = own.filter(({ settled_slot, graduated }) => settled_slot !== null && Number(settled_slot) <= slot && graduated !== null)
  const rateOf = (name: string): number | null =>
    resolved.length === 0 ? null : resolved.filter((row) => row[name] === true).length / resolved.length
  return {
    'stats.n_launches': own.length,
    'stats.n_resolved': resolved.length,
    'stats.grad_rate': rateOf('graduated'),
    'stats.rug_rate': rateOf('rugged'),
    n_live_mints: own.filter(
      ({ last_s, migrated_slot }) => Number(last_s) >= secondOf(reply) - LIVE_S && (migrated_slot === null || Number(migrated_slot) > slot),
    ).length,
  }
}

const COUNTS = ['stats.n_launches', 'stats.n_resolved']
const CREATOR_PATHS = [...COUNTS, 'stats.grad_rate', 'stats.rug_rate', 'n_live_mints']

const holdCreators = async (demo: Demo, answers: Answers): Promise<readonly Verdict[]> => {
  const launched = await demo.rows<Launched>(LAUNCHED)
  const subjects = repliesOf(answers, '/v1/creator/').map((reply) => {
    const data = dataOf(reply)
    const valueAt = (path: string): unknown =>
      path === 'n_live_mints' ? (data.live_mints as readonly unknown[]).length : fieldOf(data, path)
    const recent = Array.from({ length: ON_THEIR_WAY_SLOTS + 1 }, (_, back) => creatorOf(launched, reply, slotOf(reply) - back))
    const isAnswered = (one: Expected): boolean => COUNTS.every((path) => one[path] === valueAt(path))
    return { name: String(data.creator), valueAt, expected: recent.find(isAnswered) ?? (recent[0] as Expected) }
  })
  return compare('CreatorAnswer', subjects, CREATOR_PATHS)
}

/** The dev buy and the bundle from trades in the create slot, and the number of earlier launches of the wallet `of`. */
const shapeSql = (mint: string): string => `WITH
    (
      SELECT (any(slot), any(tx_index), any(is_mayhem), any(if(is_creator_wallet, [user, creator], [user])))
      FROM mintfold.launches WHERE mint = '${mint}'
    ) AS own,
    (
      SELECT (sumIf(quote_units, has(own.4, user)), uniqExactIf(user, NOT has(own.4, user)))
      FROM mintfold.trades WHERE mint = '${mint}' AND slot = own.1 AND is_buy AND NOT is_agent
    ) AS bought
  SELECT own.3 AS is_mayhem, bought.1 / 1e9 AS dev_buy_sol, bought.2 AS n_bundle_wallets, (
    SELECT count() FROM mintfold.launches
    WHERE (slot, tx_index) < (own.1, own.2) AND has(if(is_creator_wallet, [user, creator], [user]), {of:String})
  ) AS n_launches`

/** Compares the inputs of cohorts with amounts from trades, not with the rows that cohorts are computed from. */
const holdShapes = async (demo: Demo, answers: Answers): Promise<readonly Verdict[]> => {
  const subjects = await Promise.all(
    repliesOf(answers, '/v1/cohort/mint/').map(async (reply) => {
      const data = dataOf(reply)
      const of = fieldOf(data, 'shape.creator_prior.of')
      const [row = {}] = await demo.rows<Json>(shapeSql(String(data.mint)), { of: String(of) })
      const { n_launches: launches, ...own } = row
      const expected = { ...own, ...(of === null ? {} : { 'creator_prior.n_launches': launches }) }
      return { name: String(data.mint), valueAt: (path: string) => fieldOf(data.shape as Json, path), expected }
    }),
  )
  return compare('CohortAnswer', subjects, ['is_mayhem', 'dev_buy_sol', 'n_bundle_wallets', 'creator_prior.n_launches'])
}

const regimeOf = async (demo: Demo, data: Json, name: string): Promise<Expected> => {
  const to = Number(data.as_of)
  const from = to - Number((data[name] as Json).window_s)
  const within = (column = 'at'): string => `${at(column)} >= ${from} AND ${at(column)} < ${to}`
  const dealsWithin = (which: string): string =>
    ['trades', 'pool_trades']
      .map((table) => `(SELECT countIf(${which}) FROM mintfold.${table} WHERE NOT is_agent AND ${within()})`)
      .join(' + ')
  const [row] = await demo.rows<Json>(`SELECT
    (SELECT count() FROM mintfold.launches WHERE ${within()}) AS launches,
    (SELECT count() FROM mintfold.migrations WHERE ${within()}) AS migrations,
    ${dealsWithin('is_buy')} AS buys,
    ${dealsWithin('NOT is_buy')} AS sells`)
  const flags = await demo.rows<{ readonly flag: string; readonly n: number }>(
    `SELECT flag, count() AS n FROM mintfold.flags WHERE ${within()} GROUP BY flag`,
  )
  return { ...row, ...Object.fromEntries(flags.map(({ flag, n }) => [`rug_flags.${flag}`, n])) }
}

const holdRegime = async (demo: Demo, answers: Answers): Promise<readonly Verdict[]> => {
  const reply = replyTo(answers, '/v1/market/regime')
  if (reply === undefined) return [unobserved('RegimeAnswer = SQL', 'not answered')]
  const data = dataOf(reply)
  const names = ['minute', 'hour', 'day'].filter((name) => data[name] !== null)
  const expected = await Promise.all(names.map((name) => regimeOf(demo, data, name)))
  const subjects = names.map((name, index) => ({
    name,
    valueAt: (path: string) => fieldOf(data[name] as Json, path),
    expected: expected[index] ?? {},
  }))
  return compare('RegimeAnswer', subjects, [
    'launches',
    'migrations',
    'buys',
    'sells',
    'rug_flags.creator_sold',
    'rug_flags.bundle_dumped',
    'rug_flags.curve_drained',
  ])
}

/** How old figures may be while is_stale is false, seconds. They are computed every 60 s. */
const AS_OF_S_MAX = 180

const holdFresh = (answers: Answers): readonly Verdict[] => {
  const wallet = repliesOf(answers, '/v1/wallet/').find((reply) => fieldOf(dataOf(reply), 'leaderboard.as_of') !== null)
  const regime = replyTo(answers, '/v1/market/regime')
  const ageOf = (reply: Reply, path: string): string | undefined => {
    const age = secondOf(reply) - Number(fieldOf(dataOf(reply), path))
    return age <= AS_OF_S_MAX || (reply.body.meta as Json).is_stale === true ? undefined : `${age} s old, not stale`
  }
  return [
    wallet === undefined
      ? unobserved('WalletAnswer leaderboard.as_of is fresh', 'null in all')
      : judged('WalletAnswer leaderboard.as_of is fresh', ageOf(wallet, 'leaderboard.as_of')),
    regime === undefined
      ? unobserved('RegimeAnswer as_of is fresh', 'not answered')
      : judged('RegimeAnswer as_of is fresh', ageOf(regime, 'as_of')),
  ]
}

export const holdMeaning = async (demo: Demo, answers: Answers): Promise<readonly Verdict[]> => {
  const lists = await holdLists(demo, answers)
  const creators = await holdCreators(demo, answers)
  return [...lists, ...creators, ...(await holdShapes(demo, answers)), ...(await holdRegime(demo, answers)), ...holdFresh(answers)]
}
