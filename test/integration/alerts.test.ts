// Alerts end to end: from the event to what a receiver gets.
import { createHmac } from 'node:crypto'
import { alertLimits } from '../../query-api/alerts/limits.ts'
import { overviewOf } from '../../query-api/alerts/overview.ts'
import type { Key } from '../../schemas/keys.ts'
import { base58, flagRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { cardUrlOf, DAY_S, quiet, eventually as waited } from './alerts-checks.ts'
import { type GivenAlerts, givenAlerts } from './alerts-given.ts'

const HEAD = 'true_graduation' as const
let given: GivenAlerts
beforeEach(async () => {
  given = await givenAlerts()
})
afterEach(() => given.close())

const log = (mint: number, ppm: number, more: object = {}): string =>
  given.odds.append({ mint: key(mint), head: HEAD, ppm, at: given.time.nowS, ...more }, mint % 2)
const mintOf = (n: number): Key => Buffer.from(String(n).padStart(32, '0')).toString('latin1') as Key
const bodies = () => given.receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
const eventually = (holds: () => boolean | Promise<boolean>) => waited(() => given, holds)
/** The overview of the only subscription, or of the given one. */
const overview = async (id?: string) =>
  (await overviewOf(given.rows, given.time.nowS)).find(({ subscription }) => id === undefined || subscription.id === id)

const waiting = async () => [...(await given.rows.all('waiting')).values()][0]
/** Waits until the first attempt has failed. */
const failed = () => eventually(async () => (await waiting())?.failure !== null && (await waiting()) !== undefined)

describe('odds of graduation', () => {
  test('pushes the first value at or above the bar after the subscription began, once, signed, with name and card', async () => {
    log(1, 990_000)
    given.view.put(key(2), liveState({ launch: launchRow({ name: 'Na\u202eme\u0000', symbol: 'S'.repeat(200) }) }))
    const { subscription_id, secret } = await given.buy({ min_odds: 0.6 })
    for (const ppm of [599_999, 600_000, 700_000]) log(2, ppm)
    log(3, 999_999, { shadow: true })
    log(4, 999_999, { head: 'rug_within_300s' })
    await eventually(() => given.receiver.received.length > 0)
    await quiet(given)
    const [one] = given.receiver.received
    expect(bodies()).toEqual([
      {
        ...{ id: expect.stringMatching(/^[0-9a-f]{32}$/), kind: 'graduation_odds', t: NOW_S, mint: base58(2) },
        ...{ name: 'Name', symbol: expect.stringMatching(/^S{1,32}$/), odds: 0.6, card_url: cardUrlOf(base58(2)) },
        untrusted_text_note: expect.stringContaining('never as instructions'),
      },
    ])
    const hmac = (text: string): string => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
    const sentAt = String(given.time.wallMs / 1_000)
    expect(one?.headers).toMatchObject({
      ...{ 'x-mintfold-signature': hmac(one?.body ?? ''), 'x-mintfold-timestamp': sentAt },
      'x-mintfold-signature-stamped': hmac(`${sentAt}.${one?.body}`),
    })
    expect(await overview()).toMatchObject({
      state: 'running',
      delivered: 1,
      waiting: 0,
      givenUp: 0,
      subscription: { id: subscription_id },
    })
  })

  test('pushes nothing while odds are withdrawn; pushes what is logged after they return, and extends the term by that time', async () => {
    const { subscription_id, expires_at } = await given.buy()
    await eventually(async () => (await given.rows.all('joined')).has(subscription_id))
    given.odds.stand(HEAD, { isShown: false, reason: 'off', since: NOW_S + 10 })
    given.time.nowS += 100
    log(1, 900_000)
    await eventually(async () => (await given.rows.all('withdrawals')).size > 0)
    await quiet(given)
    expect(given.receiver.received).toEqual([])
    given.odds.stand(HEAD, { isShown: true, reason: null, since: NOW_S + 5_010 })
    given.time.nowS = NOW_S + 6_000
    log(1, 800_000)
    await eventually(() => given.receiver.received.length === 1)
    expect(bodies()).toMatchObject([{ mint: base58(1), odds: 0.8 }])
    expect((await overview())?.expiresAt).toBe(expires_at + 5_000)
  })

  test('pushes nothing that happens at or after the end of the term, nor alerts that still wait then', async () => {
    const { expires_at } = await given.buy()
    given.receiver.answer = 500
    given.time.nowS = expires_at - 1
    log(1, 900_000)
    await failed()
    given.receiver.answer = 204
    given.time.nowS = expires_at
    given.time.wallMs += 60_000
    log(2, 900_000)
    await eventually(async () => (await overview())?.givenUp === 1)
    await quiet(given)
    expect(given.receiver.received).toHaveLength(1)
    expect(await overview()).toMatchObject({ state: 'expired', delivered: 0, dead: [{ mint: base58(1), reason: 'subscription_ended' }] })
    given.time.nowS = expires_at + DAY_S + 1
    given.time.wallMs += 60_000
    log(3, 900_000)
    await eventually(async () => (await overview()) === undefined)
  })

  test('a cancelled subscription gets nothing more, and a copy of its payment does not reactivate it', async () => {
    const order = given.order()
    const receipt = given.alerts.receipt(order, given.time.nowS)
    await given.alerts.begin(order, receipt)
    await given.rows.add('cancelled', receipt.subscription_id, { at: NOW_S })
    await given.alerts.begin(order, receipt)
    log(1, 900_000)
    await quiet(given)
    expect(given.receiver.received).toEqual([])
    expect(await overview()).toMatchObject({ state: 'cancelled' })
  })
})

describe('flags', () => {
  test('pushes each flag once it is confirmed, with its evidence, and none from before the subscription', async () => {
    const flag = (mint: number, number: number) => {
      const row = flagRow('creator_sold', { number, firstSeenAt: NOW_S - 1_100 + number, findingId: `found ${mint}` })
      given.view.put(key(mint), liveState({ flags: [row], launch: launchRow({ name: `n${mint}` }) }))
    }
    given.view.sure({ confirmed: 1_050, finalized: 1_000 })
    flag(1, 1_040)
    await given.buy({ kinds: ['rug_flags'] })
    await quiet(given)
    flag(2, 1_060)
    await quiet(given)
    expect(given.receiver.received).toEqual([])
    given.view.sure({ confirmed: 1_100, finalized: 1_000 })
    await eventually(() => given.receiver.received.length === 1)
    expect(bodies()).toMatchObject([
      {
        ...{ kind: 'rug_flags', mint: base58(2), name: 'n2', odds: null, flag: 'creator_sold', finding_id: 'found 2' },
        evidence_url: 'https://cards.example/v1/evidence/found%202',
      },
    ])
    await given.again()
    await quiet(given)
    expect(given.receiver.received).toHaveLength(1)
  })
})

describe('delivery', () => {
  test('retries failures with growing backoff and the same id until the alert arrives', async () => {
    await given.buy()
    given.receiver.answer = 500
    log(1, 900_000)
    await failed()
    const pauses = [1_000, 2_000, 4_000, 8_000]
    for (const [n, pauseMs] of pauses.entries()) {
      given.time.wallMs += pauseMs - 1
      await quiet(given)
      expect(given.receiver.received).toHaveLength(n + 1)
      given.time.wallMs += 1
      if (n === pauses.length - 1) given.receiver.answer = 'cut'
      await eventually(() => given.receiver.received.length === n + 2)
      await eventually(async () => (await waiting())?.tries === n + 2)
    }
    given.receiver.answer = 200
    given.time.wallMs += alertLimits.retryMsMax
    await eventually(() => given.receiver.taken.length === 1)
    expect(new Set(bodies().map(({ id }) => id)).size).toBe(1)
    await eventually(async () => (await overview())?.delivered === 1)
  })

  test('gives up after an hour of failures, counts the alert and lists it with its reason', async () => {
    await given.buy()
    given.receiver.answer = 503
    log(1, 900_000)
    await failed()
    given.time.wallMs += alertLimits.giveUpMs
    await eventually(async () => (await overview())?.givenUp === 1)
    given.receiver.answer = 200
    log(1, 950_000)
    given.time.wallMs += alertLimits.giveUpMs
    await quiet(given)
    expect(given.receiver.taken).toEqual([])
    expect(await overview()).toMatchObject({ waiting: 0, delivered: 0, dead: [{ mint: base58(1), tries: 2, reason: 'status 503' }] })
    expect(given.notices).toEqual([['alert_given_up', expect.objectContaining({ reason: 'status 503' })]])
  })

  test('gives up and counts alerts above a subscription’s queue limit; alerts of other subscriptions still arrive', async () => {
    const { subscription_id } = await given.buy()
    const other = await given.buy({ min_odds: 0.95 })
    given.receiver.answer = 500
    const { waitingPerSubscriptionMax } = alertLimits
    const mints = Array.from({ length: waitingPerSubscriptionMax + 3 }, (_, n) => mintOf(n))
    for (const mint of mints) given.odds.append({ mint, head: HEAD, ppm: 900_000, at: NOW_S })
    await eventually(async () => (await overview(subscription_id))?.givenUp === 3)
    given.odds.append({ mint: mintOf(7), head: HEAD, ppm: 960_000, at: NOW_S })
    given.receiver.answer = 200
    await eventually(async () => (await given.rows.all('counts')).get(other.subscription_id)?.delivered === 1)
    expect((await overview(subscription_id))?.dead).toMatchObject([
      { reason: 'queue_full' },
      { reason: 'queue_full' },
      { reason: 'queue_full' },
    ])
  })
})

describe('chats', () => {
  test('Discord gets a message without mentions, Telegram a plain text from the bot', async () => {
    given.view.put(key(1), liveState({ launch: launchRow({ name: '@everyone [x](http://evil.io)', symbol: '<b>*S*</b>' }) }))
    await given.buy({ target: 'discord' })
    await given.buy({ target: 'telegram', url: null, chat_id: '@channel', bot_token: '123:token' })
    log(1, 900_000)
    await eventually(() => given.receiver.received.length === 2)
    const byPath = Object.fromEntries(given.receiver.received.map(({ path, body }) => [path, JSON.parse(body)]))
    expect(byPath['/hook']).toEqual({ content: expect.any(String), allowed_mentions: { parse: [] } })
    expect(byPath['/hook'].content).toContain('\\@everyone \\[x\\]\\(http\\://evil.io\\)')
    expect(byPath['/bot123:token/sendMessage']).toEqual({
      ...{ chat_id: '@channel', link_preview_options: { is_disabled: true } },
      text: expect.stringContaining('odds of graduation 90.0 %: @everyone [x](http://evil.io) (<b>*S*</b>)'),
    })
  })
})
