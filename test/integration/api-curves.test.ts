// Answers about curves: card, list and regime as they are sold, with the chain's own feed.
import { type Key, keyText } from '../../schemas/keys.ts'
import type { CurveState } from '../../schemas/types.ts'
import { BUSY_CURVES, SetHistory } from '../fakes/set-history.ts'
import { CURVE_CONTRACT, GRADUATED, LIVE, NOW_CURVES_S, OTHER } from '../fixtures/curve-market.ts'
import { BLOCK0 } from '../unit/processors/curve/launchpad.ts'
import { type Harness, harness } from './api-harness.ts'

const CARD = '/v1/alt/curve'
const LIST = '/v1/alt/launches/recent'
const UNKNOWN = `0x${'77'.repeat(20)}`

let api: Harness
beforeEach(() => {
  api = harness()
})

describe('the card', () => {
  test.each([
    ['the token', keyText(LIVE)],
    ['the curve', keyText(CURVE_CONTRACT)],
    ['the token in capitals, which are no checksum', `0x${keyText(LIVE).slice(2).toUpperCase()}`],
    ['the token in small letters', keyText(OTHER).toLowerCase()],
  ])('%s: the card of the curve, with finality of each finding', async (_what, address) => {
    const { status, body } = await api.paid(`${CARD}/${address}`)
    expect([status, body.coverage, body.data.coverage]).toEqual([200, 'full', 'full'])
    for (const { finality } of body.data.findings) expect(finality).toBe('finalized')
    expect(body.meta).toMatchObject({ source: 'test of curves', last_slot: BLOCK0 + 4_000, is_stale: false, price_usd: 0.02 })
    expect(body.t).toBe(NOW_CURVES_S)
  })
  test('progress is toward the threshold of the launch, 4.2 ETH', async () => {
    const { body } = await api.paid(`${CARD}/${keyText(LIVE)}`)
    const { raised } = body.data
    expect(raised.threshold_units).toBe('4200000000000000000')
    expect(raised.progress).toBeCloseTo(raised.eth / 4.2, 12)
  })
  test('is thin for a curve that was silent for two hours; the reason for an unknown address names six hours', async () => {
    api.time.curvesMs += 8_000_000
    api.curves.setStatus({ folded: { number: BLOCK0 + 84_000, time: NOW_CURVES_S + 8_000 } })
    const silent = await api.paid(`${CARD}/${keyText(LIVE)}`)
    expect(silent.body.data).toMatchObject({ coverage: 'thin', known: true, status: 'unknown' })
    expect(silent.body.data.coverage_reason).toContain('more than 2 h')
    const unknown = await api.paid(`${CARD}/${UNKNOWN}`)
    expect([unknown.status, unknown.body.coverage]).toEqual([200, 'thin'])
    expect(unknown.body.data).toMatchObject({ address: UNKNOWN, known: false, status: 'unknown' })
    expect(unknown.body.data.coverage_reason).toContain('in the last 6 hours')
  })
  test('an address that is not of the chain is a 404 in the contract’s shape, and nothing is sold', async () => {
    for (const text of ['nonsense', `${keyText(LIVE)}0`, keyText(LIVE).slice(0, -1)]) {
      const { status, body } = await api.paid(`${CARD}/${text}`)
      expect([status, Object.keys(body).sort()]).toEqual([404, ['error', 'hint', 'ok']])
    }
    expect(api.gate.calls).toEqual([])
  })
  test('recomputes its derived fields with another second or block', async () => {
    const first = await api.paid(`${CARD}/${keyText(LIVE)}`)
    api.time.curvesMs += 1_000
    api.curves.setStatus({ folded: { number: BLOCK0 + 4_010, time: NOW_CURVES_S + 1 } })
    const later = await api.paid(`${CARD}/${keyText(LIVE)}`)
    expect(later.body.data.age_s).toBeCloseTo(first.body.data.age_s + 1, 9)
  })
  test('marks findings of an unconfirmed block', async () => {
    api.curves.sure({ confirmed: BLOCK0 + 10, finalized: BLOCK0 })
    const { body } = await api.paid(`${CARD}/${keyText(LIVE)}`)
    expect(body.data.findings.map(({ finality }: { finality: string }) => finality)).toContain('processed')
  })
})

describe('the list', () => {
  const tokensOf = async (query: string): Promise<string[]> => {
    const { body } = await api.paid(`${LIST}${query}`)
    return body.data.items.map(({ token }: { token: string }) => token)
  }
  test('is newest first, filtered as requested', async () => {
    const [live, other, graduated] = [keyText(LIVE), keyText(OTHER), keyText(GRADUATED)]
    expect(await tokensOf('')).toEqual([graduated, other, live])
    expect(await tokensOf('?limit=2')).toEqual([graduated, other])
    expect(await tokensOf('?pair=eth')).toEqual([graduated, live])
    expect(await tokensOf('?only_live=true')).toEqual([other, live])
    expect(await tokensOf('?min_buys=2')).toEqual([live])
    expect(await tokensOf('?max_age_s=385')).toEqual([graduated])
  })
  test.each(['limit=0', 'limit=201', 'max_age_s=29', 'max_age_s=21601', 'pair=usd', 'only_live=maybe', 'min_buys=-1', 'pear=eth'])(
    'refuses %s unpaid',
    async (query) => {
      const { status, body } = await api.paid(`${LIST}?${query}`)
      expect([status, body.charged]).toEqual([422, false])
    },
  )
  test('after a gap is thin and names blocks', async () => {
    api.curves.setStatus({ gap: { from: 5, to: 9, until: NOW_CURVES_S - 5, reason: 'the node was away' } })
    const { body } = await api.paid(LIST)
    expect(body.data.coverage_range).toEqual({ from_block: 5, to_block: 9 })
    expect(body.data.coverage_reason).toContain('blocks 5 to 9 were not delivered')
  })
})

