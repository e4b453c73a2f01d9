// The running sink: writes the same rows whatever is killed, unreachable or trimmed meanwhile.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { conclusionCodec, tapeRecordCodec } from '../../schemas/codecs.ts'
import { EngineError } from '../../schemas/errors.ts'
import type { RawFrame, TapeBatch } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { readRecording } from '../../topology/sources/recording/recording-file.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw, appendTape, copyTo, foldToEnd, readAll } from '../live.ts'
import { RUN } from '../tools/run.ts'
import { until } from '../tools/until.ts'
import { describeEngine, failureFrom } from './history-server-given.ts'
import { contentsOf, countOf, type GivenHistories, givenHistories, sinkAll, startSink } from './sink-given.ts'
import { QUICK } from './sink-quick.ts'

const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)
const PROCESS = fileURLToPath(new URL('./sink-process.ts', import.meta.url))
const SHAPE = { events: 4_000, eventsPerFrame: 10, eventsPerMint: 31, seed: 5 }
const TAPE: readonly TapeBatch[] = [...syntheticTape(SHAPE)]
/** A retriable failure. */
const away = (): EngineError => new EngineError('history_down', 'it is away', { retriable: true })
const refused = (): EngineError => new EngineError('history_refused', 'not this user', { facts: { clickhouse: '516' } })

const recorded = async (name: string): Promise<readonly RawFrame[]> => {
  const frames: RawFrame[] = []
  for await (const frame of readRecording(fileURLToPath(new URL(`../recordings/${name}.avro`, import.meta.url)))) frames.push(frame)
  return frames
}
/** Number of events of each kind on the tape of a log. */
const eventsOn = async (log: Log): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {}
  for (const { value } of await readAll(log, TOPICS.tape)) {
    const read = tapeRecordCodec.decode(value as Uint8Array)
    if (read.ok && read.value.type === 'batch') for (const { type } of read.value.events) counts[type] = (counts[type] ?? 0) + 1
  }
  return counts
}
const recordsOn = async (log: Log, topic: Parameters<typeof readAll>[1]): Promise<number> => (await readAll(log, topic)).length

/** Types on the topic of outcomes that become rows. Steps of curves are on the topic too, and do not. */
const KEPT = new Set(['outcome', 'role', 'shape', 'shadowFinding'])
/** Number of conclusions on the topic of outcomes that become rows. */
const outcomesOn = async (log: Log): Promise<number> => {
  const outcomes = (await readAll(log, TOPICS.outcomes)).map(({ value }) => conclusionCodec.decode(value as Uint8Array))
  return outcomes.filter((read) => read.ok && KEPT.has(read.value.body.type)).length
}

