// Buys the answers of every route of a demo and groups them by their component of the OpenAPI description.

import { setTimeout as pause } from 'node:timers/promises'
import { questions } from '../../../query-api/app/list/questions.ts'
import { answerNames } from '../../shipped.ts'
import type { AlertTarget } from './alert-target.ts'
import type { Demo, Json, Reply } from './demo.ts'
import { CREATORS, FLAGGED, KINDS, LIVELY, LIVELY_MAX, OLD, SHAPES, WALLETS } from './subjects.ts'

/** An address never observed. */
export const UNSEEN = 'So11111111111111111111111111111111111111112'
export const ALERTS = '/v1/alerts/webhook'
/** A sandbox allows loopback targets; nothing listens there. A webhook of Discord gets no challenge. */
export const ALERT_QUERY = 'kinds=rug_flags&target=discord&url=http%3A%2F%2F127.0.0.1%3A9%2Fhook'
/** No coin of the launchpad, and others may mint and freeze it. */
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
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

const named = async (demo: Demo, queries: readonly string[], column: string, limit: number): Promise<readonly string[]> => {
  const rows = await Promise.all(queries.map((query) => demo.rows<Json>(`${query} LIMIT ${limit}`)))
  return [...new Set(rows.flat().map((row) => String(row[column])))]
}

/** The newest hundred launches of six hours. */
export const LAUNCHES = '/v1/launches/recent?limit=100&max_age_s=21600&exclude_mayhem=false'
const LISTS = [
  '/v1/launches/recent',
  LAUNCHES,
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

/** The card of a coin that is `concentrated`: most are only for seconds, before they are flagged. */
const concentratedCard = async (demo: Demo): Promise<Reply> => {
  let reply: Reply | undefined
  await demo.until(async () => {
    const item = itemsOf(await demo.buy(LAUNCHES)).find(({ risk_label: label }) => label === 'concentrated')
    if (item === undefined) return pause(LOOK_MS, false)
    reply = await demo.buy(`/v1/mint/${item.mint}`)
    return dataOf(reply).risk_label === 'concentrated'
  }, LIVE_MS_MAX)
  return reply as Reply
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
  const lively = await named(demo, [LIVELY], 'mint', LIVELY_MAX)
  const stays = ({ mint }: Json): boolean => lively.includes(String(mint))
  const watched = [
    ...new Set([
      live[0] ?? '',
      ...column(clean.filter(stays), 'mint').slice(0, 2),
      ...column(moved.filter(stays), 'mint').slice(0, 2),
      ...column(flagged.filter(stays), 'mint').slice(0, 5),
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
  cards.push(await concentratedCard(demo))
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
