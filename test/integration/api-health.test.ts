// `/health`: how far each part is behind, in figures and text.

import { SetHistory } from '../fakes/set-history.ts'
import { AFTER } from '../fixtures/curve-market.ts'
import { BLOCK0 } from '../unit/processors/curve/launchpad.ts'
import { key, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const NOT_REPORTED = expect.stringContaining('the source does not report it')
const notMeasured = (reason: string) => ({ p50: null, p50_reason: reason, p99: null, p99_reason: reason, n_frames: 0 })

describe('/health', () => {
  test('has the shape of the contract', async () => {
    const api = harness()
    api.view.put(key(1), liveState())
    api.view.setStatus({ tip: { number: 1_101, time: NOW_S } })
    api.time.nowMs += 2_500
    const { status, body } = await api.get('/health')
    expect(status).toBe(200)
    expect(body).toEqual({
      ok: true,
      t: NOW_S + 2.5,
      uptime_s: 2,
      sources: [
        {
          chain: 'solana',
          tip: 1_101,
          folded: 1_100,
          feed_lag_s: 2.5,
          chain_lag_s: 2.5,
          slots_behind: 1,
          finality: 'finalized',
          confirmed: null,
          confirmed_reason: NOT_REPORTED,
          finalized: null,
          finalized_reason: NOT_REPORTED,
        },
        expect.objectContaining({ chain: 'alt', folded: BLOCK0 + AFTER }),
      ],
      mints_tracked: 1,
      curves_tracked: 3,
      counters: { frames: 0, events: 0, flags: 0, dead_letters: 0, missing_events: 0, gaps: 0, forks: 0 },
      detection_ms: {
        ...notMeasured('no frame was measured'),
        from_block_time: notMeasured('no frame was measured'),
      },
      views: [{ view: 'mint.changelog', records_behind: 0 }],
      views_behind_ms: 0,
      history: null,
      history_reason: expect.any(String),
      new_layouts: [],
      version: '0.1.0',
      degraded: [],
    })
  })
  test('names a node without inner calls, and events that the launchpad has extended', async () => {
    const api = harness()
    api.view.setStatus({ unseen: { isBlind: false, areCalls: true }, newLayouts: [['pump.TradeEvent', 8, 1_090]] })
    const { body } = await api.get('/health')
    expect(body.degraded).toEqual([expect.stringMatching(/^calls_unseen: .* transfers and funding inside calls are unseen$/)])
    expect(body.new_layouts).toEqual([{ event: 'pump.TradeEvent', unknown_bytes: 8, first_slot: 1_090 }])
    expect((await api.get('/ready')).status).toBe(200)
  })
  test('while the node leaves out events it is degraded, and nothing is ready or sold', async () => {
    const api = harness()
    api.view.setStatus({ unseen: { isBlind: true, areCalls: false } })
    expect((await api.get('/health')).body.degraded).toEqual([expect.stringMatching(/^node_blind: /)])
    expect([(await api.get('/ready')).status, (await api.get('/v1/launches/recent')).status]).toEqual([503, 503])
  })
  test('names what is wrong and still answers 200', async () => {
    const api = harness()
    api.view.setStatus({ tip: { number: 1_200, time: NOW_S + 40 }, gap: { from: 5, to: 9, until: NOW_S - 20_000 } })
    api.time.nowMs += 40_000
    const { status, body } = await api.get('/health')
    expect(status).toBe(200)
    expect(body.degraded.map((reason: string) => reason.split(':')[0])).toEqual(['stale', 'tape_behind', 'gap'])
  })
  test('before the first frame it is degraded, with nulls', async () => {
    const api = harness()
    api.view.setStatus({ folded: null, tip: null })
    const { status, body } = await api.get('/health')
    expect(status).toBe(200)
    expect(body.sources[0]).toMatchObject({
      chain: 'solana',
      tip: null,
      folded: null,
      feed_lag_s: null,
      chain_lag_s: null,
      slots_behind: null,
      finality: null,
      confirmed: null,
      finalized: null,
    })
    expect(body.degraded).toEqual(['no_frames: no frame was applied yet'])
  })
  test('gives the confirmed height, and how often the chain rolled slots back', async () => {
    const api = harness()
    api.view.sure({ confirmed: 1_099, finalized: -1 })
    api.view.setStatus({ counters: { frames: 9, events: 0, flags: 0, dead_letters: 0, missing_events: 0, gaps: 0, forks: 2 } })
    const { body } = await api.get('/health')
    expect(body.sources[0]).toMatchObject({ folded: 1_100, finality: 'processed', confirmed: 1_099, finalized: null })
    expect(body.counters.forks).toBe(2)
  })
  test('gives how long frames took until they could be queried', async () => {
    const api = harness()
    api.view.measured = {
      fromArrival: { ok: true, p50Ms: 41, p99Ms: 97, frames: 800 },
      fromBlock: { ok: false, reason: 'stream time runs at 2 times the wall clock' },
    }
    const { body } = await api.get('/health')
    expect(body.detection_ms).toEqual({
      p50: 41,
      p99: 97,
      n_frames: 800,
      from_block_time: notMeasured('stream time runs at 2 times the wall clock'),
    })
  })
  test('names views that are too far behind', async () => {
    const api = harness()
    const views = [
      { view: 'mint.changelog', recordsBehind: 20_001 },
      { view: 'flags', recordsBehind: 20_000 },
    ]
    api.view.behind = { views, streamMsBehind: 6_000 }
    const { body } = await api.get('/health')
    expect(body.views).toEqual([
      { view: 'mint.changelog', records_behind: 20_001 },
      { view: 'flags', records_behind: 20_000 },
    ])
    expect(body.views_behind_ms).toBe(6_000)
    expect(body.degraded).toEqual([
      'view_behind: 20001 records of mint.changelog are not read yet, the limit is 20000',
      'view_behind: answers are 6 s behind the newest applied frame, the limit is 5 s',
    ])
    api.view.behind = { views, streamMsBehind: null }
    expect((await api.get('/health')).body).toMatchObject({ views_behind_ms: null, views_behind_ms_reason: expect.any(String) })
  })
  test('gives the position of the history, and whether it is too far behind or unavailable', async () => {
    const history = new SetHistory()
    const api = harness({ history })
    expect((await api.get('/health')).body.history).toMatchObject({
      ok: true,
      up_to: null,
      behind_ms: null,
      behind_ms_reason: expect.any(String),
    })
    history.sink = { rows: 12, upTo: NOW_S - 120, trouble: null }
    expect((await api.get('/health')).body).toMatchObject({ history: { ok: true, behind_ms: 120_000 }, degraded: [] })
    history.sink = { rows: 12, upTo: NOW_S - 121, trouble: 'connect ECONNREFUSED 10.1.2.3:8123' }
    const { body } = await api.get('/health')
    expect(body.history).toEqual({ ok: false, rows_written: 12, up_to: NOW_S - 121, behind_ms: 121_000 })
    expect(body.degraded.map((reason: string) => reason.split(':')[0])).toEqual(['history', 'history_behind'])
    expect(JSON.stringify(body)).not.toContain('10.1.2.3')
  })
  test('is not ok while the history is too busy for some queries, or down', async () => {
    const history = new SetHistory()
    const api = harness({ history })
    history.store = 'busy'
    expect((await api.get('/health')).body).toMatchObject({
      history: { ok: false },
      degraded: [expect.stringMatching(/^history_busy: .*did not answer every query/)],
    })
    history.store = 'down'
    expect((await api.get('/health')).body).toMatchObject({ history: { ok: false }, degraded: [expect.stringMatching(/^history: /)] })
  })
  test('while stores restore it is a 503', async () => {
    const api = harness()
    api.view.setStatus({ ready: false })
    const { status, body } = await api.get('/health')
    expect(status).toBe(503)
    expect(body.ok).toBe(false)
    expect(body.degraded[0]).toMatch(/^restoring:/)
  })
})
