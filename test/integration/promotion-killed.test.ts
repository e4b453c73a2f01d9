// A promotion that is killed before its swap, and the next start.
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { memoryStaging } from '../../topology/versions/rebuild/staging-stores.ts'
import { readRebuild } from '../../topology/versions/stores-record.ts'
import { foldAll, marketBodies, QUICK, wiringOf } from '../fixtures/rebuild-market.ts'
import { dying, member } from '../fixtures/shadow-beside.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'

const TIMEOUT_MS = 60_000
/** Longer than the test may take. */
const LEASE_MS = 600_000
/** The record that the rebuild has begun is commit 1. */
const KILLED_AT = 2
const WAITS_MS = 500

test(
  'after a kill before the swap, a process with the same data directory goes on at once, and any other one waits for the lease',
  async () => {
    const log = createMemoryLog({ partitions: 2 })
    await appendRaw(log, marketBodies(8, 1), 1)
    await foldAll(log, wiringOf(2))
    const staging = memoryStaging()
    const started = (on: typeof log, by: string, stores: typeof staging, stop?: AbortSignal) =>
      startFolds(on, [wiringOf(2, 3)], QUICK, { assignment: member(LEASE_MS), staging: () => stores, by, ...(stop && { stop }) })
    await expect(started(dying(log, KILLED_AT).log, 'killed', staging)).rejects.toThrow('killed')
    expect(await readRebuild(log, TOPICS.rebuilds, 'solana')).toMatchObject({ by: 'killed', state: 'beside' })

    const stopping = new AbortController()
    const other = started(log, 'other', memoryStaging(), stopping.signal)
    const waits = new Promise((resolve) => setTimeout(() => resolve('waits'), WAITS_MS))
    expect(await Promise.race([other.then(() => 'started'), waits])).toBe('waits')
    stopping.abort()
    await (await other).stop()

    const next = await started(log, 'next', staging)
    await next.caughtUp()
    await next.stop()
    expect(await readRebuild(log, TOPICS.rebuilds, 'solana')).toMatchObject({ state: 'none' })
  },
  TIMEOUT_MS,
)
