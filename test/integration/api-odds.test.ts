// Free routes about odds: calibration, track record, outcomes of launches, and the proof that odds were logged.
import { keyText } from '../../schemas/keys.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { oddsValue, RECORD } from '../fakes/set-odds-history.ts'
import { labels } from '../shipped.ts'
import { verifiedData } from '../tools/verify-odds.ts'
import { base58, key, NOW_S, outcomeRow } from '../unit/query-api/given-mint.ts'
import { pathsOf, unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { type Changes, harness } from './api-harness.ts'

const MINT = base58(77)
const AWAY = 'the history store does not answer now'
const given = (changes: Changes = {}) => {
  const history = new SetHistory()
  return { ...harness({ history, ...changes }), history }
}
/** Gets the answer and checks that every null has its reason and every field except the metrics its meaning. */
const explained = async (api: ReturnType<typeof given>, path: string, of: keyof typeof labels.fields) => {
  const { status, body } = await api.get(path)
  expect([status, unexplainedNulls(body.data)]).toEqual([200, []])
  const meanings = labels.fields[of]
  const unnamed = pathsOf(body.data).filter((one) => meanings[one] === undefined && !/metrics/.test(one))
  expect(unnamed).toEqual([])
  return body
}

describe('/v1/calibration', () => {
  test('shows bins with their intervals, scores as a whole and by day, regime and model, and the current state', async () => {
    const api = given()
    api.odds.stand('true_graduation', { isShown: false, reason: 'withdrawn: the Brier skill is below 0', since: NOW_S - 60 })
    const { coverage, data, meta } = await explained(api, '/v1/calibration', 'calibration')
    expect([coverage, data.window_days, data.as_of, meta.price_usd]).toEqual(['full', 30, NOW_S - 20, 0])
    const { rug_within_300s: rug, true_graduation: graduation } = data.heads
    expect(rug.live).toMatchObject({ n: 40_000, hits: 16_000, base_rate: 0.4, brier: 0.12, brier_skill: 0.5, ece: 0.011, pr_auc: 0.83 })
    expect(rug.live.bins[1]).toEqual({
      ...{ from: 0.7, to: 0.8, n: 20_000, mean_p: 0.751, observed: 0.75 },
      ...{ low: expect.closeTo(0.74395, 4), high: expect.closeTo(0.75595, 4) },
    })
    expect(rug.days.map(({ day }: { day: string }) => day)).toEqual(['2026-03-02', '2026-03-01'])
    expect(rug.days[0]).toMatchObject({ brier_skill: null, brier_skill_reason: expect.stringContaining('equal'), pr_auc: null })
    expect([rug.regimes[0].regime, rug.models[0].model_id]).toEqual(['1000_to_2000', '00112233aabbccdd'])
    expect(rug.standing).toMatchObject({ is_shown: true, since: 0 })
    expect(graduation.standing).toMatchObject({ is_shown: false, reason: 'withdrawn: the Brier skill is below 0' })
    expect([graduation.live, graduation.live_reason]).toEqual([null, expect.stringContaining('no logged value')])
    expect(data.ledger).toMatchObject({ hours: 9, changed_hours: 1, newest: [{ n: 1, root: expect.stringMatching(/^[0-9a-f]{64}$/) }] })
  })

  test('separates the model’s expected from its measured figures, and omits metrics that could not be computed', async () => {
    const metrics = { test: { brier: 0.11, pr_auc: null, n: 900, by: 'creator' } }
    const api = given({ oddsModels: { validation: (head) => (head === 'true_graduation' ? null : { modelId: 'abc', metrics }) } })
    const { data } = await explained(api, '/v1/calibration', 'calibration')
    expect(data.heads.rug_within_300s.validation).toEqual({ model_id: 'abc', metrics: { test: { brier: 0.11, n: 900, by: 'creator' } } })
    expect(data.heads.true_graduation).toMatchObject({ validation: null, validation_reason: expect.stringContaining('no model') })
  })

  test('is thin with the reason while the history is unavailable, and still states what is shown', async () => {
    const api = given()
    api.history.grades = { ok: false, reason: AWAY }
    const { coverage, data } = await explained(api, '/v1/calibration', 'calibration')
    expect([coverage, data.coverage_reason, data.as_of]).toEqual(['thin', AWAY, null])
    expect(data.heads.rug_within_300s).toMatchObject({ live: null, live_reason: AWAY, days: [], standing: { is_shown: true } })
  })
})

describe('/v1/track-record', () => {
  test('shows the worst day, then all days, and sums them up', async () => {
    const { coverage, data } = await explained(given(), '/v1/track-record', 'track_record')
    const [avoid, caution, graduation] = data.calls
    expect([coverage, avoid.call, avoid.at_least, caution.at_least, graduation.call]).toEqual(['full', 'rug_80', 0.8, 0.5, 'graduation_50'])
    expect(Object.keys(avoid).indexOf('worst_day')).toBeLessThan(Object.keys(avoid).indexOf('days'))
    expect(avoid.worst_day).toMatchObject({ day: '2026-03-01', calls: 10, hits: 2, precision: 0.2, base_rate: 0.3, lead_p50_s: 44 })
    expect(avoid.days.map(({ day }: { day: string }) => day)).toEqual(RECORD.rug_80.map(({ day }) => day))
    expect(avoid.total).toMatchObject({ launches: 2_000, unresolved: 80, positives: 600, calls: 110, hits: 92, precision: 92 / 110 })
    expect(caution.worst_day).toMatchObject({ precision: 0, lead_p50_s: null, lead_p50_s_reason: 'no call came true' })
    expect(graduation).toMatchObject({ worst_day: null, total: { precision: null, precision_reason: 'nothing was called', recall: 0 } })
  })

  test('is thin with the reason without its history', async () => {
    const api = given()
    api.history.record = { ok: false, reason: AWAY }
    expect(await explained(api, '/v1/track-record', 'track_record')).toMatchObject({
      coverage: 'thin',
      data: { calls: null, calls_reason: AWAY },
    })
  })
})

const settle = (
  api: ReturnType<typeof given>,
  settledAt: number,
  change: { readonly rugged: boolean | null; readonly rugDtS: number | null },
) => {
  const { settledAt: _at, cause, ...outcome } = outcomeRow({})
  const { peakQuoteUnits, terminalQuoteUnits, devFirstSellDtS, devBuyQuoteUnits, trades, buyers } = outcome
  const settlement = {
    ...{ mint: key(77), creator: key(5), t0: NOW_S - 9_000, slot0: 900, settledAt, settledBy: cause },
    ...{ graduated: change.rugged === null ? null : false, rugKind: change.rugged === true ? 'drain' : null, ...change },
    ...{ quoteMint: null, peakQuoteUnits, terminalQuoteUnits, devFirstSellDtS, devBuyQuoteUnits, trades, buyers, mayhem: false },
    ...{ selfGraduated: false, censored: change.rugged === null ? 'gap' : null, reopenedAt: undefined },
  }
  api.history.launches.set(key(77), { settlement, flags: [], launch: null })
}

describe('/v1/outcomes/{mint}', () => {
  const PATH = `/v1/outcomes/${MINT}`

  test('has the settled labels, and the odds as logged before, with a link to their proof', async () => {
    const api = given()
    settle(api, NOW_S - 400, { rugged: true, rugDtS: 44 })
    const { coverage, data, meta } = await explained(api, PATH, 'outcomes')
    expect([coverage, meta.delayed_s, data.mint, data.mint === keyText(key(77))]).toEqual(['full', 300, MINT, true])
    expect(data.outcome).toMatchObject({ rugged: true, rug_kind: 'drain', rug_dt_s: 44, graduated: false, settled_at: NOW_S - 400 })
    const { id } = oddsValue()
    expect(data.odds).toEqual([
      {
        ...{ odds_id: id, mint: MINT, head: 'rug_within_300s', age_s: 10, at: oddsValue().at, probability: 0.812345 },
        ...{ model_id: '00112233aabbccdd', came_true: true, is_retracted: false, proof_url: `/v1/odds/proof?id=${id}` },
      },
    ])
    expect((await api.get(data.odds[0].proof_url)).status).toBe(200)
  })

  test.each([
    ['a rug after 300 s', { rugged: true, rugDtS: 301 }, false],
    ['a censored launch', { rugged: null, rugDtS: null }, null],
  ])('for %s, `came_true` of the odds of a rug is %s', async (_name, change, came_true) => {
    const api = given()
    settle(api, NOW_S - 400, change)
    expect((await explained(api, PATH, 'outcomes')).data.odds[0]).toMatchObject({ came_true })
  })

  test('shows nothing younger than 300 s, and no value of a model on trial', async () => {
    const api = given()
    settle(api, NOW_S - 299, { rugged: true, rugDtS: 44 })
    api.history.values.length = 0
    const values = [oddsValue({ at: NOW_S - 299 }), oddsValue({ at: NOW_S - 300, ageS: 20 }), oddsValue({ isShadow: true })]
    for (const value of values) api.history.values.push({ ...value, isRetracted: false })
    const { data } = await explained(api, PATH, 'outcomes')
    expect([data.outcome, data.outcome_reason]).toEqual([null, expect.stringContaining('300 s')])
    expect(data.odds.map(({ at, came_true }: { at: number; came_true: null }) => [at, came_true])).toEqual([[NOW_S - 300, null]])
  })

  test('is thin with the reason while the history is down, and a 404 for an invalid address', async () => {
    const api = given()
    api.history.awayReason = AWAY
    const { coverage, data } = await explained(api, PATH, 'outcomes')
    expect([coverage, data.outcome, data.odds, data.coverage_reason]).toEqual(['thin', null, null, AWAY])
    expect((await api.get('/v1/outcomes/nonsense')).status).toBe(404)
  })
})

describe('/v1/odds/proof', () => {
  const { id } = oddsValue()
  const PATH = `/v1/odds/proof?id=${id}`

  test('leads from the value to the root of its hour, and the independent verifier agrees', async () => {
    const body = await explained(given(), PATH, 'odds_proof')
    expect(body.data).toMatchObject({ state: 'proven', n: 1, proof: [], value: { odds_id: id, ppm: 812_345, is_retracted: false } })
    expect(verifiedData([body])).toEqual({
      code: 0,
      lines: [expect.stringMatching(`^ok ${id.replace(/[.~]/g, '.')} root ${body.data.root}`)],
    })
  })

  test('states that a fork retracted the value after the root was made', async () => {
    const api = given()
    api.history.values[0] = { ...oddsValue(), isRetracted: true }
    const body = await explained(api, PATH, 'odds_proof')
    expect([body.data.state, body.data.value.is_retracted, verifiedData([body]).code]).toEqual(['proven', true, 0])
  })

  test('gives the time at which the root of an open hour is made, and marks a value that came after its root', async () => {
    const api = given()
    api.history.values[0] = { ...oddsValue({ at: NOW_S - 301 }), isRetracted: false }
    expect((await explained(api, PATH, 'odds_proof')).data).toMatchObject({
      ...{ state: 'open', n: null, proof: null, root: null, root_reason: expect.stringContaining('closes_at') },
      closes_at: Math.floor((NOW_S - 301) / 3_600) * 3_600 + 3_720,
    })
    const late = given()
    late.history.late.add(id)
    expect((await explained(late, PATH, 'odds_proof')).data).toMatchObject({ state: 'left_out', proof: null, n: 0 })
  })

  test('withholds a value that is younger than 300 s', async () => {
    const api = given()
    api.history.values[0] = { ...oddsValue({ at: NOW_S - 299 }), isRetracted: false }
    const { data } = await explained(api, PATH, 'odds_proof')
    expect([data.value, data.line, data.leaf]).toEqual([null, null, null])
    expect(JSON.stringify(data)).not.toContain('812345')
  })

  test.each([
    ['without an id', '', 422, undefined],
    ['with an invalid id', '?id=nonsense', 422, undefined],
    ['with a text that is too long', `?id=${id}${'0'.repeat(300)}`, 422, undefined],
    ['with the id of no logged value', `?id=${id.replace('1000', '1001')}`, 404, 'unknown_odds'],
  ])('%s: %s is a %i', async (_name, query, status, error) => {
    const answer = await given().get(`/v1/odds/proof${query}`)
    expect([answer.status, answer.body.error]).toEqual([status, error])
  })

  test('is a 503 while the history is unavailable', async () => {
    const api = given()
    api.history.awayReason = AWAY
    const { status, body } = await api.get(PATH)
    expect([status, body.error, body.hint]).toEqual([503, 'history_unavailable', expect.stringContaining(AWAY)])
  })
})
