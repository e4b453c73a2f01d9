// A mint that the stores no longer have: its card has what history keeps, and states failures of the history.
import type { Settlement } from '../../processors/mint/card/history.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { labels } from '../shipped.ts'
import { base58, curveRow, key, liveState, NOW_S, stubRow } from '../unit/query-api/given-mint.ts'
import { pathsOf, unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

const SETTLEMENT: Settlement = {
  mint: key(9),
  creator: key(3),
  t0: NOW_S - 900_000,
  slot0: 400_000_000,
  settledAt: NOW_S - 890_000,
  settledBy: 'quiet',
  graduated: false,
  rugged: true,
  rugKind: 'drain',
  rugDtS: 60,
  quoteMint: null,
  peakQuoteUnits: 7_000_000_000,
  terminalQuoteUnits: 1_000_000_000,
  devFirstSellDtS: 12,
  devBuyQuoteUnits: 500_000_000,
  trades: 40,
  buyers: 20,
  mayhem: false,
  selfGraduated: false,
  censored: null,
  reopenedAt: undefined,
}
/** The wallet that called create is not the creator that it named. */
const LAUNCH = { name: 'Coi\u202en', symbol: 'COIN', user: key(4) }
const PATH = `/v1/mint/${base58(9)}`

test('the thin card has the settled record and the flags that fired', async () => {
  const history = new SetHistory()
  history.launches.set(key(9), { settlement: SETTLEMENT, flags: ['creator_sold', 'curve_drained'], launch: LAUNCH })
  const { data, coverage } = (await harness({ history }).paid(PATH)).body
  expect([coverage, data.status, data.risk_label]).toEqual(['thin', 'historical', 'unknown'])
  expect(data).toMatchObject({
    name: 'Coin',
    symbol: 'COIN',
    creator: base58(3),
    created_at: SETTLEMENT.t0,
    age_s: 900_000,
    next: { creator: `/v1/creator/${base58(4)}` },
  })
  expect(data.history).toMatchObject({
    mint: base58(9),
    creator: base58(3),
    rugged: true,
    rug_kind: 'drain',
    peak_rs: 7,
    reached_5_sol: true,
  })
  expect(data.flags_fired).toEqual(['creator_sold', 'curve_drained'])
  expect(unexplainedNulls(data)).toEqual([])
  const known = new Set(Object.keys(labels.fields.mint))
  expect(pathsOf(data).filter((path) => !known.has(path) && !known.has(path.replace(/\[\]$/, '')))).toEqual([])
})
test('a mint that history lacks too is not observed; while history is unavailable, the card gives that as the reason', async () => {
  const history = new SetHistory()
  const { data } = (await harness({ history }).paid(PATH)).body
  expect([data.status, data.history]).toEqual(['not_observed', null])
  history.awayReason = 'the history store does not answer now'
  const away = (await harness({ history }).paid(PATH)).body.data
  expect([away.history, away.history_reason]).toEqual([null, 'the history store does not answer now'])
})
test.each(['get', 'paid'] as const)('while the history is busy the card is refused before payment (%s)', async (ask) => {
  const history = new SetHistory()
  const api = harness({ history })
  ;[history.awayReason, history.isBusy] = ['the history store is busy', true]
  const { status, body, headers } = await api[ask](PATH)
  expect([status, body.error, body.charged, headers['retry-after']]).toEqual([503, 'history_unavailable', false, '5'])
  expect(api.gate.calls.every(({ kind }) => kind === 'let go')).toBe(true)
})
test('while the history is busy a card that needs nothing of it is sold', async () => {
  const history = new SetHistory()
  const api = harness({ history })
  api.view.put(key(9), liveState())
  ;[history.awayReason, history.isBusy] = ['the history store is busy', true]
  expect((await api.paid(PATH)).status).toBe(200)
})
test('a card that finds the history busy only when it is made is not charged', async () => {
  const history = new SetHistory()
  const api = harness({ history })
  const asked: string[] = []
  history.settled = async (_mint, kind): ReturnType<SetHistory['settled']> => {
    asked.push(kind)
    return kind === 'quote' ? { ok: true, value: null } : { ok: false, reason: 'the history store is busy', isBusy: true }
  }
  const { status, body } = await api.paid(PATH)
  expect([status, body.error, body.charged, asked.at(-1)]).toEqual([503, 'history_unavailable', false, 'paid'])
  expect(api.gate.calls).not.toContainEqual(expect.objectContaining({ kind: 'settled' }))
})
test('a forgotten mint that trades again has a card with its record, or else with every possible cause', async () => {
  const history = new SetHistory()
  const api = harness({ history })
  api.view.put(key(9), liveState({ launch: null }))
  const card = async () => (await api.paid(PATH)).body.data
  expect((await card()).coverage_reason).toBe(
    'its launch is not stored: capture began later, the launch is in a gap, or its rows were removed after a long silence',
  )
  history.launches.set(key(9), { settlement: SETTLEMENT, flags: ['curve_drained'], launch: null })
  expect(await card()).toMatchObject({
    coverage_reason: 'forgotten: its rows are no longer held; its conclusions are kept',
    status: 'historical',
    creator: base58(3),
    next: { creator: `/v1/creator/${base58(3)}` },
    history: { mint: base58(9), rugged: true },
    flags_fired: ['curve_drained'],
    last_seen: expect.anything(),
  })
})
test.each([
  ['whose launch is stored, also across a gap', liveState({ curve: curveRow({ gapTrades: 3, gapFrom: 5, gapNumber: 9 }) }), []],
  ['of which a stub is stored', liveState({ launch: null, curve: null, holders: [], flows: [], stub: stubRow() }), []],
  ['of which neither is stored', liveState({ launch: null }), ['settled']],
])('the card of a mint %s reads from history only what the rows lack', async (_, state, asked) => {
  const history = new SetHistory()
  const api = harness({ history })
  api.view.put(key(9), state)
  expect((await api.paid(PATH)).body.coverage).toBe('thin')
  expect([...new Set(history.asked.filter((what) => what === 'settled'))]).toEqual(asked)
})
