// Buys the answers of every route of a demo and groups them by their component of the OpenAPI description.

import { setTimeout as pause } from 'node:timers/promises'
import { questions } from '../../../query-api/app/list/questions.ts'
import { answerNames } from '../../shipped.ts'
import type { AlertTarget } from './alert-target.ts'
import type { Demo, Json, Reply } from './demo.ts'

/** An address never observed. */
export const UNSEEN = 'So11111111111111111111111111111111111111112'
export const ALERTS = '/v1/alerts/webhook'
/** A sandbox allows loopback targets; nothing listens there. A webhook of Discord gets no challenge. */
export const ALERT_QUERY = 'kinds=rug_flags&target=discord&url=http%3A%2F%2F127.0.0.1%3A9%2Fhook'
const UNSEEN_CURVE = `0x${'77'.repeat(20)}`
/** At this load a coin is launched, and another flagged, every minute or two. */
const LIVE_MS_MAX = 600_000
const LOOK_MS = 1_000
const CARDS = 6
const RECORDS = 5
const SHAPES_MAX = 12

export interface Answers {
  readonly replies: readonly Reply[]
  /** Objects of each component, `Envelope` among them. */
  readonly parts: Readonly<Record<string, readonly Json[]>>
  /** Mints with full coverage; those that are still traded come first. */
  readonly live: readonly string[]
  /** Contracts of curves with full coverage, the newest first. */
  readonly curves: readonly string[]
}

