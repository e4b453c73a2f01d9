// Logs of programs that kept the decoder's own rows in the changelog of the folds' tasks.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Topic } from '../../schemas/topics.ts'
import { isOfTask } from '../../topology/engine/rows/own-rows.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openKafkaLog } from '../../topology/logs/kafka/open.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { recordsOf } from '../../topology/records/records-of.ts'
import type { Topology } from '../../topology/topology.ts'
import { topicsOf } from '../../topology/topology.ts'
import { kafkaOptions } from '../contract/kafka-given.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { ownRowLines } from '../fixtures/own-rows.ts'
import { contentsOf, foldAll, marketBodies, wiringOf } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../services/shared.ts'

const PARTITIONS = 2
const bodies = marketBodies(40, 9)
/** A fork comes next, so the kept undo is needed. */
const cut = bodies.findIndex(({ type }, i) => i > bodies.length * 0.6 && type === 'revert')

/** The wiring as it was. */
const former = (wiring: Topology): Topology => ({
  ...wiring,
  decode: (partitions) => {
    const { formerChangelog, ...task } = wiring.decode(partitions)
    return { ...task, changelog: formerChangelog ?? task.changelog }
  },
})

/** Valid records of the decoder's own rows. */
const ownRows = async (log: Log, topic: Topic): Promise<Map<string, { readonly key: Uint8Array; readonly value: Uint8Array }>> => {
  const rows = new Map<string, { readonly key: Uint8Array; readonly value: Uint8Array }>()
  const isOwn = isOfTask('decode-solana-0')
  for await (const { key, value } of recordsOf(log, topic, 0)) {
    const name = Buffer.from(key).toString('hex')
    if (value === null) rows.delete(name)
    else if (isOwn(key)) rows.set(name, { key, value })
  }
  return rows
}

/** Folds up to the cut like the older program, and continues like this one; `reopen` comes between. */
const upgrade = async (log: Log, reopen: () => Promise<Log>, after: Topology): Promise<Log> => {
  await appendRaw(log, bodies.slice(0, cut), 1)
  await foldAll(log, former(wiringOf(2)))
  const rows = await ownRows(log, TOPICS.taskChangelog)
  expect(ownRowLines([...rows.values()]).length).toBeGreaterThan(10)
  const next = await reopen()
  await appendRaw(next, bodies.slice(cut), cut + 1)
  await foldAll(next, after)
  expect([...(await ownRows(next, TOPICS.taskChangelog)).values()].map(({ value }) => value.length)).toEqual([0])
  return next
}

const cleanLog = (decoder: number): Promise<Log> =>
  logOnce(`${decoder}`, PARTITIONS, async (log) => {
    await appendRaw(log, bodies, 1)
    await foldAll(log, wiringOf(decoder))
  })
const expectClean = async (log: Log): Promise<void> => {
  const clean = await cleanLog(2)
  const [expected, found] = [await contentsOf(clean), await contentsOf(log)]
  for (const name of Object.keys(expected)) expect([name, found[name]]).toEqual([name, expected[name]])
  const lines = async (of: Log) => ownRowLines([...(await ownRows(of, TOPICS.decodeTaskChangelog)).values()])
  const own = await lines(clean)
  expect(own.some((line) => line.includes(' before '))).toBe(true)
  expect(await lines(log)).toEqual(own)
}

describe('own rows of the decoder where an older program kept them', () => {
  test('in a data directory: they move at the first restore, and a fork right after it finds its undo', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'mintfold-former-'))
    const first = await openLmdbLog({ dir, partitions: PARTITIONS })
    const reopen = async (): Promise<Log> => {
      await first.close()
      return openLmdbLog({ dir, partitions: PARTITIONS })
    }
    const log = await upgrade(first, reopen, wiringOf(2))
    await expectClean(log)
    await log.close()
    await rm(dir, { recursive: true })
  })

  test('with another version of the decoder: the rebuilt rows are valid, not the older ones', async () => {
    const first = createMemoryLog({ partitions: PARTITIONS })
    const log = await upgrade(first, async () => first, wiringOf(5))
    const [expected, found] = [await contentsOf(await cleanLog(5)), await contentsOf(log)]
    for (const name of Object.keys(expected)) expect([name, found[name]]).toEqual([name, expected[name]])
  })

  test('an older program that comes back is stopped before it writes', async () => {
    const log = createMemoryLog({ partitions: PARTITIONS })
    await appendRaw(log, bodies.slice(0, cut), 1)
    await foldAll(log, wiringOf(2))
    await appendRaw(log, bodies.slice(cut), cut + 1)
    const before = log.end(TOPICS.tape, 0)
    await expect(foldAll(log, former(wiringOf(2)))).rejects.toThrow(/truncated/)
    expect(log.end(TOPICS.tape, 0)).toBe(before)
  })
})

describeKafka('own rows of the decoder where an older program kept them, on Kafka', () => {
  beforeAll(sharedKafka, START_MS_MAX)
  test('move at the first restore', async () => {
    const options = await kafkaOptions({ topics: topicsOf(LAUNCH_RISK), partitions: PARTITIONS })
    const first = await openKafkaLog(options)
    const reopen = async (): Promise<Log> => {
      await first.close()
      return openKafkaLog(options)
    }
    const log = await upgrade(first, reopen, wiringOf(2))
    await expectClean(log)
    await log.close()
  })
})
