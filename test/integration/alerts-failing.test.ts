// Alerts to targets that fail or do not answer: pauses, shares and what is given up.
import { alertLimits } from '../../query-api/alerts/limits.ts'
import { overviewOf } from '../../query-api/alerts/overview.ts'
import type { Key } from '../../schemas/keys.ts'
import { key, NOW_S } from '../unit/query-api/given-mint.ts'
import { quiet, eventually as waited } from './alerts-checks.ts'
import { type GivenAlerts, givenAlerts } from './alerts-given.ts'

const HEAD = 'true_graduation' as const
let given: GivenAlerts
beforeEach(async () => {
  given = await givenAlerts()
})
afterEach(() => given.close())

const log = (mint: number, ppm: number): string => given.odds.append({ mint: key(mint), head: HEAD, ppm, at: given.time.nowS }, mint % 2)
const mintOf = (n: number): Key => Buffer.from(String(n).padStart(32, '0')).toString('latin1') as Key
const ids = () => given.receiver.received.map(({ body }) => (JSON.parse(body) as { readonly id: string }).id)
const eventually = (holds: () => boolean | Promise<boolean>) => waited(() => given, holds)
/** The overview of the oldest subscription. */
const overview = async () => (await overviewOf(given.rows, given.time.nowS))[0]
const failed = () => eventually(async () => (await given.rows.all('paused')).size > 0)

describe('a target that fails', () => {
  /** Advances the clocks, and lets requests begin. */
  const later = async (ms: number): Promise<void> => {
    given.time.wallMs += ms
    await quiet(given)
  }

  test('is paused as a whole, with growing waits, then gets one alert at a time until it accepts one, and then all', async () => {
    await given.buy()
    given.receiver.answer = 500
    for (let n = 1; n <= 10; n++) log(n, 900_000)
    await eventually(async () => (await overview())?.paused?.failures === 2)
    const { received } = given.receiver
    expect(received).toHaveLength(2)
    for (const pauseMs of [2_000, 4_000, 8_000, 16_000]) {
      const before = received.length
      await later(pauseMs - 1)
      expect(received).toHaveLength(before)
      await later(1)
      await eventually(async () => received.length === before + 1 && ((await overview())?.paused?.until ?? 0) > given.time.wallMs)
    }
    expect(new Set(ids()).size).toBe(6)
    expect(await overview()).toMatchObject({ waiting: 10, paused: { failures: 6, reason: 'status 500', since: 1_800_000_000_000 } })
    given.receiver.answer = 204
    await later(120_000)
    await eventually(async () => (await overview())?.delivered === 10)
    expect((await overview())?.paused).toBeNull()
  })

  test('stays paused over a restart', async () => {
    await given.buy()
    given.receiver.answer = 'cut'
    log(1, 900_000)
    await failed()
    await given.again()
    log(2, 900_000)
    await quiet(given)
    expect(given.receiver.received).toHaveLength(1)
    expect((await overview())?.paused).toMatchObject({ failures: 1, reason: 'connection_reset' })
    given.receiver.answer = 204
    await later(1_000)
    await eventually(async () => (await overview())?.delivered === 2)
  })

  test('loses each alert that waited for an hour of its failures, untried ones too, and no later one', async () => {
    await given.buy()
    given.receiver.answer = 500
    for (let n = 1; n <= 5; n++) log(n, 900_000)
    await eventually(async () => (await overview())?.paused?.failures === 2)
    await later(alertLimits.giveUpMs / 2)
    log(6, 900_000)
    await later(alertLimits.giveUpMs / 2)
    await eventually(async () => (await overview())?.givenUp === 5)
    given.receiver.answer = 204
    await later(alertLimits.retryMsMax)
    await eventually(async () => (await overview())?.delivered === 1)
    expect(given.notices.every(([code, facts]) => code === 'alert_given_up' && 'alerts' in facts)).toBe(true)
  })
})

test('a host has at most four requests at a time, and its subscriptions take turns', async () => {
  for (let n = 0; n < 5; n++) await given.buy({ url: `${given.receiver.url}/${n}` })
  given.receiver.answer = 'never'
  for (let n = 1; n <= 3; n++) log(n, 900_000)
  await eventually(() => given.receiver.received.length === 4)
  await quiet(given)
  expect(given.receiver.received).toHaveLength(4)
  expect(new Set(given.receiver.received.map(({ path }) => path)).size).toBe(4)
})

test('long queues leave room for short ones: near the limit of all, none may be longer than what is left', async () => {
  const { waitingMax, waitingPerSubscriptionMax: longMax } = alertLimits
  for (let n = 0; n < waitingMax / longMax; n++) await given.buy({ min_odds: 0.5 })
  const short = await given.buy({ min_odds: 0.95 })
  given.receiver.answer = 500
  for (let n = 0; n < longMax + 10; n++) given.odds.append({ mint: mintOf(n), head: HEAD, ppm: 900_000, at: NOW_S })
  await eventually(async () => (await given.rows.all('dead')).size > 0)
  for (let n = 0; n < 60; n++) given.odds.append({ mint: mintOf(n), head: HEAD, ppm: 960_000, at: NOW_S })
  await eventually(
    async () => [...(await given.rows.all('waiting')).values()].filter((one) => one.subscription === short.subscription_id).length === 60,
  )
})
