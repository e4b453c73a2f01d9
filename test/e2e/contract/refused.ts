// Refusals that need a cursor of yesterday or too many requests: the test signs the first with the demo's key and sends the second.

import { Cursors } from '../../../query-api/answers/checks/cursors.ts'
import { SinceCursors } from '../../../query-api/answers/since/since-cursors.ts'
import { type Key, mustKey } from '../../../schemas/keys.ts'
import type { Answers } from './answers.ts'
import { type Demo, PER_MINUTE, type Reply } from './demo.ts'
import type { Check } from './rule-checks.ts'

/** A cursor is valid for a day. */
const YESTERDAY_S = 86_400 + 60
/** Documentation addresses (RFC 5737), one for each caller. */
const CALLER = '203.0.113.7'
const OTHER = '203.0.113.8'
const AT_ONCE = 50

const isUnpaid = ({ status, body, headers }: Reply, wanted: number): boolean =>
  status === wanted && body.ok === false && body.charged === false && headers.get('payment-response') === null
const fault = (reply: Reply, wanted: number): string | undefined =>
  isUnpaid(reply, wanted) ? undefined : `${reply.path}: ${reply.status} ${reply.text.slice(0, 120)}`

/** Stream time by which the server judges cursors, unix seconds. */
const asOf = async (demo: Demo): Promise<number> => Number((await demo.get('/v1/sample/launches')).body.t)

const expired: Check = async (demo: Demo, { live }: Answers) => {
  const cursors = new Cursors(demo.cursorKeys())
  const now = await asOf(demo)
  const of = (mints: readonly string[], ageS: number): string => {
    const keys = mints.map((mint): Key => mustKey(mint))
    return cursors.issue(keys, new Array<number>(keys.length).fill(0), now - ageS)
  }
  const [mint = ''] = live
  const accepted = await demo.get(`/v1/check/watch?mints=${mint}&cursor=${of([mint], 60)}`)
  if (accepted.status !== 200) return `a cursor of a minute ago: ${accepted.status} ${accepted.text.slice(0, 120)}`
  const old = of([mint], YESTERDAY_S)
  const list = live.slice(0, 2)
  const paths = [
    `/v1/check/mint/${mint}?cursor=${old}`,
    `/v1/check/watch?mints=${mint}&cursor=${old}`,
    `/v1/check/watchlist?mints=${list.join(',')}&cursor=${of(list, YESTERDAY_S)}`,
  ]
  for (const path of paths) {
    const wrong = fault(await demo.buy(path), 410)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

const expiredSince: Check = async (demo: Demo) => {
  const now = await asOf(demo)
  const cursors = new SinceCursors(demo.cursorKeys())
  const start = { since: 0, at: 0, place: { number: 0, tx: 0, outer: 0, inner: 0 }, given: new Map() }
  return fault(await demo.buy(`/v1/launches/since?since=${cursors.issue(start, now - YESTERDAY_S)}`), 410)
}

const limited: Check = async (demo: Demo) => {
  const from = (address: string): Promise<Reply> => demo.ask('/robots.txt', { headers: { 'x-forwarded-for': address } })
  for (let sent = 0; sent < 2 * PER_MINUTE; sent += AT_ONCE) {
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => from(CALLER)))
    const refused = replies.find(({ status }) => status === 429)
    if (refused === undefined) continue
    const waitS = Number(refused.headers.get('retry-after'))
    const other = await from(OTHER)
    if (!(waitS > 0 && waitS <= 60)) return `Retry-After is ${waitS}`
    return other.status === 200 ? fault(refused, 429) : `another caller: ${other.status}`
  }
  return 'no request was refused'
}

export const REFUSED: Readonly<Record<string, Check>> = {
  '410: cursor older than 24 hours, unpaid': expired,
  '410: cursor of launches since older than 24 hours, unpaid': expiredSince,
  '429: Retry-After, nothing charged': limited,
}
