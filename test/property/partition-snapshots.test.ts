// Reads of a compacted topic through snapshots equal reads from the log's start, for random histories.
import * as fc from 'fast-check'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log, LogRecord } from '../../topology/ports/log.ts'
import { SnapshotKeeper } from '../../topology/snapshots/keeper.ts'
import type { SnapshotLimits } from '../../topology/snapshots/limits.ts'
import { createMemoryStore } from '../../topology/snapshots/memory-store.ts'
import { out, ROWS, readAll, text, write } from '../contract/log-topics.ts'

const IDENTITIES = new Map([[ROWS.name, 'aa']])
/** Brokers keep tombstones for a time; this log for a number of records. */
const TOMBSTONES = { few: 3, all: 1_000 } as const

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const writes = fc.array(fc.tuple(key, fc.option(fc.string({ maxLength: 3 }), { freq: 3 })), { minLength: 1, maxLength: 8 })
const step = fc.oneof(
  { weight: 4, arbitrary: writes.map((all) => ({ type: 'commit' as const, all })) },
  { weight: 3, arbitrary: fc.constant({ type: 'round' as const }) },
  { weight: 2, arbitrary: fc.constant({ type: 'restart' as const }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 13 }).map((hours) => ({ type: 'wait' as const, hours })) },
)
const limits = fc.record({
  tailOffsetsMin: fc.integer({ min: 1, max: 10 }),
  tailShareMin: fc.constantFrom(0, 0.5, 2),
  // From one key at a time to all at once.
  mergeBytesMax: fc.constantFrom(1, 600, 1_000_000),
})

/** The newest live record of each key as text, sorted as text. */
const liveIn = (records: readonly LogRecord[]): string[] => {
  const live = new Map<string, string>()
  for (const { offset, key, value } of records) {
    live.delete(String(text(key)))
    if (value !== null) live.set(String(text(key)), `${offset} ${text(key)} ${text(value)}`)
  }
  return [...live.values()].sort()
}

const readThrough = async (log: Log, keeper: SnapshotKeeper): Promise<{ readonly live: string[]; readonly fromSnapshot: number }> => {
  const beginning = await keeper.beginning(ROWS, 0)
  const records: LogRecord[] = []
  for await (const batch of beginning?.batches() ?? []) records.push(...batch)
  const fromSnapshot = records.length
  records.push(...(await readAll(log, ROWS, 0, beginning?.next)))
  return { live: liveIn(records), fromSnapshot }
}

test.each(['few', 'all'] as const)(
  'a reader that begins with a snapshot sees the live records and offsets of one that begins with the log (%s tombstones kept)',
  async (kept) => {
    let fromSnapshots = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), limits, async (steps, chosen: Partial<SnapshotLimits>) => {
        const log = createMemoryLog({ partitions: 1, tombstoneRecordsKept: TOMBSTONES[kept] })
        const owner = await log.own('writer')
        const store = createMemoryStore()
        let nowMs = 1_790_000_000_000
        const open = () => new SnapshotKeeper({ log, store, identities: IDENTITIES, notice: () => {}, wall: () => nowMs, limits: chosen })
        let keeper = open()
        for (const one of steps) {
          if (one.type === 'wait') nowMs += one.hours * 3_600_000
          else if (one.type === 'round') await keeper.round()
          else if (one.type === 'restart') keeper = open()
          else
            await write(
              owner,
              one.all.map(([key, value]) => out(ROWS, 0, key, value)),
            )
          const { live, fromSnapshot } = await readThrough(log, keeper)
          expect(live).toEqual(liveIn(await readAll(log, ROWS, 0)))
          fromSnapshots += fromSnapshot
        }
      }),
      { numRuns: 150 },
    )
    expect(fromSnapshots).toBeGreaterThan(100)
  },
)
