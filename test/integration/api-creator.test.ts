// `/v1/creator/{address}`: the record of any wallet, its live mints, who paid it, and coverage.
import { toBase58 } from '../../schemas/keys.ts'
import type { PaymentRow, WalletState } from '../../schemas/types.ts'
import { labels } from '../shipped.ts'
import { Creator, launched, mintOf, settled } from '../unit/processors/creator/creator-given.ts'
import { SOL } from '../unit/processors/mint/market.ts'
import { base58, CREATOR, curveRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { pathsOf, unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

const PATH = `/v1/creator/${toBase58(CREATOR)}`
const SINCE = NOW_S - 86_400
const FUNDER = key(50)

const payment = (n: number, ageS: number, change: Partial<PaymentRow> = {}): PaymentRow => ({
  n,
  funder: FUNDER,
  amountLamports: 2 * SOL,
  at: NOW_S - ageS,
  number: 10_000 - ageS,
  tx: n,
  outer: 0,
  inner: 0,
  ...change,
})
const paid = (...payments: PaymentRow[]): WalletState => ({ payments, figures: null, timers: [] })

/** A wallet with a rug, a graduate and two open launches. */
const given = () => {
  const api = harness()
  api.view.setStatus({ observedSince: SINCE })
  const creator = new Creator(SINCE)
    .receive(NOW_S - 9_000, [1, launched(NOW_S - 9_000)], [2, launched(NOW_S - 9_000)])
    .receive(NOW_S - 5_000, [
      1,
      settled(NOW_S - 9_000, NOW_S - 5_000, { rugged: true, rugDtS: 30, devFirstSellDtS: 20, peakQuoteUnits: SOL }),
    ])
    .receive(NOW_S - 4_000, [
      2,
      settled(NOW_S - 9_000, NOW_S - 4_000, { graduated: true, peakQuoteUnits: 85 * SOL, devBuyQuoteUnits: SOL }),
    ])
    .receive(NOW_S - 100, [3, launched(NOW_S - 100)], [4, launched(NOW_S - 100)])
  api.records.putCreator(CREATOR, creator.state)
  return api
}

test('a creator has the fields of the contract, and each is explained', async () => {
  const api = given()
  api.records.putWallet(CREATOR, paid(payment(0, 60)))
  api.records.putCreator(FUNDER, new Creator(SINCE).receive(NOW_S - 500, [9, launched(NOW_S - 500)]).state)
  const { status, body } = await api.paid(PATH)
  expect(status).toBe(200)
  expect([body.coverage, body.meta.price_usd]).toEqual(['full', 0.02])
  expect(body.data).toMatchObject({
    creator: toBase58(CREATOR),
    stats: {
      n_launches: 4,
      n_resolved: 2,
      grad_rate: 0.5,
      rug_rate: 0.5,
      median_dev_sell_s: 20,
      is_first_time: false,
      total_dev_buy_sol: 1,
      observed_since: SINCE,
    },
    live_mints: [],
    funded_recently_by: {
      funder: toBase58(FUNDER),
      amount_sol: 2,
      funded_at: NOW_S - 60,
      position: 'solana:9940.0.0.0',
      funder_prior: { n_launches: 1, rug_rate: null, rug_rate_reason: expect.any(String) },
    },
  })
  expect(body.data.recent_launches.map(({ graduated }: { graduated: unknown }) => graduated)).toEqual([null, null, 1, 0])
  expect(unexplainedNulls(body.data)).toEqual([])
  const known = labels.fields.creator
  expect(pathsOf(body.data).filter((path) => known[path] === undefined)).toEqual([])
})

test('a wallet that never launched and was never paid is 200, empty, with reasons', async () => {
  const api = harness()
  api.view.setStatus({ observedSince: SINCE })
  const { status, body } = await api.paid(`/v1/creator/${base58(77)}`)
  expect(status).toBe(200)
  expect(body.data).toEqual({
    creator: base58(77),
    stats: expect.objectContaining({ n_launches: 0, is_first_time: true, observed_since: SINCE }),
    recent_launches: [],
    n_live_mints: 0,
    live_mints: [],
    funded_recently_by: null,
    funded_recently_by_reason: 'no payment of 0.1 SOL or more was seen in the last 30 minutes',
  })
})

test('an invalid address is a 404 before payment, and the bare path is a 402', async () => {
  const api = given()
  const { status, body } = await api.paid('/v1/creator/0OIl')
  expect([status, body.error, body.hint]).toEqual([404, 'not_an_address', expect.stringContaining('wallet')])
  expect(api.gate.calls).toEqual([])
  for (const path of ['/v1/creator', '/v1/creator/{address}']) expect((await api.get(path)).status).toBe(402)
})

/** A mint of the creator, launched `n` s before the others. */
const mintBy = (n: number, change: Parameters<typeof curveRow>[0], launch: Parameters<typeof launchRow>[0] = {}) =>
  [mintOf(n), liveState({ launch: launchRow({ at: NOW_S - 9_000 - n, number: 100_000 - n, ...launch }), curve: curveRow(change) })] as const

test('live mints are those whose curve is open and traded in the last 2 h, whatever their outcome', async () => {
  const api = given()
  const put = (n: number, change: Parameters<typeof curveRow>[0]) => api.view.put(...mintBy(n, change))
  put(1, { lastAt: NOW_S - 7_200 })
  put(2, { lastAt: NOW_S, migratedAt: NOW_S })
  put(3, { lastAt: NOW_S })
  put(4, { lastAt: NOW_S, completeAt: NOW_S })
  expect((await api.paid(PATH)).body.data.live_mints).toEqual([toBase58(mintOf(1)), toBase58(mintOf(3))])
  put(1, { lastAt: NOW_S - 7_201 })
  expect((await api.paid(PATH)).body.data.live_mints).toEqual([toBase58(mintOf(3))])
})

test('counts all live mints, also those that are not among its newest 25 launches; lists the newest 100', async () => {
  const api = given()
  for (let n = 1; n <= 130; n += 1) api.view.put(...mintBy(n, { lastAt: NOW_S - 60 }))
  const { data } = (await api.paid(PATH)).body
  expect(data.n_live_mints).toBe(130)
  expect(data.live_mints).toEqual(Array.from({ length: 100 }, (_, n) => toBase58(mintOf(n + 1))))
})

test('a mint belongs to each wallet of its dev set', async () => {
  const api = given()
  api.view.put(...mintBy(1, { lastAt: NOW_S }, { user: key(60), creator: CREATOR }))
  api.view.put(...mintBy(2, { lastAt: NOW_S }, { user: key(60), creator: CREATOR, creatorIsWallet: false }))
  const liveOf = async (address: string) => (await api.paid(`/v1/creator/${address}`)).body.data.live_mints
  expect(await liveOf(base58(60))).toEqual([toBase58(mintOf(1)), toBase58(mintOf(2))])
  expect(await liveOf(toBase58(CREATOR))).toEqual([toBase58(mintOf(1))])
})

describe('the payer', () => {
  test.each([
    [
      'that of the newest payment, whatever the order of rows',
      [payment(0, 30), payment(1, 20, { funder: key(51) }), payment(2, 40)],
      base58(51),
    ],
    ['that of the later position within a second', [payment(1, 20), payment(0, 20, { funder: key(51) })], toBase58(FUNDER)],
    ['that of a payment 30 minutes ago', [payment(0, 1_800)], toBase58(FUNDER)],
    ['nobody if the payment is older than 30 minutes', [payment(0, 1_801)], undefined],
  ])('is %s', async (_what, rows, funder) => {
    const api = given()
    api.records.putWallet(CREATOR, paid(...rows))
    expect((await api.paid(PATH)).body.data.funded_recently_by?.funder).toBe(funder)
  })
  test('has a reason where payments may be missing', async () => {
    const api = given()
    api.view.setStatus({ observedSince: NOW_S - 100 })
    const { body } = await api.paid(PATH)
    expect(body.data.funded_recently_by_reason).toMatch(/30 minutes; capture began within the requested window/)
    expect(body.coverage).toBe('full')
  })
})

describe('coverage', () => {
  test.each([
    ['a gap since the record began is thin, with its range', NOW_S - 80_000, 'thin'],
    ['a gap before the record began does not make it thin', SINCE - 1, 'full'],
  ])('%s', async (_what, until, coverage) => {
    const api = given()
    api.view.setStatus({ gap: { from: 10, to: 20, until } })
    const { body } = await api.paid(PATH)
    expect(body.coverage).toBe(coverage)
    expect(body.data.coverage_range).toEqual(coverage === 'thin' ? { from_slot: 10, to_slot: 20 } : undefined)
    expect(unexplainedNulls(body.data)).toEqual([])
    expect(pathsOf(body.data).filter((path) => labels.fields.creator[path] === undefined)).toEqual([])
  })
  test('before the first frame is thin, and its start is null with a reason', async () => {
    const api = harness()
    api.view.setStatus({ observedSince: null })
    const { body } = await api.paid(PATH)
    expect([body.coverage, body.data.stats.observed_since]).toEqual(['thin', null])
    expect(unexplainedNulls(body.data)).toEqual([])
  })
})

test('cards link to the record of their creator', async () => {
  const api = given()
  api.view.put(key(1), liveState())
  const { body } = await api.paid(`/v1/mint/${base58(1)}`)
  expect(body.data.next.creator).toBe(PATH)
  expect((await api.paid(body.data.next.creator)).body.data.stats.n_launches).toBe(4)
})
