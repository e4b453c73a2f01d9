// `/v1/graduations/recent`: items, order, bounds, and the body of a 422.
import { GAP_CLEARED, GAP_MISSED } from '../../processors/mint/rows.ts'
import { toBase58 } from '../../schemas/keys.ts'
import type { MintState } from '../../schemas/types.ts'
import type { MigrationRecord } from '../../topology/ports/mint-view.ts'
import { labels } from '../shipped.ts'
import { base58, CREATOR, curveRow, key, launchRow, liveState, NOW_S, priorRow, stubRow } from '../unit/query-api/given-mint.ts'
import { pathsOf, unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

const PATH = '/v1/graduations/recent'
const migrationRecord = (n: number, ageS: number, change: Partial<MigrationRecord> = {}): MigrationRecord => ({
  mint: key(n),
  creator: CREATOR,
  id: `m${n}`,
  at: NOW_S - ageS,
  graduated: true,
  peakQuoteUnits: 85_000_000_000,
  quoteMint: null,
  pool: key(77),
  chain: 'solana',
  number: 1_000 + n,
  tx: 2,
  outer: 1,
  inner: 0,
  ...change,
})
const migrated = (change: Partial<MintState> = {}): MintState =>
  liveState({ launch: launchRow({ name: 'Co\u202ein' }), curve: curveRow({ migratedAt: NOW_S - 9, pool: key(77) }), ...change })
const given = (...agesS: readonly number[]) => {
  const api = harness()
  for (const [i, ageS] of agesS.entries()) {
    api.view.migrated(migrationRecord(i + 1, ageS))
    api.view.put(key(i + 1), migrated())
  }
  return api
}
const agesOf = (body: { data: { items: { migrate_t: number }[] } }): number[] => body.data.items.map(({ migrate_t: t }) => NOW_S - t)
const one = async (change: Partial<MigrationRecord>, state: MintState | null) => {
  const api = harness()
  api.view.migrated(migrationRecord(1, 100, change))
  if (state !== null) api.view.put(key(1), state)
  const { body } = await api.paid(PATH)
  expect(unexplainedNulls(body.data)).toEqual([])
  expect(pathsOf(body.data.items[0]).filter((path) => labels.fields.graduation[path] === undefined)).toEqual([])
  return body.data.items[0]
}

test('an item has the fields of the contract, and each is explained', async () => {
  const prior = priorRow()
  const item = await one({}, migrated({ prior }))
  expect(item).toEqual({
    mint: base58(1),
    name: 'Coin',
    symbol: 'COIN',
    creator: toBase58(CREATOR),
    creator_is_wallet: true,
    migrate_t: NOW_S - 100,
    graduated: true,
    curve: { peak_rs_sol: 85, pool: base58(77) },
    position: 'solana:1001.2.1.0',
    finality: 'finalized',
    holders: {
      n_holders: expect.any(Number),
      top5_share: expect.any(Number),
      bundle_share: expect.any(Number),
      insider_share: expect.any(Number),
      insider_share_reason: expect.stringMatching(/^pending: /),
    },
    creator_prior_at_launch: {
      n_launches: 3,
      n_resolved: 2,
      grad_rate: 0.5,
      rug_rate: 0.5,
      median_dev_sell_s: 40,
      is_first_time: false,
      observed_since: NOW_S - 9_000,
    },
    creator_prior_of: toBase58(CREATOR),
  })
})
test('holders are those of the card of the mint', async () => {
  const api = given(100)
  const item = (await api.paid(PATH)).body.data.items[0]
  const card = (await api.paid(`/v1/mint/${base58(1)}`)).body.data
  expect(card.coverage).toBe('full')
  expect(card.holders).toMatchObject(item.holders)
  expect(item.holders.n_holders).toBeGreaterThan(0)
})
test('marks a migration below 84 SOL, of another quote or over a gap as such', async () => {
  expect(await one({ graduated: false, peakQuoteUnits: 1_000_000_000 }, migrated())).toMatchObject({
    graduated: false,
    curve: { peak_rs_sol: 1 },
  })
  expect(await one({ graduated: null, quoteMint: key(9) }, migrated())).toMatchObject({
    graduated: null,
    graduated_reason: expect.stringContaining('not paired with SOL'),
    curve: { peak_rs_sol: null },
  })
  expect(await one({ graduated: null }, migrated())).toMatchObject({ graduated_reason: expect.stringContaining('trades may be missing') })
})
test('forgotten values are null with the reason, the migration stays', async () => {
  const stub = stubRow()
  for (const state of [null, migrated({ launch: null, curve: null, stub })])
    expect(await one({}, state)).toMatchObject({
      name: null,
      holders: null,
      holders_reason: expect.stringContaining('evicted'),
      creator_prior_at_launch: null,
      graduated: true,
      creator: toBase58(CREATOR),
    })
})
test('shows holders of a silent mint; hides them after a gap', async () => {
  const curve = (change: Parameters<typeof curveRow>[0]) =>
    migrated({ curve: curveRow({ migratedAt: NOW_S - 9, pool: key(77), ...change }) })
  expect((await one({}, curve({ lastAt: NOW_S - 20_000 }))).holders.n_holders).toBeGreaterThan(0)
  const over = { gapFrom: 1, gapNumber: 2 }
  expect(await one({}, curve({ ...over, gapTrades: GAP_MISSED }))).toMatchObject({
    holders: null,
    holders_reason: expect.stringMatching(/^gap: /),
  })
  expect((await one({}, curve({ ...over, gapTrades: GAP_CLEARED }))).holders).toMatchObject({ n_holders: null, top5_share: null })
})
test('is newest first; within a second, the later position comes first', async () => {
  const { body } = await given(500, 100, 300, 300).paid(PATH)
  expect(body.data.items.map(({ mint }: { mint: string }) => mint)).toEqual([2, 4, 3, 1].map(base58))
  expect([body.coverage, body.meta.price_usd]).toEqual(['full', 0.02])
})
test.each([
  ['', [60, 21_600]],
  ['?window_s=60', [60]],
  ['?window_s=86400', [60, 21_600, 21_601, 86_400]],
  ['?window_s=86400&limit=2', [60, 21_600]],
])('%s gives migrations of %j s', async (query, ages) => {
  expect(agesOf((await given(60, 21_600, 21_601, 86_400, 86_401).paid(PATH + query)).body)).toEqual(ages)
})
test('gives 50 by default, 100 at most', async () => {
  const api = given(...Array.from({ length: 120 }, (_, n) => 100 + n))
  expect((await api.paid(PATH)).body.data.count).toBe(50)
  expect((await api.paid(`${PATH}?limit=100`)).body.data.count).toBe(100)
})
test.each([
  ['limit=0', 'limit', 'greater_than_equal'],
  ['limit=101', 'limit', 'less_than_equal'],
  ['limit=1.5', 'limit', 'int_parsing'],
  ['window_s=59.9', 'window_s', 'greater_than_equal'],
  ['window_s=86401', 'window_s', 'less_than_equal'],
  ['window_s=', 'window_s', 'float_parsing'],
  ['window_s=60&window_s=70', 'window_s', 'multiple_values'],
])('%s is a 422 before payment', async (query, name, type) => {
  const api = given(100)
  const { status, body } = await api.paid(`${PATH}?${query}`)
  expect(status).toBe(422)
  expect(body.detail).toEqual([expect.objectContaining({ type, loc: ['query', name] })])
  expect(api.gate.calls).toEqual([])
})
test('a gap within the window makes the list thin, with its range; one before it does not', async () => {
  const api = given(100)
  api.view.setStatus({ gap: { from: 10, to: 20, until: NOW_S - 21_600 } })
  const { body } = await api.paid(PATH)
  expect([body.coverage, body.data.coverage_range]).toEqual(['thin', { from_slot: 10, to_slot: 20 }])
  expect(body.data.coverage_reason).toContain('migrations in them are missing')
  api.view.setStatus({ gap: { from: 10, to: 20, until: NOW_S - 21_601 } })
  expect((await api.paid(PATH)).body.coverage).toBe('full')
})
