// Checks of those rules and limits of the contract that a running demo can show, by the name of their row.
import { labelPaths } from '../../tools/label-paths.ts'
import { faultsAs } from '../../tools/shapes/check.ts'
import { pathsOf, unexplainedNulls } from '../../unit/query-api/null-walk.ts'
import { type Answers, UNSEEN } from './answers.ts'
import type { Demo, Json, Reply } from './demo.ts'

/** Returns the fault; undefined if there is none. */
export type Check = (demo: Demo, answers: Answers) => Promise<string | undefined> | string | undefined

export const dataOf = ({ body }: Pick<Reply, 'body'>): Json => (body.data ?? {}) as Json
const metaOf = ({ body }: Pick<Reply, 'body'>): Json => (body.meta ?? {}) as Json
const itemsOf = (reply: Reply): readonly Json[] => (dataOf(reply).items ?? []) as readonly Json[]
/** Returns `what`, the fault, unless `isSo`. */
const unless = (isSo: boolean, what: string): string | undefined => (isSo ? undefined : what)
const amountOf = ({ body }: Reply): unknown => (body.accepts as readonly Json[] | undefined)?.[0]?.amount
const replyTo = ({ replies }: Answers, path: string): Reply => replies.find((one) => one.path === path) as Reply
export const cardsOf = ({ replies }: Answers): readonly Reply[] =>
  replies.filter(({ path, status }) => path.startsWith('/v1/mint/') && status === 200)
const isSorted = (numbers: readonly number[]): boolean =>
  numbers.every((number, index) => index === 0 || number <= (numbers[index - 1] ?? 0))

const DELAY_S = 300
const SILENT_S = 7_200
const CHECK_ITEM =
  'mint status lifecycle risk_label findings snapshot_slot last_trade_at concentration buyer_flow curve full_card_url'.split(' ')
/** Control characters, direction overrides, zero-width characters. */
const HIDDEN = /[\p{Cc}\p{Cf}]/u

/** The times in an answer, unix seconds; without those of base rates and `generated_at`. */
const timesIn = (value: unknown, name = ''): readonly number[] => {
  if (typeof value === 'number') return /^(t|t0|\w+_at|at)$/.test(name) && name !== 'generated_at' ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, child]) =>
    field === 'base_rates' ? [] : timesIn(child, Array.isArray(value) ? name : field),
  )
}

const youngest = (reply: Reply): string | undefined => {
  const newest = Math.max(...timesIn(dataOf(reply)))
  return unless(
    newest <= Number(reply.body.t) - DELAY_S,
    `${reply.path} shows something of ${Math.round(Number(reply.body.t) - newest)} s ago`,
  )
}

/** Buys once, then sends the same payment again for the same request and for another one. */
const resold = async (demo: Demo, { live }: Answers): Promise<{ first: Reply; again: Reply; other: Reply }> => {
  const path = `/v1/check/mint/${live[0]}`
  const payment = await demo.sign((await demo.get(path)).body)
  const first = await demo.pay(path, payment)
  const again = await demo.pay(path, payment)
  return { first, again, other: await demo.pay('/v1/launches/recent', payment) }
}

