// How far a view reports to be behind its log, and how long frames took until it showed them.
import { progressCodec } from '../../schemas/codecs.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Progress } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log, OutRecord } from '../../topology/ports/log.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { TOPICS } from '../fixtures/topics.ts'

const NOW_MS = 1_790_000_000_000
const PROGRESS: Omit<Progress, 'number' | 'time'> = {
  task: 'fold-0',
  chain: 'solana',
  hash8: 'hhhhhhhh',
  gapFrom: null,
  gapTo: null,
  confirmed: null,
  finalized: null,
  forks: 0,
}
const folded = (number: number, time: number): OutRecord => ({
  topic: TOPICS.progress,
  partition: 0,
  key: Buffer.from('fold-0'),
  value: progressCodec.encode({ ...PROGRESS, number, time }),
})
/** A record that views ignore, on a topic that they follow. */
const record = (topic: Topic): OutRecord => ({ topic, partition: 0, key: Buffer.from('x'), value: null })

/** A log whose reads of the flags wait until they are released. */
const slowed = (log: Log) => {
  let letGo = (): void => {}
  let isHeld = false
  const read: Log['read'] = async (topic, ...rest) => {
    if (isHeld && topic.name === TOPICS.flags.name) await new Promise<void>((resolve) => (letGo = resolve))
    return log.read(topic, ...rest)
  }
  return {
    log: { ...log, read } satisfies Log,
    hold: () => {
      isHeld = true
    },
    letGo: () => {
      isHeld = false
      letGo()
    },
  }
}
const bound = (log: Log): Log => ({
  partitions: (topic) => log.partitions(topic),
  read: (...asked) => log.read(...asked),
  start: (...asked) => log.start(...asked),
  end: (...asked) => log.end(...asked),
  tombstoneFloor: (...asked) => log.tombstoneFloor(...asked),
  refresh: () => log.refresh(),
  own: (id) => log.own(id),
  decidedEnd: (...asked) => log.decidedEnd(...asked),
  onCommit: (listener) => log.onCommit(listener),
  trim: (...asked) => log.trim(...asked),
  close: () => log.close(),
})

describe('a view behind its log', () => {
  const given = async () => {
    const world = { nowMs: NOW_MS, tip: null as { number: number; time: number } | null }
    const slow = slowed(bound(createMemoryLog({ partitions: 1 })))
    const anchor = () => ({ streamMs: NOW_MS, wallMs: NOW_MS, speed: 1 })
    const view = new LogMintView(slow.log, LAUNCH_RISK, { tip: () => world.tip, anchor }, () => world.nowMs)
    const owner = await slow.log.own('test')
    const append = (...outputs: OutRecord[]) => owner.commit({ outputs, inputs: new Map() })
    return { world, slow, view, append }
  }
  const behindOf = (view: LogMintView) =>
    Object.fromEntries(view.lags().views.map(({ view: name, recordsBehind }) => [name, recordsBehind]))

  test('that was not started is behind by all of the log', async () => {
    const { view, append } = await given()
    await append(folded(10, 100), record(TOPICS.flags), record(TOPICS.flags))
    expect(behindOf(view)).toMatchObject({ flags: 2, progress: 1, 'mint.changelog': 0 })
    expect(view.lags().streamMsBehind).toBeNull()
  })
  test('that has read everything is behind by nothing', async () => {
    const { view, append } = await given()
    await append(folded(10, 100), record(TOPICS.flags))
    await view.start()
    expect(Object.values(behindOf(view)).every((records) => records === 0)).toBe(true)
    expect(view.lags().streamMsBehind).toBe(0)
    await view.stop()
  })
  test('during a slow read reports folded but not shown data in records and stream time, and shows it later', async () => {
    const { view, append, slow, world } = await given()
    await append(folded(10, 100))
    await view.start()
    slow.hold()
    world.tip = { number: 11, time: NOW_MS / 1_000 }
    await append(folded(11, 107), record(TOPICS.flags))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(behindOf(view)).toMatchObject({ flags: 1, progress: 0 })
    expect(view.lags().streamMsBehind).toBe(7_000)
    expect(view.status().folded?.number).toBe(10)
    expect(view.detection().fromArrival.ok).toBe(false)
    world.nowMs += 250
    slow.letGo()
    await view.caughtUp()
    expect(view.status().folded?.number).toBe(11)
    expect(view.lags().streamMsBehind).toBe(0)
    const measured = { ok: true, p50Ms: 250, p99Ms: 250, frames: 1 }
    expect(view.detection()).toEqual({ fromArrival: measured, fromBlock: measured })
    await view.stop()
  })
})
