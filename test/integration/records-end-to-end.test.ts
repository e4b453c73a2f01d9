// Ten minutes of the demo through folds, view and API: graduations, creators and their payers match the market.

import supertest from 'supertest'
import { solana } from '../../processors/chains/solana/chain.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { createApp } from '../../query-api/app/app.ts'
import { offGate } from '../../query-api/payment/off-gate.ts'
import type { InLong } from '../../schemas/amount.ts'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import { hash8Of } from '../../schemas/position.ts'
import type { TapeBatch, TapeEvent } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { frameCountsOf, frameHead, tapeEventsOf } from '../../topology/simulator/solana/bytes.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { noCurves } from '../fakes/map-curves.ts'
import { fakeOdds } from '../fakes/odds.ts'
import { appendTape, foldToEnd } from '../live.ts'
import { unexplainedNulls } from '../unit/query-api/null-walk.ts'

const START_MS = Date.UTC(2026, 9, 15, 12)
const MINUTES = 10
/** Launches of the last seconds have not reached their creators yet: messages take effect some slots later. */
const TOLD_AFTER_S = 10
const ASKED = 25

const tapeOf = (): TapeBatch[] => {
  const tape: TapeBatch[] = []
  for (const slot of new Market({ seed: 7, startMs: START_MS, rate: 6 })) {
    if (slot.timeMs >= START_MS + MINUTES * 60_000) return tape
    const { number, blockTime, hash } = frameHead(slot)
    const head = { chain: 'solana', number, hash8: hash8Of(hash), sequence: number, time: blockTime ?? 0, final: true } as const
    const rest = { gapFrom: null, gapTo: null, vouched: false, placed: true, ...frameCountsOf(slot) }
    tape.push({ type: 'batch', ...head, ...rest, events: tapeEventsOf(slot) })
  }
  return tape
}
type Of<Type extends TapeEvent['type']> = InLong<Extract<TapeEvent, { type: Type }>>
const eventsIn = <Type extends TapeEvent['type']>(tape: readonly TapeBatch[], type: Type): Of<Type>[] =>
  tape.flatMap(({ events }) => (events as InLong<TapeEvent>[]).filter((event): event is Of<Type> => event.type === type))

