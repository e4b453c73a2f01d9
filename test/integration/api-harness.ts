// The whole app over a map view, a set clock and a recording gate; shared by tests of the API. Every answer is checked against its schema.

import supertest from 'supertest'
import { solana } from '../../processors/chains/solana/chain.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import type { AlertContext } from '../../query-api/alerts/context.ts'
import type { FinalityLevel } from '../../query-api/answers/cards/finality-text.ts'
import { type AppDeps, createApp } from '../../query-api/app/app.ts'
import type { PaymentGate } from '../../query-api/payment/gate.ts'
import type { AccountReader } from '../../topology/ports/accounts.ts'
import type { History } from '../../topology/ports/history.ts'
import type { OddsModels } from '../../topology/ports/odds-models.ts'
import { alertShop } from '../fakes/alert-shop.ts'
import { curvesOf, MapCurves } from '../fakes/map-curves.ts'
import { MapRecords } from '../fakes/map-records.ts'
import { MapView } from '../fakes/map-view.ts'
import { FakeOdds, fakeOdds } from '../fakes/odds.ts'
import { RecordingGate } from '../fakes/recording-gate.ts'
import { fillCurves, NOW_CURVES_S } from '../fixtures/curve-market.ts'
import { publishedShapes } from '../tools/shapes/guard.ts'
import { NOW_S } from '../unit/query-api/given-mint.ts'

interface LogLine {
  readonly level: 'warn' | 'error'
  readonly facts: object
  readonly sentence: string
}

export interface Harness {
  readonly view: MapView
  /** Filled with the curves of `fixtures/curve-market.ts`. */
  readonly curves: MapCurves
  readonly records: MapRecords
  /** Shows both heads; no mint has odds. */
  readonly odds: FakeOdds
  readonly gate: RecordingGate
  /** Warnings and errors. */
  readonly log: LogLine[]
  /** Fields of the access log's lines. */
  readonly requests: object[]
  readonly app: ReturnType<typeof createApp>
  /** Unix milliseconds: `nowMs` of the wall clock and of the clock of mint cards, `curvesMs` of the clock of curve cards.
   * While `isStreamKnown` is false, neither clock of cards is known. */
  readonly time: { nowMs: number; curvesMs: number; isStreamKnown: boolean }
  /** GET with a payment that the gate accepts. */
  paid(path: string): supertest.Test
  /** GET without payment. */
  get(path: string): supertest.Test
  head(path: string): supertest.Test
  post(path: string): supertest.Test
  options(path: string): supertest.Test
}

export interface Changes {
  readonly accounts?: AccountReader
  readonly history?: History
  readonly oddsModels?: OddsModels
  readonly mode?: 'sandbox' | 'off'
  readonly baseUrl?: string
  readonly contact?: string
  readonly source?: string
  readonly sandbox?: boolean
  readonly priceFactor?: number
  readonly cursorKeys?: readonly Uint8Array[]
  /** Changes of the alerts, for one their store. */
  readonly alerts?: Partial<AlertContext>
  /** A real gate; its calls are then not recorded. */
  readonly till?: PaymentGate
  readonly finalityOf?: (slot: number) => FinalityLevel
  /** Rate limits, proxies, observer and shutdown. */
  readonly around?: Partial<Pick<AppDeps, 'rates' | 'proxies' | 'observer' | 'closing' | 'stopping' | 'buyCommand'>>
}

export const harness = ({
  mode = 'sandbox',
  baseUrl = 'http://127.0.0.1:8402',
  contact,
  source = 'test',
  sandbox = false,
  priceFactor = 1,
  cursorKeys = [Buffer.from('a key of tests, of no secret at all')],
  finalityOf,
  history,
  oddsModels,
  accounts,
  around = {},
  till,
  alerts,
}: Changes = {}): Harness => {
  const view = new MapView()
  const curves = new MapCurves()
  fillCurves(curves)
  const records = new MapRecords()
  const odds = new FakeOdds()
  view.setStatus({ folded: { number: 1_100, time: NOW_S }, tip: { number: 1_100, time: NOW_S } })
  const gate = new RecordingGate(mode)
  const log: LogLine[] = []
  const requests: object[] = []
  const time = { nowMs: NOW_S * 1000, curvesMs: NOW_CURVES_S * 1000, isStreamKnown: true }
  const clock = { now: () => (time.isStreamKnown ? time.nowMs : null) }
  const wallClock = { now: () => time.nowMs }
  const rules = { allowsLoopback: sandbox }
  const app = createApp({
    alerts: alertShop({ ...{ view, clock, wallClock, odds, feed: odds, rules }, ...alerts }),
    curves: curvesOf(curves, { now: () => (time.isStreamKnown ? time.curvesMs : null) }),
    chain: solana,
    detectors,
    view,
    records,
    ...fakeOdds(odds),
    ...(history && { history }),
    ...(oddsModels && { oddsModels }),
    ...(accounts && { accounts }),
    ...{ clock, wallClock },
    gate: till ?? gate,
    baseUrl,
    ...(contact !== undefined && { contact }),
    source,
    sandbox,
    version: '0.1.0',
    logger: {
      info: (facts) => requests.push(facts),
      warn: (facts, sentence) => log.push({ level: 'warn', facts, sentence }),
      error: (facts, sentence) => log.push({ level: 'error', facts, sentence }),
    },
    priceFactor,
    cursorKeys,
    ...around,
    finalityOf: finalityOf ?? (() => 'finalized'),
  })
  app.middleware.unshift(publishedShapes)
  const agent = supertest.agent(app.callback()).set('Accept-Encoding', 'identity')
  return {
    view,
    curves,
    records,
    odds,
    gate,
    log,
    requests,
    app,
    time,
    paid: (path) => agent.get(path).set('payment-signature', 'paid'),
    get: (path) => agent.get(path),
    head: (path) => agent.head(path),
    post: (path) => agent.post(path),
    options: (path) => agent.options(path),
  }
}
