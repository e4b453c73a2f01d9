// `/v1/wallet/{address}`: results from history, holdings from the stream, and no sale without history.
import { type Key, parseKey, toBase58 } from '../../schemas/keys.ts'
import type { MintState } from '../../schemas/types.ts'
import type { WalletRecord } from '../../topology/ports/history.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { labels } from '../shipped.ts'
import { Creator, launched } from '../unit/processors/creator/creator-given.ts'
import { SOL } from '../unit/processors/mint/market.ts'
import { base58, CREATOR, curveRow, holderRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { pathsOf, unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

const DAY = 86_400
const SINCE = NOW_S - 4 * DAY
const WALLET = key(60)
const FUNDER = key(61)
const PATH = `/v1/wallet/${toBase58(WALLET)}`

const RECORD: WalletRecord = {
  result: { class: 'skilled', rank: 7, realizedLamports: 12 * SOL, positions: 40, closed: 30, won: 20, sniped: 3, withRole: 2, trades: 91 },
  asOf: NOW_S - 30,
  since: SINCE,
  ranked: 5_000,
  rankedMax: 100_000,
  payment: {
    funder: FUNDER,
    amountLamports: 3 * SOL,
    at: NOW_S - 9_000,
    place: { number: 77, tx: 1, outer: 2, inner: 3 },
  },
}
const given = (record: WalletRecord = RECORD) => {
  const history = new SetHistory()
  history.wallets.set(WALLET, record)
  const api = harness({ history })
  api.view.setStatus({ observedSince: SINCE })
  return { ...api, history }
}
const holds = (units: number, change: Partial<MintState> = {}): MintState =>
  liveState({ holders: [holderRow(WALLET, units, { firstBuyNumber: 1_010 })], ...change })

test('a wallet has the fields of the contract, and each is explained', async () => {
  const api = given()
  api.view.put(key(1), holds(250_000_000_000_000))
  api.records.putCreator(WALLET, new Creator(SINCE).receive(NOW_S - 500, [9, launched(NOW_S - 500)]).state)
  const { status, body } = await api.paid(PATH)
  expect(status).toBe(200)
  expect([body.coverage, body.meta.price_usd]).toEqual(['full', 0.02])
  expect(body.data).toMatchObject({
    wallet: toBase58(WALLET),
    leaderboard: { class: 'skilled', rank: 7, stats: { n_positions: 40, realized_sol: 12 }, as_of: NOW_S - 30, window_s: 3 * DAY },
    as_creator: { n_launches: 1, is_first_time: false },
    live_holdings_recent_mints: [{ mint: base58(1), tokens_share: 0.25, first_buy_slot: 1_010, rs_sol: expect.any(Number) }],
    funding_source: { funder: toBase58(FUNDER), amount_sol: 3, funded_at: NOW_S - 9_000, position: 'solana:77.1.2.3', seconds_ago: 9_000 },
  })
  expect(body.meta.next).toEqual({ creator: `/v1/creator/${toBase58(WALLET)}`, mint: '/v1/mint/{mint}' })
  expect(unexplainedNulls(body.data)).toEqual([])
  expect(pathsOf(body.data).filter((path) => labels.fields.wallet[path] === undefined)).toEqual([])
})

test('an unknown wallet is 200, with reasons', async () => {
  const api = given()
  const { status, body } = await api.paid(`/v1/wallet/${base58(77)}`)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    leaderboard: { class: null, rank: null, stats: { n_positions: 0, realized_sol: 0 } },
    as_creator: null,
    live_holdings_recent_mints: [],
    funding_source: null,
  })
  expect(unexplainedNulls(body.data)).toEqual([])
  expect(pathsOf(body.data).filter((path) => labels.fields.wallet[path] === undefined)).toEqual([])
})

test.each([
  ['not ranked yet', { ranked: 5_000 }, /not ranked yet/],
  ['beyond the leaderboard', { ranked: 100_000 }, /not among the 100000 wallets/],
])('a wallet that is %s has no rank, and gives the reason', async (_what, change, reason) => {
  const { result } = RECORD
  const api = given({ ...RECORD, ...change, result: result && { ...result, rank: null } })
  const { leaderboard } = (await api.paid(PATH)).body.data
  expect([leaderboard.class, leaderboard.rank]).toEqual(['skilled', null])
  expect(leaderboard.rank_reason).toMatch(reason)
})