describe('a demo market', () => {
  const tape = tapeOf()
  const endS = tape.at(-1)?.time ?? 0
  const log = createMemoryLog({ partitions: 3 })
  let view: LogMintView
  let agent: ReturnType<typeof supertest>
  beforeAll(async () => {
    view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
    await view.start()
    await appendTape(log, tape)
    await foldToEnd(log, DEFAULT_LIMITS)
    await view.caughtUp()
    const clock = { now: () => endS * 1_000 }
    const logger = { info: () => {}, warn: () => {}, error: () => {} }
    const texts = { baseUrl: 'http://127.0.0.1', source: 'demo', version: '0.1.0' }
    const cursorKeys = [Buffer.alloc(32, 1)]
    const rest = { gate: offGate(), sandbox: false, logger, priceFactor: 1, cursorKeys, finalityOf: () => 'finalized' as const }
    agent = supertest(
      createApp({
        curves: noCurves(),
        chain: solana,
        detectors,
        view,
        records: view.records,
        ...fakeOdds(),
        clock,
        wallClock: clock,
        ...texts,
        ...rest,
      }).callback(),
    )
  })
  afterAll(() => view.stop())

  const dataOf = async (path: string) => {
    const { status, body } = await agent.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(unexplainedNulls(body.data)).toEqual([])
    return body.data
  }

  test('graduations are its migrations, each graduated by the highest reserve of its curve', async () => {
    const peaks = new Map<Key, number>()
    for (const { mint, realQuoteUnits } of eventsIn(tape, 'trade')) peaks.set(mint, Math.max(peaks.get(mint) ?? 0, realQuoteUnits ?? 0))
    const migrations = eventsIn(tape, 'migrate')
    const creators = new Map(eventsIn(tape, 'launch').map(({ mint, creator }) => [mint, creator]))
    const expected = migrations.map(({ mint, timestamp, pool }) => ({
      mint: toBase58(mint),
      creator: toBase58(creators.get(mint) as Key),
      migrate_t: timestamp,
      graduated: (peaks.get(mint) ?? 0) >= 84e9,
      curve: { peak_rs_sol: (peaks.get(mint) ?? 0) / 1e9, pool: toBase58(pool) },
    }))
    const { items } = await dataOf('/v1/graduations/recent?window_s=86400&limit=100')
    expect(items).toMatchObject(expected.reverse())
    expect(items.length).toBeGreaterThan(2)
    for (const item of items) expect(item.holders.n_holders).toBeGreaterThan(0)
  })

  test('creators launched what the market launched for them', async () => {
    const launches = eventsIn(tape, 'launch')
    const late = new Set(launches.filter(({ timestamp }) => (timestamp ?? 0) >= endS - TOLD_AFTER_S).map(({ creator }) => creator))
    const creators = [...new Set(launches.map(({ creator }) => creator))].filter((creator) => !late.has(creator))
    expect(creators.length).toBeGreaterThan(ASKED)
    for (const creator of creators.slice(-ASKED)) {
      const mints = launches.filter((launch) => launch.creator === creator).map(({ mint }) => toBase58(mint))
      const { stats, recent_launches: recent } = await dataOf(`/v1/creator/${toBase58(creator)}`)
      expect([stats.n_launches, stats.is_first_time]).toEqual([mints.length, false])
      expect(recent.map(({ mint }: { mint: string }) => mint)).toEqual(mints.reverse().slice(0, 25))
    }
  })

  test('live mints are those of the launches whose curve neither completed nor moved', async () => {
    const ended = new Set([...eventsIn(tape, 'complete'), ...eventsIn(tape, 'migrate')].map(({ mint }) => mint))
    for (const { mint, creator } of eventsIn(tape, 'launch').filter((launch) => ended.has(launch.mint)))
      expect((await dataOf(`/v1/creator/${toBase58(creator)}`)).live_mints).not.toContain(toBase58(mint))
    const open = eventsIn(tape, 'launch').filter(({ mint, timestamp }) => !ended.has(mint) && (timestamp ?? 0) < endS - TOLD_AFTER_S)
    for (const { mint, creator } of open.slice(-ASKED))
      expect((await dataOf(`/v1/creator/${toBase58(creator)}`)).live_mints).toContain(toBase58(mint))
  })

  test('the payer of a wallet is the newest transfer into it', async () => {
    const newest = new Map<Key, Of<'transfer'> & { readonly at: number }>()
    for (const { time: at, events } of tape)
      for (const event of events as InLong<TapeEvent>[]) if (event.type === 'transfer') newest.set(event.wallet, { ...event, at })
    expect(newest.size).toBeGreaterThan(ASKED)
    for (const [wallet, { funder, amountLamports, at }] of [...newest].slice(-ASKED)) {
      const { funded_recently_by: funding } = await dataOf(`/v1/creator/${toBase58(wallet)}`)
      expect(funding).toMatchObject({ funder: toBase58(funder), amount_sol: amountLamports / 1e9, funded_at: at })
    }
  })

  test('a view that starts later shows the same', async () => {
    const late = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
    await late.start()
    expect([...late.migrationsSince(0)]).toEqual([...view.migrationsSince(0)])
    const wallets = new Set([
      ...eventsIn(tape, 'launch').map(({ creator }) => creator),
      ...eventsIn(tape, 'transfer').map(({ wallet }) => wallet),
    ])
    for (const wallet of wallets) {
      expect(late.records.creator(wallet)?.state).toEqual(view.records.creator(wallet)?.state)
      expect(late.records.wallet(wallet)?.state).toEqual(view.records.wallet(wallet)?.state)
    }
    await late.stop()
  })
})