const templateOf = (path: string): string => {
  const route = path.split('?')[0] ?? path
  return questions.find((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(route))?.path ?? route
}
const dataOf = ({ body }: Reply): Json => (body.data ?? {}) as Json
const itemsOf = (reply: Reply): readonly Json[] => (dataOf(reply).items ?? []) as readonly Json[]
const column = (rows: readonly Json[], name: string): readonly string[] =>
  rows.flatMap((row) => (typeof row[name] === 'string' ? [row[name]] : []))

/** Mints of each kind in the market, by SQL. */
const KINDS: readonly string[] = [
  'SELECT mint FROM mintfold.launches WHERE is_mayhem ORDER BY at DESC',
  'SELECT mint FROM mintfold.launches WHERE quote_mint IS NOT NULL ORDER BY at DESC',
  'SELECT mint FROM mintfold.migrations ORDER BY at DESC',
  'SELECT mint FROM mintfold.outcomes ORDER BY at DESC',
  'SELECT mint FROM mintfold.outcomes ORDER BY at',
  'SELECT mint FROM mintfold.launches ORDER BY at',
  'SELECT mint FROM mintfold.creator_changes ORDER BY at DESC',
  `SELECT o.mint AS mint FROM mintfold.outcomes AS o JOIN (
    SELECT creator, min(at) AS first FROM mintfold.outcomes GROUP BY creator HAVING count() > 1
  ) AS c ON o.creator = c.creator WHERE o.at > c.first ORDER BY o.at`,
  `SELECT mint FROM mintfold.trades GROUP BY mint HAVING max(at) < (SELECT max(tick_at) FROM mintfold.frames) - INTERVAL 125 MINUTE ORDER BY mint`,
  ...['creator_sold', 'bundle_dumped', 'curve_drained', 'pool_drained', 'curve_closed_low', 'migrate_below_grad'].map(
    (flag) => `SELECT mint FROM mintfold.flags WHERE flag = '${flag}' ORDER BY at DESC`,
  ),
]
/** Coins of old pools, of which only the accounts are known. */
const OLD = 'SELECT mint FROM mintfold.pool_trades WHERE mint NOT IN (SELECT mint FROM mintfold.launches) ORDER BY at DESC'
const NOW = '(SELECT max(tick_at) FROM mintfold.frames)'
/** The newest coin of each flag that stays covered while the test runs: coverage ends after two hours without a trade. */
const FLAGGED = `SELECT argMax(flagged.mint, flagged.at) AS mint FROM mintfold.flags AS flagged WHERE flagged.mint IN (
    SELECT mint FROM mintfold.trades WHERE at > ${NOW} - INTERVAL 90 MINUTE
    UNION ALL SELECT mint FROM mintfold.pool_trades WHERE at > ${NOW} - INTERVAL 90 MINUTE
  ) GROUP BY flagged.flag`
/** No coin of the launchpad, and others may mint and freeze it. */
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const CREATORS = [
  'SELECT creator AS address FROM mintfold.launches GROUP BY creator ORDER BY count() DESC, creator',
  'SELECT creator AS address FROM mintfold.outcomes ORDER BY at DESC',
  // A launch reaches the record of its creator some slots later.
  `SELECT creator AS address FROM mintfold.launches WHERE at < ${NOW} - INTERVAL 1 MINUTE ORDER BY at DESC`,
]
/** A launch of each shape. */
const SHAPES = ['SELECT any(mint) AS mint FROM mintfold.launch_shapes WHERE dev_buy IS NOT NULL GROUP BY dev_buy, bundle, creator_kind']
const WALLETS = [
  'SELECT any(wallet) AS address FROM mintfold.wallet_leaderboard GROUP BY class',
  'SELECT wallet AS address FROM mintfold.wallet_leaderboard ORDER BY rank, wallet',
  'SELECT user AS address FROM mintfold.trades GROUP BY user ORDER BY count() DESC, user',
  'SELECT user AS address FROM mintfold.trades WHERE at > (SELECT max(at) FROM mintfold.trades) - INTERVAL 5 MINUTE ORDER BY at DESC',
  'SELECT user AS address FROM mintfold.launches ORDER BY at DESC',
]

const named = async (demo: Demo, queries: readonly string[], column: string, limit: number): Promise<readonly string[]> => {
  const rows = await Promise.all(queries.map((query) => demo.rows<Json>(`${query} LIMIT ${limit}`)))
  return [...new Set(rows.flat().map((row) => String(row[column])))]
}

const LISTS = [
  '/v1/launches/recent',
  '/v1/launches/recent?limit=100&max_age_s=21600&exclude_mayhem=false',
  '/v1/launches/recent?only_alive=true&limit=20',
  '/v1/launches/recent?min_rs=1&max_age_s=21600',
  '/v1/rugs/recent',
  '/v1/rugs/recent?limit=200&window_s=21600',
  '/v1/graduations/recent?window_s=86400',
  '/v1/launches/since?since=0',
]
const FREE = questions
  .filter(({ priceMicroUsdc, params }) => priceMicroUsdc === 0 && Object.keys(params).length === 0)
  .map(({ path }) => path)

const CURVE_LISTS = ['/v1/alt/launches/recent?limit=200&max_age_s=21600', '/v1/alt/launches/recent?only_live=true&pair=eth']

/** Cards of curves of each kind: by their own address and by their token's. */
const collectCurves = async (demo: Demo) => {
  const lists = await inTurn(CURVE_LISTS, (path) => demo.buy(path))
  const items = lists.flatMap(itemsOf)
  const kinds = new Map(items.map((item) => [`${item.status} ${item.pair_kind} ${(item.findings as readonly unknown[]).length}`, item]))
  const graduated = await named(demo, ['SELECT token FROM mintfold.alt_migrations ORDER BY tick_at DESC'], 'token', CARDS)
  const asked = [...column([...kinds.values()], 'curve'), ...graduated, ...column(items, 'token').slice(0, CARDS), UNSEEN_CURVE]
  const cards = await inTurn(asked, (address) => demo.buy(`/v1/alt/curve/${address}`))
  const curves = column(
    items.filter(({ coverage }) => coverage === 'full'),
    'curve',
  )
  return { replies: [...lists, ...cards], curves }
}

/** The card of a coin that is `concentrated`: most are for seconds after the launch, before they are flagged. */
const freshCard = async (demo: Demo): Promise<readonly Reply[]> => {
  const replies: Reply[] = []
  await demo.until(async () => {
    const items = itemsOf(await demo.buy('/v1/launches/recent?max_age_s=60&limit=5'))
    const fresh = items.find(({ risk_label: label, coverage }) => label === 'concentrated' && coverage === 'full')
    if (fresh === undefined) return pause(LOOK_MS, false)
    replies.push(await demo.buy(`/v1/mint/${fresh.mint}`))
    return dataOf(replies.at(-1) as Reply).risk_label === 'concentrated'
  }, LIVE_MS_MAX)
  return replies
}

/** Buys all answers. */
export const collect = async (demo: Demo, target: AlertTarget): Promise<Answers> => {
  const pushed = await demo.buy(`${ALERTS}?kinds=rug_flags&target=generic&url=${encodeURIComponent(target.url)}`)
  const lists = await inTurn(LISTS, (path) => demo.buy(path))
  const [, all, alive, , , rugs] = lists as [Reply, Reply, Reply, Reply, Reply, Reply, ...Reply[]]
  const covered = itemsOf(all).filter(({ coverage }) => coverage === 'full')
  const live = [...new Set([...column(itemsOf(alive), 'mint'), ...column(covered, 'mint')])]
  const mints = new Set([
    ...ofEachKind(itemsOf(all)),
    ...live.slice(0, CARDS),
    ...column(itemsOf(all), 'mint').slice(0, CARDS),
    ...(await named(demo, KINDS, 'mint', CARDS)),
    ...(await named(demo, [OLD], 'mint', 2)),
    USDC,
    UNSEEN,
  ])
  const cards = await inTurn([...mints], (mint) => demo.buy(`/v1/mint/${mint}`))
  const creators = await inTurn([...(await named(demo, CREATORS, 'address', RECORDS)), UNSEEN], (one) => demo.buy(`/v1/creator/${one}`))
  const wallets = await inTurn([...(await named(demo, WALLETS, 'address', RECORDS)), UNSEEN], (one) => demo.buy(`/v1/wallet/${one}`))
  const shaped = [...(await named(demo, SHAPES, 'mint', SHAPES_MAX)), ...live.slice(0, 1)]
  const cohorts = await inTurn([...shaped, UNSEEN], (one) => demo.buy(`/v1/cohort/mint/${one}`))
  const isFlagged = ({ rug_flags: flags }: Json): boolean => (flags as readonly unknown[]).length > 0
  const flagged = full(cards).filter(isFlagged)
  const clean = itemsOf(all).filter((item) => item.coverage === 'full' && !isFlagged(item))
  const moved = full(cards).filter(({ pool }) => pool !== null)
  const watched = [
    ...new Set([
      live[0] ?? '',
      ...column(clean, 'mint').slice(0, 2),
      ...column(moved, 'mint').slice(0, 2),
      ...column(flagged, 'mint').slice(0, 5),
      ...(await named(demo, [FLAGGED], 'mint', CARDS)),
    ]),
  ]
  const checks = await inTurn(
    [...watched.map((mint) => `/v1/check/mint/${mint}`), `/v1/check/watchlist?mints=${watched.slice(2, 7).join(',')}`],
    (path) => demo.buy(path),
  )
  const cursor = dataOf(checks[0] as Reply).cursor
  const paths = [
    ...FREE,
    '/v1/radar?limit=25',
    `/v1/check/mint/${watched[0]}?cursor=${cursor}`,
    `/v1/check/watch?mints=${watched[0]}`,
    `/v1/check/watch?mints=${watched.slice(0, 5).join(',')}`,
    `/v1/check/coverage?mints=${watched.slice(0, 5).join(',')}`,
    `/v1/check/coverage?mints=${watched[0]},${UNSEEN}`,
    ...column(itemsOf(rugs), 'finding_id')
      .slice(0, CARDS)
      .map((id) => `/v1/evidence/${id}`),
    ...column(itemsOf(rugs), 'finding_id')
      .slice(-CARDS)
      .map((id) => `/v1/evidence/${id}`),
    `/v1/mint/${watched[0]}`,
    `/v1/check/watchlist?mints=${watched[0]}`,
    '/v1/launches/recent?limit=0&nothing=1',
    '/v1/mint/nonsense',
    '/v1/check/mint/nonsense',
    `/v1/check/mint/${UNSEEN}`,
    `/v1/check/mint/${watched[0]}?cursor=forged`,
    `/v1/check/watch?mints=${UNSEEN}`,
  ]
  const free = await inTurn(paths, (path) => demo.get(path))
  const { replies: ofCurves, curves } = await collectCurves(demo)
  const alert = await demo.buy(`${ALERTS}?${ALERT_QUERY}`)
  cards.push(...(await freshCard(demo)))
  await demo.until(async () => target.messages.length > 0, LIVE_MS_MAX)
  const replies = [pushed, alert, ...lists, ...cards, ...creators, ...wallets, ...cohorts, ...checks, ...free, ...ofCurves]
  return { replies, parts: { ...partsOf(replies), AlertMessage: target.messages }, live, curves }
}

const inTurn = async <Item, Result>(items: readonly Item[], ask: (item: Item) => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = []
  for (const item of items) results.push(await ask(item))
  return results
}

/** One mint for each pair of label and status. */
const ofEachKind = (items: readonly Json[]): readonly string[] =>
  column([...new Map(items.map((item) => [`${item.risk_label} ${item.status}`, item])).values()], 'mint')

const full = (cards: readonly Reply[]): readonly Json[] => cards.flatMap((card) => (card.body.coverage === 'full' ? [dataOf(card)] : []))

const partsOf = (replies: readonly Reply[]): Record<string, Json[]> => {
  const parts: Record<string, Json[]> = {}
  const add = (name: string, part: Json): void => {
    parts[name] = [...(parts[name] ?? []), part]
  }
  for (const reply of replies) {
    const path = templateOf(reply.path)
    if (reply.status !== 200)
      add(reply.status === 402 ? 'PaymentRequired' : reply.status === 422 ? 'ValidationError' : 'Refusal', reply.body)
    if (reply.status !== 200 || answerNames[path] === undefined) continue
    if (!questions.some((one) => one.path === path && one.isBare)) add('Envelope', reply.body)
    add(answerNames[path], reply.body)
    const isFull = reply.body.coverage === 'full'
    if (path === '/v1/mint/{mint}') add(isFull ? 'FullMintCard' : 'ThinMintCard', dataOf(reply))
    if (path === '/v1/alt/curve/{address}') add(isFull ? 'FullAltCurve' : 'ThinAltCurve', dataOf(reply))
    if (path === '/v1/radar') for (const row of rowsOf(reply)) add('PreviewRow', row)
    if (path === '/v1/alt/launches/recent')
      for (const one of itemsOf(reply)) add(one.coverage === 'full' ? 'AltLaunch' : 'ThinAltLaunch', one)
    const item = ITEMS[path]
    if (item !== undefined)
      for (const one of itemsOf(reply)) add(item === 'Launch' ? (one.coverage === 'full' ? 'FullLaunch' : 'ThinLaunch') : item, one)
  }
  return parts
}
const rowsOf = (reply: Reply): readonly Json[] => {
  const { top_rug_risk: rug, top_graduation: graduation } = dataOf(reply)
  return [...(rug as readonly Json[]), ...(graduation as readonly Json[])]
}
const ITEMS: Readonly<Record<string, string>> = {
  '/v1/launches/recent': 'Launch',
  '/v1/rugs/recent': 'Rug',
  '/v1/graduations/recent': 'Graduation',
  '/v1/check/mint/{mint}': 'CheckItem',
  '/v1/check/watchlist': 'CheckItem',
}
