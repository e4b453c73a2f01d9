// Alerts of a process that starts before its reads have caught up: nothing is skipped, given up or counted meanwhile.
import { overviewOf } from '../../query-api/alerts/overview.ts'
import { base58, key, NOW_S } from '../unit/query-api/given-mint.ts'
import { DAY_S, quiet, eventually as waited } from './alerts-checks.ts'
import { type GivenAlerts, givenAlerts } from './alerts-given.ts'

const HEAD = 'true_graduation' as const
const UNREAD = { isKnown: false, isShown: false, reason: 'the logged odds are still being read' } as const
let given: GivenAlerts
beforeEach(async () => {
  given = await givenAlerts()
})
afterEach(() => given.close())

const log = (mint: number): string => given.odds.append({ mint: key(mint), head: HEAD, ppm: 900_000, at: given.time.nowS }, mint % 2)
const eventually = (holds: () => boolean | Promise<boolean>) => waited(() => given, holds)
const isJoined = (id: string) => async () => (await given.rows.all('joined')).has(id)
const pushed = () => given.receiver.taken.length
const mints = () => given.receiver.received.map(({ body }) => (JSON.parse(body) as { mint: string }).mint).sort()
const overview = async () => (await overviewOf(given.rows, given.time.nowS))[0]

/** Starts the next process while the log of odds is still being read. */
const againUnread = async (): Promise<void> => {
  given.odds.stand(HEAD, UNREAD)
  await given.again()
}

describe('while the logged odds are still being read', () => {
  test('holds back crossings, those of a new subscription too, and does not extend the term', async () => {
    const { subscription_id, expires_at } = await given.buy()
    await eventually(isJoined(subscription_id))
    await againUnread()
    log(1)
    await given.buy()
    log(2)
    given.time.nowS += 1_000
    await quiet(given)
    expect(given.receiver.received).toEqual([])
    expect((await given.rows.all('withdrawals')).size).toBe(0)
    given.odds.stand(HEAD, { isKnown: true, isShown: true, reason: null, since: 0 })
    await eventually(() => pushed() === 3)
    await quiet(given)
    expect(mints()).toEqual([base58(1), base58(2), base58(2)])
    expect(await overview()).toMatchObject({ expiresAt: expires_at })
  })

  test('sends nothing for a term that may be over if the odds were withdrawn earlier', async () => {
    const { subscription_id, expires_at } = await given.buy()
    await eventually(isJoined(subscription_id))
    given.receiver.answer = 500
    log(1)
    await eventually(async () => [...(await given.rows.all('waiting')).values()].some(({ failure }) => failure !== null))
    given.odds.stand(HEAD, { isShown: false, reason: 'off', since: NOW_S + 10 })
    given.time.nowS += 20
    await eventually(async () => (await given.rows.all('withdrawals')).size > 0)
    await againUnread()
    given.receiver.answer = 204
    given.time.nowS = expires_at + 100
    given.time.wallMs += 60_000
    await quiet(given)
    expect(pushed()).toBe(0)
    given.odds.stand(HEAD, { isKnown: true, isShown: true, reason: null, since: NOW_S + 40 })
    await eventually(async () => (await overview())?.givenUp === 1)
    expect(pushed()).toBe(0)
    expect(await overview()).toMatchObject({ state: 'expired', expiresAt: expires_at + 30, dead: [{ reason: 'subscription_ended' }] })
  })
})

test('gives nothing up before a recording’s stream has a time, even when the term is over by wall clock', async () => {
  const { subscription_id } = await given.buy()
  await eventually(isJoined(subscription_id))
  given.receiver.answer = 500
  log(1)
  await eventually(async () => [...(await given.rows.all('waiting')).values()].some(({ failure }) => failure !== null))
  await given.alerts.close()
  given.receiver.answer = 204
  given.time.nowS = 0
  given.time.wallMs += 60_000
  expect(given.time.wallMs / 1_000 - NOW_S).toBeGreaterThan(100 * DAY_S)
  await given.again()
  await quiet(given)
  expect((await given.rows.all('waiting')).size).toBe(1)
  expect((await given.rows.all('subscriptions')).size).toBe(1)
  given.time.nowS = NOW_S + 5
  await eventually(() => pushed() === 1)
  expect(await overview()).toMatchObject({ delivered: 1, givenUp: 0, waiting: 0 })
})
