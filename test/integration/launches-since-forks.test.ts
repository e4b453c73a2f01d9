// A demo market that forks, through the real folds and views: a client that reads page after page gets every canonical launch once.
import { solana } from '../../processors/chains/solana/chain.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { type Instant, Service } from '../../query-api/answers/service.ts'
import { answerSince, sincePrecheck } from '../../query-api/answers/since/launches-since.ts'
import { questions } from '../../query-api/app/list/questions.ts'
import { rawRecordCodec } from '../../schemas/codecs.ts'
import { assert } from '../../schemas/errors.ts'
import { keyText } from '../../schemas/keys.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { ForkFrames } from '../../topology/simulator/solana/forks/fork-frames.ts'
import { forkSteps } from '../../topology/simulator/solana/forks/forks.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { noCurves } from '../fakes/map-curves.ts'
import { MapRecords } from '../fakes/map-records.ts'
import { fakeOdds } from '../fakes/odds.ts'
import { append } from '../fixtures/forked-log.ts'
import { TOPICS } from '../fixtures/topics.ts'

const SEED = 5
const START_MS = Date.UTC(2026, 9, 15, 12)
const SECONDS = 45
const PIECES = 40

const slots = (): DemoSlot[] => {
  const found: DemoSlot[] = []
  for (const slot of new Market({ seed: SEED, startMs: START_MS, rate: 12 })) {
    if (slot.timeMs >= START_MS + SECONDS * 1_000) return found
    found.push(slot)
  }
  return found
}
const viewOf = async (log: Log): Promise<LogMintView> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  return view
}
const serviceOf = (view: LogMintView): Service => {
  const clock = { now: () => (view.status().folded?.time ?? 0) * 1_000 }
  const texts = { source: 'test', baseUrl: 'http://127.0.0.1', version: '0.1.0', sandbox: false }
  const rest = { priceFactor: 1, charges: true, finalityOf: () => 'finalized' as const, questions, cursorKeys: [Buffer.alloc(32, 1)] }
  const context = { chain: solana, detectors, curves: noCurves(), view, records: new MapRecords(), ...fakeOdds() }
  return new Service({ ...context, ...texts, ...rest, clock, wallClock: clock })
}

/** Keeps only the cursor; returns the mints of a page, oldest first. */
const reader = () => {
  let since: { readonly second: number } | { readonly cursor: string } = { second: 0 }
  return (service: Service, limit: number): { readonly mints: readonly string[]; readonly hasMore: boolean } => {
    const facts = questions.find(({ path }) => path === '/v1/launches/since')
    assert(facts !== undefined, 'the route is listed')
    const ask = { service, instant: service.instant() as Instant, facts }
    const refusal = sincePrecheck({ since, limit }, ask)
    if (refusal !== null) return { mints: [], hasMore: false }
    const { data } = JSON.parse(answerSince({ since, limit }, ask).body) as {
      data: { items: readonly { mint: string }[]; next_cursor: string; has_more: boolean; n_not_covered: number }
    }
    expect(data.n_not_covered).toBe(0)
    since = { cursor: data.next_cursor }
    return { mints: data.items.map(({ mint }) => mint), hasMore: data.has_more }
  }
}

test('through forks, restarts and two servers, pages of any size have each canonical launch once', async () => {
  const frames = new ForkFrames(new CoinBook())
  const steps = [...forkSteps(slots(), { seed: SEED, perHour: 3_000, fromMs: START_MS })]
  const bodies = steps.map((step) => frames.bodyOf(step))
  const log = createMemoryLog({ partitions: 3 })
  const folds = await startFolds(log, [LAUNCH_RISK])
  const views = [await viewOf(log), await viewOf(log)]
  const ask = reader()
  const got: string[] = []
  const each = Math.ceil(bodies.length / PIECES)
  for (let at = 0; at < bodies.length; at += each) {
    const records = bodies.slice(at, at + each).map((body, i) => ({
      ...{ topic: TOPICS.raw, partition: 0, key: Buffer.from('solana') },
      value: rawRecordCodec.encode({ sequence: at + i + 1, body }),
    }))
    await append(log, records)
    await folds.caughtUp()
    const piece = at / each
    const which = piece % 2
    if (piece % 10 === 9) {
      await views[which]?.stop()
      views[which] = await viewOf(log)
    }
    await views[which]?.caughtUp()
    got.push(...ask(serviceOf(views[which] as LogMintView), 1 + (piece % 7)).mints)
  }
  await folds.stop()
  const last = await viewOf(log)
  const service = serviceOf(last)
  for (let hasMore = true; hasMore; ) {
    const page = ask(service, 5)
    got.push(...page.mints)
    hasMore = page.hasMore
  }
  const confirmed = last.finality()?.confirmed ?? -1
  const canonical = [...last.launchesAfter({ number: -1, tx: 0, outer: 0, inner: 0 })].flatMap(({ mint, head: { launch } }) =>
    launch !== null && launch.number <= confirmed ? [keyText(mint)] : [],
  )
  expect(last.status().counters.forks).toBeGreaterThan(3)
  expect(canonical.length).toBeGreaterThan(25)
  expect(canonical.filter((mint) => !got.includes(mint))).toEqual([])
  expect(got.length - new Set(got).size).toBe(0)
  await Promise.all([...views, last].map((view) => view.stop()))
})