export const CHECKS: Readonly<Record<string, Check>> = {
  '402: header PAYMENT-REQUIRED is base64 of the body': async (demo) => {
    const { headers, text } = await demo.get('/v1/rugs/recent')
    return unless(Buffer.from(headers.get('payment-required') ?? '', 'base64').toString() === text, 'header and body differ')
  },
  '409: payment and request do not fit': async (demo, answers) => {
    const { other } = await resold(demo, answers)
    return unless(other.status === 409 && other.body.charged === false, `${other.status} ${other.text.slice(0, 120)}`)
  },
  'check rule 5: an exact retry within 10 minutes': async (demo, answers) => {
    const { first, again } = await resold(demo, answers)
    const receipts = [first, again].map(({ headers }) => headers.get('payment-response'))
    return unless(
      dataOf(first).result_id === dataOf(again).result_id && receipts[0] === receipts[1] && metaOf(again).replayed === true,
      'the retry has another result or receipt',
    )
  },
  'check rule 5: timestamps give the age of a repeated answer': async (demo, answers) => {
    const { first, again } = await resold(demo, answers)
    return unless(
      first.body.t === again.body.t && Number(metaOf(again).result_age_s) > Number(metaOf(first).result_age_s),
      'the age does not grow',
    )
  },
  'valid card queries never answer 404 for lack of data': async (demo) => {
    const statuses = await Promise.all(
      ['mint', 'creator', 'wallet'].map(async (route) => (await demo.buy(`/v1/${route}/${UNSEEN}`)).status),
    )
    return unless(
      statuses.every((status) => status === 200),
      statuses.join(),
    )
  },
  'creator: empty record of a wallet never seen': (_demo, answers) => {
    const { stats, recent_launches: recent } = dataOf(replyTo(answers, `/v1/creator/${UNSEEN}`)) as {
      stats: Json
      recent_launches: readonly Json[]
    }
    return unless(stats.n_launches === 0 && stats.is_first_time === true && recent.length === 0, JSON.stringify(stats))
  },
  'wallet: 200 for a wallet of which nothing is known': (_demo, answers) =>
    unless(replyTo(answers, `/v1/wallet/${UNSEEN}`).status === 200, 'no 200'),
  'check rule 1: full live coverage, else unpaid': async (demo) => {
    const { status, body } = await demo.get(`/v1/check/mint/${UNSEEN}`)
    return unless(status === 404 && body.charged === false, String(status))
  },
  'check rule 2: invalid list or cursor, unpaid': async (demo, { live }) => {
    const { status, body } = await demo.get(`/v1/check/watchlist?mints=${live[0]}&cursor=x`)
    return unless(status === 400 && body.charged === false, String(status))
  },
  'check rule 3: no new events, unpaid': (_demo, { parts }) => {
    const none = parts.CheckAnswer?.find(({ data }) => (data as Json).status === 'no_new_events')
    return unless(none !== undefined && (none.data as Json).charged === false && (none.meta as Json).price_usd === 0, 'no such answer')
  },
  'check rule 6: the free coverage route': (_demo, { parts }) =>
    unless(
      (parts.CheckCoverageAnswer ?? []).some(({ data }) => (data as Json).all_full === true),
      'no answer states that all mints are covered',
    ),
  'check rule 7: one price for 1 to 5 mints': async (demo, { live }) => {
    const prices = await Promise.all(
      [1, 3, 5].map(async (n) => amountOf(await demo.get(`/v1/check/watchlist?mints=${live.slice(0, n).join(',')}`))),
    )
    return unless(new Set(prices).size === 1 && prices[0] === '10000', prices.join())
  },
  'check item: all fields': (_demo, { parts }) =>
    unless(
      (parts.CheckItem ?? []).every((item) => CHECK_ITEM.every((name) => name in item)),
      'fields are missing',
    ),
  'check result: 1 to 5 items': (_demo, { parts }) => {
    const results = (parts.CheckAnswer ?? []).map(({ data }) => data as Json).filter(({ status }) => status !== 'no_new_events')
    const counts = results.map(({ items }) => (items as readonly Json[]).length)
    const isSo = counts.every((count, n) => count >= 1 && count <= 5 && count === results[n]?.count)
    return unless(isSo && counts.includes(1) && counts.some((count) => count > 1), `results of ${counts.join()} items`)
  },
  'the free watch gives no event details': (_demo, { parts }) => {
    const names = new Set((parts.WatchAnswer ?? []).flatMap(({ data }) => Object.keys(data as Json)))
    return unless([...names].sort().join() === 'cursor,has_new_events,mints,next_check_after_s', [...names].join())
  },
  'limit: samples are at least 300 s old': (_demo, answers) =>
    ['launches', 'rugs', 'mint'].map((name) => youngest(replyTo(answers, `/v1/sample/${name}`))).find((fault) => fault !== undefined),
  'sample launches: 3 items, delayed': (_demo, answers) => sampled(replyTo(answers, '/v1/sample/launches')),
  'sample rugs: 3 items, delayed': (_demo, answers) => sampled(replyTo(answers, '/v1/sample/rugs')),
  'sample mint: the paid shape': (_demo, answers) => faultsAs('MintAnswer', replyTo(answers, '/v1/sample/mint').body)[0],
  'limit: creator history of 25': (_demo, { parts }) => {
    const most = Math.max(...(parts.CreatorAnswer ?? []).map(({ data }) => ((data as Json).recent_launches as readonly unknown[]).length))
    return unless(most === 25, `at most ${most}`)
  },
  'limit: leaderboard of 3 days': (_demo, { parts }) =>
    unless(
      (parts.WalletAnswer ?? []).every(({ data }) => ((data as Json).leaderboard as Json).window_s === 3 * 86_400),
      'the window is not 3 days',
    ),
  'limit: graduated from 84 SOL witnessed': (_demo, { parts }) => {
    const wrong = (parts.FullMintCard ?? []).find(
      ({ curve }) => ((curve as Json).graduated === true) !== Number((curve as Json).peak_rs_sol) >= 84,
    )
    return wrong && JSON.stringify(wrong.curve)
  },
  'limit: full coverage ends after 2 h of silence': (_demo, answers) => {
    const silent = cardsOf(answers).find(
      ({ body }) => body.coverage === 'full' && Number(((body.data as Json).as_of as Json).at) < Number(body.t) - SILENT_S - 1,
    )
    return silent?.path
  },
  'launches: newest first': (_demo, answers) =>
    unless(isSorted(itemsOf(replyTo(answers, '/v1/launches/recent')).map(({ created_at }) => Number(created_at))), 'not newest first'),
  'rugs: newest first': (_demo, answers) =>
    unless(isSorted(itemsOf(replyTo(answers, '/v1/rugs/recent')).map(({ t }) => Number(t))), 'not newest first'),
  'graduations: fields and labels': (_demo, answers) =>
    faultsAs('GraduationsAnswer', replyTo(answers, '/v1/graduations/recent?window_s=86400').body)[0],
  'nulls of cards come with a reason': (_demo, answers) => cardsOf(answers).flatMap((card) => unexplainedNulls(card.body))[0],
  'untrusted text: hidden characters removed': (_demo, { parts }) =>
    unless(!textsIn(parts).some((text) => HIDDEN.test(text)), 'a text has a hidden character'),
  'untrusted text: lengths capped': (_demo, { parts }) =>
    unless(
      textsIn(parts).every((text) => [...text].length <= 32),
      'a text is longer than 32 characters',
    ),
  'payment by header, receipt on the 200': (_demo, { replies }) =>
    unless(
      replies
        .filter((reply) => reply.status === 200 && Number(metaOf(reply).price_usd) > 0)
        .every(({ headers }) => headers.get('payment-response') !== null),
      'a paid answer has no receipt',
    ),
  'any x402 version 2 client pays': (_demo, { replies }) =>
    unless(
      replies.some((reply) => Number(metaOf(reply).price_usd) > 0),
      'nothing was sold',
    ),
  'MCP: payment in params._meta': async (demo) => unless((await demo.callPaid('recent_rugs', { limit: 1 })).body.ok === true, 'not sold'),
  'MCP: tools by name, stateless, JSON': async (demo) =>
    unless(((await demo.rpc('tools/list')).tools as readonly Json[]).length >= 14, 'tools are missing'),
  'MCP: the batch tool takes an array of mints': async (demo, { live }) =>
    unless((await demo.callPaid('check_watchlist_risk', { mints: live.slice(0, 2) })).body.ok === true, 'not sold'),
  'bare paths settle nothing': async (demo) => {
    const { status, headers } = await demo.get('/v1/mint')
    return unless(status === 402 && headers.get('payment-response') === null, String(status))
  },
  'all routes use GET': async (demo) => {
    const { status, headers } = await demo.get('/v1/rugs/recent', { method: 'POST' })
    return unless(status === 405 && (headers.get('allow') ?? '').startsWith('GET, HEAD'), String(status))
  },
  'free routes need no credential': (_demo, { replies }) =>
    replies.find((reply) => metaOf(reply).price_usd === 0 && reply.status !== 200)?.path,
  '/openapi.json: payment info per paid operation': (_demo, answers) => {
    const { paths } = replyTo(answers, '/openapi.json').body as { paths: Readonly<Record<string, { get: Json }>> }
    const paid = Object.values(paths).filter(({ get }) => '402' in (get.responses as Json))
    return unless(
      paid.length >= 8 && paid.every(({ get }) => 'x-payment-info' in get),
      'fewer than 8 paid operations, or one without payment info',
    )
  },
  '/v1/x402/resources: terms, schema, example, tool': (_demo, answers) =>
    faultsAs('CatalogAnswer', replyTo(answers, '/v1/x402/resources').body)[0],
  '/.well-known/x402: the fields of the draft and of older crawlers, and terms': (_demo, answers) =>
    faultsAs('ManifestAnswer', replyTo(answers, '/.well-known/x402').body)[0],
  'plain texts': (_demo, answers) =>
    ['/llms.txt', '/llms-full.txt', '/robots.txt', '/terms'].find(
      (path) => !replyTo(answers, path).headers.get('content-type')?.startsWith('text/plain'),
    ),
  '/health: lag, last slot, mints tracked, counters': (_demo, answers) => faultsAs('HealthAnswer', replyTo(answers, '/health').body)[0],
  '/v1/labels: every label, flag and field': (_demo, answers) => {
    const { fields } = dataOf(replyTo(answers, '/v1/labels')) as { fields: Readonly<Record<string, Json>> }
    const explained = labelPaths(fields, 'mint')
    return cardsOf(answers)
      .flatMap((card) => pathsOf(dataOf(card)))
      .find(
        (path) =>
          !explained.some(
            (known) =>
              path === known ||
              path.startsWith(`${known}.`) ||
              path.startsWith(`${known}[`) ||
              known.startsWith(`${path}.`) ||
              known.startsWith(`${path}[`),
          ),
      )
  },
}

const sampled = (reply: Reply): string | undefined =>
  unless(itemsOf(reply).length === 3 && metaOf(reply).delayed_s === DELAY_S, `${itemsOf(reply).length} items`)
const textsIn = (parts: Answers['parts']): readonly string[] =>
  ['FullMintCard', 'FullLaunch', 'Rug', 'Graduation']
    .flatMap((name) => (parts[name] ?? []).flatMap(({ name: text, symbol }) => [text, symbol]))
    .filter((text) => typeof text === 'string')