test('the regime counts launches and graduations of the hour, and states what it does not know', async () => {
  const { status, body } = await api.get('/v1/alt/regime')
  expect([status, body.coverage]).toEqual([200, 'full'])
  expect(body.data.hour).toMatchObject({ launches: 3, launches_per_hour: 3, graduations: 1, median_graduation_s: 10 })
  expect(body.data.minute).toMatchObject({ launches: 0, launches_per_hour: 0, graduation_rate: null })
})

describe('trades of the regime', () => {
  test('has the counts of the history, per observed minute', async () => {
    const { body } = await harness({ history: new SetHistory() }).get('/v1/alt/regime')
    expect(body.data.trades_as_of).toBe(NOW_CURVES_S - 1)
    expect(body.data.hour).toMatchObject({ buys_per_minute: 70, sells_per_minute: 30, unique_buyers: 640 })
    expect(body.data.minute).toMatchObject({ buys_per_minute: 40, unique_buyers: 31 })
  })
  test('without history, or with one far behind, are null with the reason', async () => {
    const behind = new SetHistory()
    behind.curves = { ok: true, value: BUSY_CURVES, asOf: NOW_CURVES_S - 301 }
    for (const [options, reason] of [
      [{}, 'has no history store'],
      [{ history: behind }, 'are 301 s behind'],
    ] as const) {
      const { body } = await harness(options).get('/v1/alt/regime')
      const why = expect.stringContaining(reason)
      expect(body.data).toMatchObject({ trades_as_of: null, trades_as_of_reason: why })
      expect(body.data.hour).toMatchObject({ launches: 3, buys_per_minute: null, buys_per_minute_reason: why, unique_buyers: null })
    }
  })
  test('reads only the head of the six hours again for a second request after one changed row', async () => {
    const reads = (token: Key): number => api.curves.headsRead(token)
    await api.get('/v1/alt/regime')
    const before = [reads(LIVE), reads(OTHER)]
    api.curves.put(OTHER, api.curves.get(OTHER)?.state as CurveState)
    await api.get('/v1/alt/regime')
    expect([reads(LIVE) - (before[0] ?? 0), reads(OTHER) - (before[1] ?? 0)]).toEqual([0, 1])
  })
})

describe('the feed of the chain', () => {
  test('only answers about curves are stale while it is behind and the feed of mints is fresh', async () => {
    api.time.curvesMs += 60_000
    expect((await api.paid(`${CARD}/${keyText(LIVE)}`)).body.meta).toMatchObject({ is_stale: true, feed_lag_s: 60 })
    expect((await api.paid('/v1/launches/recent')).body.meta).toMatchObject({ is_stale: false, feed_lag_s: 0 })
  })
  test('while stores of curves restore, their answers are refused unpaid, and those about mints are sold', async () => {
    api.curves.setStatus({ ready: false })
    expect((await api.paid(LIST)).status).toBe(503)
    expect((await api.paid('/v1/launches/recent')).status).toBe(200)
  })
  test('/health lists both chains and counts curves', async () => {
    const { body } = await api.get('/health')
    expect(body.sources.map(({ chain }: { chain: string }) => chain)).toEqual(['solana', 'alt'])
    expect(body.sources[1]).toMatchObject({ folded: BLOCK0 + 4_000, feed_lag_s: 0 })
    expect(body.curves_tracked).toBe(3)
  })
})

describe('the evidence of a finding', () => {
  const found = async (): Promise<string> => {
    const { body } = await api.paid(`${CARD}/${keyText(LIVE)}`)
    return body.data.findings[0].finding_id
  }
  test('is returned once it is old enough, with links', async () => {
    const id = await found()
    const { status, body } = await api.get(`/v1/evidence/${encodeURIComponent(id)}`)
    expect([status, body.data.status]).toEqual([200, 'stands'])
    expect(body.data).toMatchObject({ finding_id: id, mint: keyText(LIVE), flag: 'deployer_sold', finality: 'finalized', events: null })
    expect(body.meta).toMatchObject({ source: 'test of curves', next: { curve: `/v1/alt/curve/${keyText(LIVE)}` } })
  })
  test('is withheld while it is young, without revealing whether it exists', async () => {
    const id = await found()
    api.time.curvesMs -= 390_000
    api.curves.setStatus({ folded: { number: BLOCK0 + 100, time: NOW_CURVES_S - 390 } })
    const { body } = await api.get(`/v1/evidence/${encodeURIComponent(id)}`)
    expect(body.data).toMatchObject({ status: 'withheld', mint: keyText(LIVE) })
    expect(body.data.free_at).toBeGreaterThan(NOW_CURVES_S - 390)
  })
  test('of an unknown id is not found', async () => {
    const { status } = await api.get(`/v1/evidence/${encodeURIComponent(`alt:1.2.3@deadbeef:deployer-sold:${keyText(LIVE)}`)}`)
    expect(status).toBe(404)
  })
})