describeEngine(`the sink (seed ${SEED})`, () => {
  let given: GivenHistories
  let expected: Readonly<Record<string, string>>
  let foldedOnce: Log
  const folded = async (): Promise<Log> => {
    const log = createMemoryLog({ partitions: 3 })
    await copyTo(log, foldedOnce, Object.values(TOPICS))
    return log
  }
  beforeAll(async () => {
    foldedOnce = createMemoryLog({ partitions: 3 })
    await appendTape(foldedOnce, TAPE)
    await foldToEnd(foldedOnce, DEFAULT_LIMITS)
    given = await givenHistories({ views: false, copied: 2 })
    const client = await given.lent()
    await sinkAll(await folded(), client)
    expected = await contentsOf(client)
    given.rollBack()
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  test('makes every event, finding, outcome and tick of a tape a row, and reports the time up to which rows are written', async () => {
    const log = await folded()
    const client = await given.lent()
    const { sink, stop } = await startSink(log, client)
    await sink.caughtUp()
    await stop()
    const events = await eventsOn(log)
    expect(await countOf(client, 'trades')).toBe(events.trade)
    expect(await countOf(client, 'launches')).toBe(events.launch)
    expect(await countOf(client, 'flags')).toBe(await recordsOn(log, TOPICS.flags))
    expect(await countOf(client, 'flags')).toBeGreaterThan(0)
    expect(await countOf(client, 'frames')).toBe(TAPE.length)
    expect(await countOf(client, 'judgements')).toBe(await recordsOn(log, TOPICS.judgements))
    expect(await countOf(client, 'judgements')).toBeGreaterThan(0)
    const concluded = (await recordsOn(log, TOPICS.flags)) + (await recordsOn(log, TOPICS.judgements)) + (await outcomesOn(log))
    const rows = SHAPE.events + TAPE.length + concluded
    expect(sink.status()).toEqual({ rows, upTo: TAPE.at(-1)?.time, trouble: null })
    const [progress] = await client.rows(`SELECT toUnixTimestamp(up_to) AS up_to FROM ${client.database}.progress`)
    expect(progress).toEqual({ up_to: TAPE.at(-1)?.time })
    expect(await contentsOf(client)).toEqual(expected)
  })
  test.each(['launches', 'blocks', 'transactions'])('has the events and frames of the recording %s, and counts failures', async (name) => {
    const log = createMemoryLog({ partitions: 2 })
    const frames = await recorded(name)
    await appendRaw(log, frames, 0)
    await foldToEnd(log, DEFAULT_LIMITS)
    const client = await given.lent()
    await sinkAll(log, client)
    const events = await eventsOn(log)
    expect(await countOf(client, 'trades')).toBe(events.trade ?? 0)
    expect(await countOf(client, 'pool_trades')).toBe(events.poolTrade ?? 0)
    expect(await countOf(client, 'launches')).toBe(events.launch ?? 0)
    expect(await countOf(client, 'dead_letters')).toBe(await recordsOn(log, TOPICS.deadLetters))
    expect(await countOf(client, 'frames WHERE hash IS NOT NULL')).toBe(frames.length)
    const failed = await client.rows(
      `SELECT slot, launchpad_transactions AS n, launchpad_failed AS failed FROM ${client.database}.frames ORDER BY slot`,
    )
    if (name === 'blocks')
      expect(failed).toEqual([
        { slot: 285000037, n: 9, failed: 1 },
        { slot: 332254908, n: 86, failed: 39 },
      ])
  })
  test('deduplicates rows that are inserted twice because offsets were not committed', async () => {
    const log = await folded()
    const client = await given.lent()
    let inserts = 0
    const dying: HistoryClient = {
      ...client,
      insert: async (batch) => {
        await client.insert(batch)
        if (++inserts % 3 === 0) throw away()
      },
    }
    for (let restart = 0; restart < 4; restart++) {
      const { sink, stop } = await startSink(log, dying)
      await until(() => sink.status().rows > restart * 700)
      await stop()
    }
    await sinkAll(log, client)
    expect(await contentsOf(client)).toEqual(expected)
  })
  test('waits while ClickHouse is down, reads at most two batches ahead, and then continues', async () => {
    const log = await folded()
    const client = await given.lent()
    let isAway = true
    let bytesMax = 0
    const flaky: HistoryClient = {
      ...client,
      insert: async (batch) => {
        bytesMax = Math.max(bytesMax, batch.body.length)
        if (isAway) throw away()
        await client.insert(batch)
      },
    }
    const { sink, notices, stop } = await startSink(log, flaky)
    await until(() => sink.status().trouble !== null)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(sink.status()).toMatchObject({ rows: 0, upTo: null, trouble: 'it is away' })
    expect(bytesMax).toBeLessThan(QUICK.batchRowsMax * 400)
    isAway = false
    await until(() => sink.isCaughtUp)
    expect(sink.status().trouble).toBeNull()
    expect(notices).toEqual(['history_behind', 'history_goes_on'])
    await stop()
    expect(await contentsOf(client)).toEqual(expected)
  })
  test('reports a failure, another failure after it, and the recovery, once each', async () => {
    const client = await given.lent()
    const troubles = [away(), away(), refused(), refused()]
    const flaky: HistoryClient = {
      ...client,
      insert: async (batch) => {
        const trouble = troubles.shift()
        if (trouble !== undefined) throw trouble
        await client.insert(batch)
      },
    }
    const { sink, notices, stop } = await startSink(await folded(), flaky)
    await until(() => sink.isCaughtUp && troubles.length === 0)
    expect(notices).toEqual(['history_behind', 'history_behind', 'history_goes_on'])
    await stop()
  })
  test('stops at once while ClickHouse is down, and the next start does the rest', async () => {
    const log = await folded()
    const client = await given.lent()
    const hanging = { ...client, insert: () => new Promise<void>(() => {}) }
    const { stop } = await startSink(log, hanging)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const stoppedMs = performance.now()
    await stop()
    expect(performance.now() - stoppedMs).toBeLessThan(2_000)
    await sinkAll(log, client)
    expect(await contentsOf(client)).toEqual(expected)
  })
  test('fills a new history from what the log holds; the old history continues from its position', async () => {
    const log = await folded()
    const [first, second] = [await given.lent(), await given.lent()]
    await sinkAll(log, first)
    await sinkAll(log, second)
    expect(await contentsOf(second)).toEqual(expected)
    const { sink, stop } = await startSink(log, first)
    await sink.caughtUp()
    await stop()
    expect(sink.status().rows).toBeGreaterThan(SHAPE.events)
    expect(await contentsOf(first)).toEqual(expected)
  })
  test('refuses a history without tables', async () => {
    const client = { ...(await given.lent()), database: 'nowhere' }
    expect(await failureFrom(startSink(await folded(), client))).toMatchObject({ code: 'history_query' })
  })

  test('after kill -9 of the engine and of the sink at random times nothing is lost or duplicated', async () => {
    const client = await given.lent()
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-sink-'))
    const log = await openLmdbLog({ dir, partitions: 2 })
    await appendTape(log, TAPE)
    await log.close()
    const { url, username, password } = given.engine.server.target()
    const start = (mode: string): ChildProcess =>
      spawn(process.execPath, [...RUN, PROCESS, dir, url, username, password, client.database, mode], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    for (let kill = 0; kill < 4; kill++) {
      const child = start('go on')
      await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
      await new Promise((resolve) => setTimeout(resolve, ((SEED * 7_919 + kill * 104_729) % 4_000) / 10))
      const pid = given.engine.server.pid()
      if (kill % 2 === 1 && pid !== null) process.kill(pid, 'SIGKILL')
      child.kill('SIGKILL')
      await once(child, 'exit')
      if (kill % 2 === 1) await until(() => given.engine.server.pid() !== pid && given.engine.server.trouble() === null)
    }
    const [code] = await once(start('end'), 'exit')
    expect(code).toBe(0)
    expect(await contentsOf(client)).toEqual(expected)
    rmSync(dir, { recursive: true })
  })
})