test('results too far behind have no class and no rank, and the answer is thin, as the terms state before payment', async () => {
  const behind = { asOf: NOW_S - 10_340, since: SINCE }
  const api = given({ ...RECORD, ...behind })
  api.history.known = behind
  const { body } = await api.paid(PATH)
  const { leaderboard, coverage_reason } = body.data
  expect([body.coverage, leaderboard.class, leaderboard.rank, leaderboard.as_of]).toEqual(['thin', null, null, behind.asOf])
  expect(leaderboard).toMatchObject({ class_reason: expect.stringMatching(/^behind: .* 103\d\d s/), rank_reason: leaderboard.class_reason })
  expect(coverage_reason).toBe(leaderboard.class_reason)
  await api.get(PATH)
  expect(api.gate.extensions.at(-1)?.().mintfold).toMatchObject({ info: { coverage: 'thin' } })
  expect((await api.get('/health')).body.degraded).toContainEqual(expect.stringMatching(/^wallets_behind: .* 103\d\d s behind/))
})

test('when trades of the window are no longer kept, the answer is thin and states from when they are known', async () => {
  const api = given({ ...RECORD, since: NOW_S - DAY })
  api.history.known = { asOf: NOW_S - 30, since: NOW_S - DAY }
  const { body } = await api.paid(PATH)
  expect([body.coverage, body.data.observed_since]).toEqual(['thin', NOW_S - DAY])
  await api.get(PATH)
  expect(api.gate.extensions.at(-1)?.().mintfold).toMatchObject({ info: { coverage: 'thin' } })
})

describe('without history', () => {
  test('nothing is sold: 503 before payment is required, nothing charged, and no terms', async () => {
    const api = given()
    api.history.awayReason = 'the history store does not answer now'
    const { status, body, headers } = await api.get(PATH)
    expect([status, body.error, body.charged, headers['retry-after']]).toEqual([503, 'history_unavailable', false, '5'])
    expect(body.hint).toContain('does not answer')
    expect(api.gate.calls).toEqual([])
    expect((await api.head(PATH)).status).toBe(503)
  })
  test('a payment still reaches the gate, and is answered 503, which no gate sells', async () => {
    const api = given()
    api.history.awayReason = 'the history store does not answer now'
    const { status, body } = await api.paid(PATH)
    expect([status, body.charged]).toEqual([503, false])
    expect(api.history.asked).toEqual([])
  })
  test('a server without history states it', async () => {
    const { status, body } = await harness().get(PATH)
    expect([status, body.charged]).toEqual([503, false])
    expect(body.hint).toContain('has no history store')
    expect((await harness().paid(PATH)).status).toBe(503)
  })
  test('other routes do not read it', async () => {
    const api = given()
    api.history.awayReason = 'away'
    expect((await api.paid(`/v1/creator/${base58(1)}`)).status).toBe(200)
    expect(api.history.asked).toEqual([])
  })
})

test.each(['0OIl', 'a'.repeat(44), `${base58(1)}0`, '%00', '%E2%80%AE', `${'1'.repeat(500)}`])(
  '%j is an invalid address: 404 before all else',
  async (text) => {
    const api = given()
    api.history.awayReason = 'away'
    const { status, body } = await api.paid(`/v1/wallet/${text}`)
    expect([status, body.ok, body.error]).toEqual([404, false, 'not_an_address'])
    expect([api.gate.calls, api.history.asked]).toEqual([[], []])
  },
)

test('the bare path is probed, whatever the state of the history', async () => {
  const api = given()
  api.history.awayReason = 'away'
  for (const path of ['/v1/wallet', '/v1/wallet/{address}']) expect((await api.get(path)).status).toBe(402)
})

test('an address of zeros is an address', async () => {
  const zeros = '1'.repeat(32)
  expect(parseKey(zeros)).toBe('\0'.repeat(32))
  expect((await given().paid(`/v1/wallet/${zeros}`)).body.data.wallet).toBe(zeros)
})

