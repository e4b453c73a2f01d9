// The free routes `/` and `/v1/labels`; the labels explain every field that is served.
import { detectors } from '../../processors/mint/detectors/index.ts'
import { GAP_CLEARED, ROLE_CREATE_TX } from '../../processors/mint/rows.ts'
import { questions } from '../../query-api/app/list/questions.ts'
import type { MintState } from '../../schemas/types.ts'
import { labels } from '../shipped.ts'
import {
  base58,
  curveRow,
  flagRow,
  holderRow,
  key,
  launchRow,
  liveState,
  NOW_S,
  outcomeRow,
  poolRow,
  stubRow,
} from '../unit/query-api/given-mint.ts'
import { pathsOf } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

describe('/', () => {
  test('lists every question with price, parameters and bounds', async () => {
    const { status, body } = await harness().get('/')
    expect(status).toBe(200)
    expect(body.data.questions.map(({ path }: { path: string }) => path)).toEqual(questions.map(({ path }) => path))
    const launches = body.data.questions[1]
    expect(launches).toMatchObject({ price_usd: 0.01, mcp_tool: 'recent_launches', max_feed_lag_s: 30 })
    expect(launches.params).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      max_age_s: { type: 'number', minimum: 30, maximum: 21_600, default: 3_600 },
      exclude_mayhem: { type: 'boolean', default: true },
      min_rs: { type: 'number', minimum: 0, default: 0 },
      only_alive: { type: 'boolean', default: false },
    })
    expect(body.meta.price_usd).toBe(0)
  })
  test('multiplies prices by the factor, never below one micro-USDC', async () => {
    const { body } = await harness({ priceFactor: 0.00001 }).get('/')
    expect(body.data.questions.map(({ price_usd }: { price_usd: number }) => price_usd)).toEqual(
      questions.map(({ priceMicroUsdc }) => (priceMicroUsdc > 0 ? 0.000001 : 0)),
    )
  })
})

