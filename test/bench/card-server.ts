// The server of the card benches: the API on a restored view, without a running source. Payments are off unless a gate is given.

import { solana } from '../../processors/chains/solana/chain.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { createApp } from '../../query-api/app/app.ts'
import { type Serving, serve } from '../../query-api/http/server.ts'
import type { PaymentGate } from '../../query-api/payment/gate.ts'
import { offGate } from '../../query-api/payment/off-gate.ts'
import { toBase58 } from '../../schemas/keys.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { noCurves } from '../fakes/map-curves.ts'
import { fakeOdds } from '../fakes/odds.ts'
import { appendTape, foldToEnd } from '../live.ts'
import { DEFAULT_SHAPE, syntheticTape } from './synthetic-tape.ts'

const EVENTS = 50_000
/** Enough connections to keep one core of the server busy. */
export const CONNECTIONS = 32

/** Folds a tape, restores a view from its log and serves it. */
export const serveCards = async (gate?: PaymentGate): Promise<CardServer> => {
  const log = createMemoryLog({ partitions: 4 })
  await appendTape(log, [...syntheticTape({ ...DEFAULT_SHAPE, events: EVENTS })])
  await foldToEnd(log, DEFAULT_LIMITS)
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  return serveView(view, gate)
}

/** The server and the card to request. */
export interface CardServer {
  readonly serving: Serving
  readonly url: string
  readonly mints: number
  readonly holders: number
}

/** Serves a view; its clock is the newest tick. `url` is the card of the newest mint with at least 15 holders. */
export const serveView = async (view: LogMintView, gate: PaymentGate = offGate()): Promise<CardServer> => {
  const clock = { now: () => (view.status().folded?.time ?? 0) * 1_000 }
  const logger = { info: () => {}, warn: () => {}, error: () => {} }
  const baseUrl = 'http://127.0.0.1'
  const texts = { source: 'synthetic tape', version: 'bench', baseUrl }
  const app = createApp({
    curves: noCurves(),
    chain: solana,
    detectors,
    view,
    records: view.records,
    ...fakeOdds(),
    clock,
    wallClock: { now: Date.now },
    gate,
    ...texts,
    sandbox: false,
    priceFactor: 1,
    cursorKeys: [Buffer.alloc(32, 1)],
    logger,
    finalityOf: () => 'finalized',
  })
  const serving = await serve(app, { host: '127.0.0.1', port: 0 })
  const [newest] = [...view.launchesSince(0)].filter(({ state }) => state.holders.length >= 15)
  if (newest === undefined) throw new Error('the tape has no mint with holders')
  return {
    serving,
    url: `${serving.url}/v1/mint/${toBase58(newest.mint)}`,
    mints: view.status().tracked,
    holders: newest.state.holders.length,
  }
}
