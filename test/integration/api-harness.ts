// The whole app over a map view, a set clock and a gate that records; what tests of the API share.
import supertest from 'supertest'
import type { Finality } from '../../query-api/answers/finality-text.ts'
import { createApp } from '../../query-api/app.ts'
import type { AccountReader } from '../../topology/ports/accounts.ts'
import type { History } from '../../topology/ports/history.ts'
import { MapRecords } from '../fakes/map-records.ts'
import { MapView } from '../fakes/map-view.ts'
import { RecordingGate } from '../fakes/recording-gate.ts'
import { NOW_S } from '../unit/query-api/given-mint.ts'

export interface LogLine {
  readonly level: 'warn' | 'error'
  readonly facts: object
  readonly sentence: string
}

export interface Harness {
  readonly view: MapView
  readonly records: MapRecords
  readonly gate: RecordingGate
  readonly log: LogLine[]
  readonly app: ReturnType<typeof createApp>
  /** Unix milliseconds of both clocks. */
  readonly time: { nowMs: number }
  /** GET with a payment that the gate takes. */
  paid(path: string): supertest.Test
  /** GET without payment. */
  get(path: string): supertest.Test
  head(path: string): supertest.Test
  post(path: string): supertest.Test
}

interface Changes {
  readonly accounts?: AccountReader
  readonly history?: History
  readonly mode?: 'sandbox' | 'off'
  readonly source?: string
  readonly sandbox?: boolean
  readonly priceFactor?: number
  readonly finalityOf?: (slot: number) => Finality
}

export const harness = ({
  mode = 'sandbox',
  source = 'test',
  sandbox = false,
  priceFactor = 1,
  finalityOf,
  history,
  accounts,
}: Changes = {}): Harness => {
  const view = new MapView()
  const records = new MapRecords()
  view.say({ folded: { number: 1_100, time: NOW_S }, tip: { number: 1_100, time: NOW_S } })
  const gate = new RecordingGate(mode)
  const log: LogLine[] = []
  const time = { nowMs: NOW_S * 1000 }
  const app = createApp({
    view,
    records,
    ...(history && { history }),
    ...(accounts && { accounts }),
    clock: { now: () => time.nowMs },
    wallClock: { now: () => time.nowMs },
    gate,
    baseUrl: 'http://127.0.0.1:8402',
    source,
    sandbox,
    version: '0.1.0',
    logger: {
      warn: (facts, sentence) => log.push({ level: 'warn', facts, sentence }),
      error: (facts, sentence) => log.push({ level: 'error', facts, sentence }),
    },
    priceFactor,
    finalityOf: finalityOf ?? (() => 'finalized'),
  })
  const agent = supertest(app.callback())
  return {
    view,
    records,
    gate,
    log,
    app,
    time,
    paid: (path) => agent.get(path).set('payment-signature', 'paid'),
    get: (path) => agent.get(path),
    head: (path) => agent.head(path),
    post: (path) => agent.post(path),
  }
}