describe('/v1/labels', () => {
  const insider = holderRow(key(212), 5_000_000_000_000, { roles: ROLE_CREATE_TX })
  const live = liveState()
  const changes = [{ n: 0, creator: key(3), kind: 'set_creator', number: 1_010, tx: 0, outer: 0, inner: 0, at: NOW_S - 50 }]
  const outcome = outcomeRow()
  const states: MintState[] = [
    liveState({ holders: [...live.holders, insider], flags: [flagRow('creator_sold')], changes, outcome }),
    liveState({ curve: curveRow({ migratedAt: NOW_S - 5, pool: key(77), gapTrades: GAP_CLEARED, gapFrom: 1, gapNumber: 2 }) }),
    liveState({ outcome, curve: curveRow({ lastAt: NOW_S - 8_000 }), flags: [flagRow('creator_sold')] }),
    liveState({ launch: null }),
    liveState({ launch: launchRow({ placed: false }) }),
    liveState({
      launch: null,
      curve: null,
      stub: stubRow({ flags: 'creator_sold' }),
    }),
  ]

  test('is served as data, in the envelope', async () => {
    const { status, body } = await harness().get('/v1/labels')
    expect(status).toBe(200)
    const added = { limits: expect.any(Object), how_to_read: expect.stringContaining('as NAME'), fields: expect.any(Object) }
    expect(body.data).toEqual({ ...JSON.parse(JSON.stringify(labels)), ...added })
  })
  test('explain every field of every kind of card', async () => {
    const api = harness()
    states.forEach((state, index) => {
      api.view.put(key(index + 1), state)
    })
    api.view.setStatus({ gap: { from: 1, to: 2, until: 0 } })
    for (const byte of [...states.keys(), 99].map((index) => index + 1)) {
      const { body } = await api.paid(`/v1/mint/${base58(byte)}`)
      expect(unknown(body.data, labels.fields.mint)).toEqual([])
    }
  })
  test('explain every field of launches, envelope and health', async () => {
    const api = harness({ sandbox: true })
    for (const [index, state] of states.entries()) api.view.put(key(index + 1), state)
    const { body } = await api.paid('/v1/launches/recent')
    expect(body.data.count).toBe(4)
    for (const item of body.data.items) expect(unknown(item, labels.fields.launch)).toEqual([])
    expect(unknown({ ...body, data: 1, meta: { ...body.meta, next: 1 } }, labels.fields.envelope)).toEqual([])
    expect(unknown((await api.get('/health')).body, labels.fields.health)).toEqual([])
  })
  test('explain every field of the checks, of the watch and of coverage', async () => {
    const api = harness()
    api.view.put(key(1), liveState({ flags: [flagRow('creator_sold')] }))
    api.view.put(key(2), liveState({ curve: curveRow({ quoteMint: key(90), lastTradeAt: 0 }) }))
    const mints = `mints=${base58(1)},${base58(2)}`
    const { body } = await api.paid(`/v1/check/watchlist?${mints}`)
    const evidence = (path: string): boolean => !path.startsWith('items[].findings[].evidence.')
    expect(unknown(body.data, labels.fields.check).filter(evidence)).toEqual([])
    const again = await api.get(`/v1/check/watchlist?${mints}&cursor=${body.data.cursor}`)
    expect(unknown(again.body.data, labels.fields.check)).toEqual([])
    expect(unknown((await api.get(`/v1/check/watch?${mints}`)).body.data, labels.fields.watch)).toEqual([])
    expect(unknown((await api.get(`/v1/check/coverage?${mints}`)).body.data, labels.fields.coverage)).toEqual([])
  })
  test('name each status, label, confidence and flag once, in the order in which they are tested', () => {
    expect(Object.keys(labels.status)).toHaveLength(8)
    expect(labels.risk_label.first_that_holds).toEqual(['unknown', 'rug_flagged', 'mayhem', 'concentrated', 'stalled', 'active'])
    expect(Object.keys(labels.confidence.values)).toEqual(['high', 'medium', 'low'])
    expect(Object.keys(labels.coverage)).toEqual(['full', 'thin'])
    const looked = Object.entries(labels.rug_flags).filter(([, { detected }]) => detected)
    expect(looked.map(([flag]) => flag).sort()).toEqual([...detectors.flags].sort())
  })
  test('state that a flag is checked exactly where the card has no null', async () => {
    const api = harness()
    api.view.put(key(1), liveState())
    const { body } = await api.paid(`/v1/mint/${base58(1)}`)
    for (const [flag, { detected }] of Object.entries(labels.rug_flags))
      expect([flag, body.data.flags[flag] !== null]).toEqual([flag, detected])
  })
  test('name the evidence of each detector, all of it', () => {
    const open = {
      devFirstSellAt: NOW_S - 9,
      devFirstSellUnits: 5,
      bundleBoughtUnits: 10,
      bundleSoldUnits: 6,
      peakQuoteUnits: 10_000_000_000,
      realQuoteUnits: 1_000_000_000,
    }
    const pool = poolRow({ openingQuoteUnits: 100, quoteUnits: 20 })
    const position = { chain: 'solana' as const, number: 1_050, tx: 0, outer: 0, inner: 0 }
    const ended = curveRow({ ...open, completeAt: NOW_S, migratedAt: NOW_S, pool: pool.pool })
    const fired = detectors.published.flatMap(({ flag, find, settings, evidence: fields }) => {
      const curve = flag === 'curve_drained' ? curveRow(open) : ended
      const evidence = find({ launch: launchRow(), curve, pool, position }, settings)
      return evidence === undefined ? [] : [{ flag, evidence, fields }]
    })
    expect(fired.length).toBeGreaterThanOrEqual(6)
    for (const { flag, evidence, fields } of fired) {
      const always = Object.entries(fields).flatMap(([field, { isOptional }]) => (isOptional ? [] : [field]))
      expect([flag, Object.keys(evidence).sort()]).toEqual([flag, always.sort()])
      expect([flag, Object.keys(labels.rug_flags[flag]?.evidence ?? {})]).toEqual([flag, Object.keys(fields)])
    }
  })
  test('take their numbers from the code', () => {
    expect(labels.risk_label.values.concentrated).toBe('top5_share >= 0.5, or bundle_share >= 0.25, or insider_share >= 0.2')
    expect(labels.status.migrated_graduated).toContain('84 SOL')
    expect(labels.fields.mint['curve.progress']).toContain('/ 85')
  })
})

/** Paths of `value` that the labels do not explain; without fields of evidence, which each detector explains. */
const unknown = (value: unknown, known: Readonly<Record<string, string>>): string[] =>
  pathsOf(value).filter((path) => known[path] === undefined && !path.startsWith('rug_flags[].evidence.') && !isList(path, known))
const isList = (path: string, known: Readonly<Record<string, string>>): boolean =>
  known[path.replace(/\[\]$/, '')] !== undefined || known[`${path}[]`] !== undefined