describe('holdings', () => {
  const holdingsOf = async (api: ReturnType<typeof given>) => (await api.paid(PATH)).body.data.live_holdings_recent_mints
  test('list the newest launches first, without sold ones, and without the accounts of curve and pool', async () => {
    const api = given()
    const put = (n: number, state: MintState) => api.view.put(key(n), { ...state, launch: launchRow({ at: NOW_S - 1_000 + n }) })
    put(1, holds(5))
    put(2, holds(0))
    put(3, holds(-5))
    put(4, holds(9))
    put(5, holds(9, { curve: curveRow({ pool: WALLET }) }))
    expect((await holdingsOf(api)).map(({ mint }: { mint: string }) => mint)).toEqual([base58(4), base58(1)])
  })
  test('after a gap have an unknown share; coins received without a trade have no first buy; other quotes no SOL', async () => {
    const api = given()
    const state = holds(0, { curve: curveRow({ gapTrades: 2, gapFrom: 5, gapNumber: 6, quoteMint: key(99) }) })
    api.view.put(key(1), { ...state, holders: [holderRow(WALLET, 0, { firstBuyNumber: -1 })] })
    const body = (await api.paid(PATH)).body
    expect(body.data.live_holdings_recent_mints).toEqual([
      {
        mint: base58(1),
        tokens_share: null,
        tokens_share_reason: expect.stringContaining('slots 5 to 6'),
        first_buy_slot: null,
        first_buy_slot_reason: expect.any(String),
        rs_sol: null,
        rs_sol_reason: expect.stringContaining('SOL'),
      },
    ])
    expect(unexplainedNulls(body.data)).toEqual([])
  })
  test('are searched in at most 3,000 mints, yielding to other requests meanwhile', async () => {
    const api = given()
    for (let n = 0; n < 3_001; n++) {
      const mint = String.fromCharCode(n >> 8, n & 0xff).padEnd(32, 'm') as Key
      api.view.put(mint, { ...holds(n === 0 || n === 1 ? 7 : 0), launch: launchRow({ at: NOW_S - 4_000 + n }) })
    }
    expect(await holdingsOf(api)).toHaveLength(1)
  })
})

describe('the payer', () => {
  test('comes from the stream for the last half hour, from history for earlier', async () => {
    const api = given()
    const row = { n: 0, funder: CREATOR, amountLamports: SOL, at: NOW_S - 60, number: 9, tx: 1, outer: 0, inner: 0 }
    api.records.putWallet(WALLET, { payments: [row], figures: null, timers: [] })
    expect((await api.paid(PATH)).body.data.funding_source).toMatchObject({ funder: toBase58(CREATOR), funded_at: NOW_S - 60 })
    api.records.putWallet(WALLET, { payments: [{ ...row, at: NOW_S - 1_801 }], figures: null, timers: [] })
    expect((await api.paid(PATH)).body.data.funding_source).toMatchObject({ funder: toBase58(FUNDER) })
  })
})

describe('coverage', () => {
  test.each([
    ['capture that began within the window', { observedSince: NOW_S - 3 * DAY + 1 }, 'thin'],
    ['capture that has all of it', { observedSince: NOW_S - 3 * DAY }, 'full'],
    ['a gap within the window', { gap: { from: 10, to: 20, until: NOW_S - 100 } }, 'thin'],
    ['a gap before it', { gap: { from: 10, to: 20, until: NOW_S - 3 * DAY - 1 } }, 'full'],
  ])('%s', async (_what, change, coverage) => {
    const api = given()
    api.view.setStatus(change)
    const { body } = await api.paid(PATH)
    expect(body.coverage).toBe(coverage)
    expect(body.data.coverage_reason === undefined).toBe(coverage === 'full')
    expect(pathsOf(body.data).filter((path) => labels.fields.wallet[path] === undefined)).toEqual([])
  })
})

test('creators and cards link to the wallet', async () => {
  const api = given()
  api.view.put(key(1), liveState())
  const { body } = await api.paid(`/v1/mint/${base58(1)}`)
  expect(body.data.next.wallet).toBe(`/v1/wallet/${toBase58(CREATOR)}`)
  expect((await api.paid(`/v1/creator/${toBase58(WALLET)}`)).body.meta.next.wallet).toBe(PATH)
})
