// A demo market that forks, through the real folds into history and views: both end as if they had seen the canonical branch only.
import { solana } from '../../processors/chains/solana/chain.ts'
import { newestPayment } from '../../processors/creator/funded-recently.ts'
import { creatorEvidence } from '../../processors/creator/record.ts'
import { rawRecordCodec } from '../../schemas/codecs.ts'
import type { Key } from '../../schemas/keys.ts'
import type { RawRecord } from '../../schemas/types.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { FlagRecord } from '../../topology/ports/chain-view.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { ForkFrames } from '../../topology/simulator/solana/forks/fork-frames.ts'
import { type DemoStep, forkSteps } from '../../topology/simulator/solana/forks/forks.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { append } from '../fixtures/forked-log.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { cardsOf } from '../live.ts'
import { until } from '../tools/until.ts'
import { describeEngine } from './history-server-given.ts'
import { contentsOf, countOf, type GivenHistories, givenHistories, startSink } from './sink-given.ts'
import { QUICK } from './sink-quick.ts'

const SEED = 5
const START_MS = Date.UTC(2026, 9, 15, 12)
const slots = (): DemoSlot[] => {
  const found: DemoSlot[] = []
  for (const slot of new Market({ seed: SEED, startMs: START_MS, rate: 6 })) {
    if (slot.timeMs >= START_MS + 80_000) return found
    found.push(slot)
  }
  return found
}
const isCanonical = (step: DemoStep): boolean => step.type === 'slot' && step.branch === 0
/** Raw bodies of steps in order. */
const bodiesOf = (steps: Iterable<DemoStep>): RawRecord['body'][] => {
  const frames = new ForkFrames(new CoinBook())
  return Array.from(steps, (step) => frames.bodyOf(step))
}
const record = (body: RawRecord['body'], sequence: number) => ({
  topic: TOPICS.raw,
  partition: 0,
  key: Buffer.from('solana'),
  value: rawRecordCodec.encode({ sequence, body }),
})

interface Ended {
  readonly view: LogMintView
  readonly log: Log
}
/** Folds, sinks and shows bodies as they come, and returns the final state. */
const run = async (bodies: readonly RawRecord['body'][], client: HistoryClient, pieces: number): Promise<Ended> => {
  const log = createMemoryLog({ partitions: 3 })
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const folds = await startFolds(log, [LAUNCH_RISK])
  const { sink, stop } = await startSink(log, client, { ...QUICK, batchRowsMax: 5_000 })
  const each = Math.ceil(bodies.length / pieces)
  for (let at = 0; at < bodies.length; at += each) {
    await append(
      log,
      bodies.slice(at, at + each).map((body, i) => record(body, at + i + 1)),
    )
    await folds.caughtUp()
  }
  await folds.stop()
  await until(() => sink.isCaughtUp)
  await stop()
  await view.caughtUp()
  return { view, log }
}
/** What the creators of all launches launched, and who paid them. */
const recordsOf = (view: LogMintView): unknown[] => {
  const asOf = view.status().folded?.time ?? 0
  const creators = new Set(Array.from(view.launchesSince(0), ({ state: { launch } }) => launch?.creator as Key))
  return Array.from(creators, (creator) => [
    creatorEvidence(creator, view.records.creator(creator)?.state, { asOf, since: 0, live: [], chain: solana }),
    newestPayment(view.records.wallet(creator)?.state, asOf),
  ])
}
const shown = ({ view }: Ended): Readonly<Record<string, unknown>> => {
  const { folded, gap, counters } = view.status()
  return {
    launches: Array.from(view.launchesSince(0), ({ mint }) => mint),
    flags: [...view.flagsSince(0)],
    migrations: [...view.migrationsSince(0)],
    records: recordsOf(view),
    cards: cardsOf(view.launchesSince(0), folded?.time ?? 0, gap),
    counters: { ...counters, forks: 0, flags: 0 },
  }
}

describeEngine('a market that forks', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories({ views: false, copied: 2 })
  })
  afterAll(() => given.remove())

  test('for forks of every kind history and views are those of the canonical branch, and retractions are found', async () => {
    const market = slots()
    const steps = [...forkSteps(market, { seed: SEED, perHour: 600, fromMs: START_MS })]
    const reverts = steps.filter(({ type }) => type === 'revert').length
    const [forked, straight] = [await given.fresh(), await given.fresh()]
    const bodies = bodiesOf(steps)
    const stays = bodies.filter((_body, i) => isCanonical(steps[i] as DemoStep))
    const seen = await run(bodies, forked, 25)
    const canonical = await run(stays, straight, 3)
    expect(reverts).toBeGreaterThan(10)
    for (const [what, expected] of Object.entries(shown(canonical))) expect([what, shown(seen)[what]]).toEqual([what, expected])
    expect(await contentsOf(forked)).toEqual(await contentsOf(straight))
    expect(await countOf(straight, 'flags')).toBeGreaterThan(10)
    const retracted = await forked.rows<{ id: string }>(`SELECT finding_id AS id FROM ${forked.database}.retracted_flags`)
    expect(retracted.length).toBeGreaterThan(0)
    for (const { id } of retracted) expect(seen.view.retracted(id)).toMatchObject({ findingId: id } satisfies Partial<FlagRecord>)
    expect(seen.view.status().counters.forks).toBe(reverts)
    const last = steps.findLast(({ type }) => type === 'finality')
    expect(seen.view.finality()).toEqual({
      confirmed: last?.type === 'finality' ? last.confirmed : 0,
      finalized: last?.type === 'finality' ? last.finalized : 0,
    })
    const late = new LogMintView(seen.log, LAUNCH_RISK, { tip: () => null })
    await late.start()
    expect(shown({ ...seen, view: late })).toEqual(shown(canonical))
    for (const { id } of retracted) expect(late.retracted(id)?.findingId).toBe(id)
    for (const { view } of [seen, canonical, { view: late }]) await view.stop()
  })
})
