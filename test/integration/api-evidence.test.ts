// Free evidence of findings: at least five minutes old, retracted ones too.
import { toBase58 } from '../../schemas/keys.ts'
import type { KeptFinding } from '../../topology/ports/history.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { labels } from '../shipped.ts'
import { CREATOR, detectorOf, findingOf, flagRow, key, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

const MINT = toBase58(key(1))
const AT = { chain: 'solana', number: 1_040, tx: 1, outer: 0, inner: 0 } as const
const DETECTOR = detectorOf('creator_sold')
const ID = findingOf('creator_sold', MINT)
const PATH = `/v1/evidence/${ID}`
const KEPT: KeptFinding = {
  flag: 'creator_sold',
  detector: DETECTOR,
  detectorVersion: 2,
  detectorHash: null,
  at: NOW_S - 300,
  mintAgeS: 80,
  evidence: '{"tokens_share":0.05,"sol":1.5}',
  events: ['solana:1040.1.0.0@AAAAAAAA'],
  isRetracted: false,
}
const ROW = flagRow('creator_sold', { findingId: ID, firstSeenAt: NOW_S - 300 })
const SIGHTING = {
  ...AT,
  mint: key(1),
  creator: CREATOR,
  flag: 'creator_sold',
  findingId: ID,
  at: NOW_S - 300,
  mintAgeS: 80,
  evidence: ROW.evidence,
}
const given = (kept?: Partial<KeptFinding>) => {
  const history = new SetHistory()
  if (kept !== undefined) history.findings.set(ID, { ...KEPT, ...kept })
  return { history, ...harness({ history }) }
}

test('has what history keeps: the measures, the detector, and the events that prove it', async () => {
  const { status, body } = await given({}).get(PATH)
  expect(status).toBe(200)
  expect(body.data).toEqual({
    finding_id: ID,
    status: 'stands',
    mint: MINT,
    flag: 'creator_sold',
    detector_id: DETECTOR,
    detector_version: 2,
    detector_hash: null,
    detector_hash_reason: 'this version of the detector was not registered when it found this',
    first_seen_at: NOW_S - 300,
    mint_age_at_flag_s: 80,
    position: 'solana:1040.1.0.0',
    finality: 'finalized',
    evidence: { tokens_share: 0.05, sol: 1.5 },
    events: ['solana:1040.1.0.0@AAAAAAAA'],
    proof: null,
    proof_reason: expect.stringContaining('does not recompute findings'),
    fires_when: expect.stringContaining('first sell'),
    thresholds: {},
    recomputed: null,
    recomputed_reason: expect.stringContaining('does not recompute findings'),
    delayed_s: 300,
  })
  expect(body).toMatchObject({ ok: true, coverage: 'full', meta: { price_usd: 0, delayed_s: 300, next: { mint: `/v1/mint/${MINT}` } } })
  expect(Object.keys(body.data).filter((field) => labels.fields.evidence[field.replace(/_reason$/, '')] === undefined)).toEqual([])
})

test('marks a retracted finding as such, by history or by the stores, which are ahead of it', async () => {
  const retracted = { status: 'retracted', finality: null, finality_reason: expect.any(String) }
  expect((await given({ isRetracted: true }).get(PATH)).body.data).toMatchObject(retracted)
  const api = given({})
  api.view.retract(SIGHTING)
  expect((await api.get(PATH)).body.data).toMatchObject(retracted)
  const revived = given({ isRetracted: true })
  revived.view.put(key(1), liveState({ flags: [ROW] }))
  expect((await revived.get(PATH)).body.data).toMatchObject({ status: 'stands', finality: 'finalized' })
})

test('while history is unavailable, or does not have it yet, the stores answer, and list what they lack', async () => {
  const api = given()
  api.history.awayReason = 'the history store does not answer now'
  api.view.put(key(1), liveState({ flags: [ROW] }))
  const { body } = await api.get(PATH)
  expect(body.data).toMatchObject({
    status: 'stands',
    detector_version: 1,
    events: null,
    events_reason: 'the history store does not answer now',
  })
  const gone = given()
  gone.view.retract(SIGHTING)
  const { data } = (await gone.get(PATH)).body
  expect(data).toMatchObject({ status: 'retracted', detector_id: DETECTOR, detector_version: null, events: null })
  expect(unexplainedNulls(data)).toEqual([])
  const bare = harness()
  bare.view.put(key(1), liveState({ flags: [ROW] }))
  expect((await bare.get(PATH)).body.data.events_reason).toContain('has no history')
})

test('withholds what is younger than 300 s, whether there is such a finding or not', async () => {
  const young = given({ at: NOW_S - 24 })
  const never = given()
  const [one, other] = [await young.get(PATH), await never.get(PATH)]
  expect(one.status).toBe(200)
  expect(one.body.data).toEqual({
    finding_id: ID,
    status: 'withheld',
    mint: MINT,
    detector_id: DETECTOR,
    position: 'solana:1040.1.0.0',
    free_at: NOW_S + 276,
    delayed_s: 300,
  })
  expect(other.body).toEqual(one.body)
  for (const api of [young, never]) {
    api.time.nowMs += 400_000
    api.view.setStatus({ folded: { number: 2_100, time: NOW_S + 400 } })
  }
  expect((await young.get(PATH)).body.data.status).toBe('stands')
  expect(await never.get(PATH)).toMatchObject({ status: 404, body: { error: 'unknown_finding', hint: expect.stringContaining('300 s') } })
})

test('after slots slower than usual, withholds a finding that is a second too young and frees it then', async () => {
  const api = given({ at: NOW_S - 299 })
  api.view.setStatus({ folded: { number: 4_000, time: NOW_S } })
  expect((await api.get(PATH)).body.data).toMatchObject({ status: 'withheld', free_at: NOW_S + 1 })
  api.time.nowMs += 1_000
  api.view.setStatus({ folded: { number: 4_003, time: NOW_S + 1 } })
  expect((await api.get(PATH)).body.data.status).toBe('stands')
})

test.each(['x', '%00', 'solana:1040.1.0.0', `${ID}11111`, `${ID}:`, ID.replace('1040', '01040'), 'A'.repeat(300), `%2e%2e/${ID}`])(
  'a text that is no id is a 404 and reads nothing: %s',
  async (text) => {
    const api = given({})
    const { status, body } = await api.get(`/v1/evidence/${text}`)
    expect(status).toBe(404)
    expect(['unknown_finding', 'unknown_path']).toContain(body.error)
    expect(api.history.asked).toEqual([])
  },
)

test('is a 503 if only the history could know and does not respond, and while stores restore', async () => {
  const api = given()
  api.history.awayReason = 'the history store does not answer now'
  expect(await api.get(PATH)).toMatchObject({ status: 503, body: { ok: false, error: 'history_unavailable' } })
  api.history.awayReason = null
  api.view.setStatus({ ready: false })
  expect(await api.get(PATH)).toMatchObject({ status: 503, body: { ok: false, error: 'restoring' }, headers: { 'retry-after': '5' } })
})

test('with bundle=1 has the finding with its proof, or with the reason why there is none', async () => {
  const { body } = await given({}).get(`${PATH}?bundle=1`)
  expect(body.data).toMatchObject({ bundle: null, bundle_reason: expect.stringContaining('does not recompute findings') })
  expect((await given({}).get(`${PATH}?bundle=maybe`)).status).toBe(422)
})
