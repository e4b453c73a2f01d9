// One history, one log: a history records whose rows it has, and refuses another log until that is adopted.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TapeBatch } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { readRegime } from '../../topology/history/figures.ts'
import { readRanksKnown } from '../../topology/history/wallets.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { watchLmdbLog } from '../../topology/logs/lmdb/lmdb-reader.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { ClickHouseSink, type SinkOptions } from '../../topology/sinks/clickhouse.ts'
import { LOG_ID_OWNER, logIdIn, logIdOf } from '../../topology/sinks/history-id.ts'
import { refreshViews } from '../../topology/sinks/refresh-views.ts'
import { SinkTask } from '../../topology/sinks/sink-task.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { appendTape, foldToEnd } from '../live.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { until } from '../tools/until.ts'
import { describeEngine, failureFrom } from './history-server-given.ts'
import { countOf, type GivenHistories, givenHistories } from './sink-given.ts'
import { QUICK } from './sink-quick.ts'

const SHAPE = { events: 200, eventsPerFrame: 10, eventsPerMint: 31, seed: 5 }
const TAPE: readonly TapeBatch[] = [...syntheticTape(SHAPE)]
const END = TAPE.at(-1)?.time ?? 0

/** A new log whose tape is this many seconds later. */
const logOf = async (laterS = 0): Promise<Log> => {
  const log = createMemoryLog({ partitions: 1 })
  await appendTape(
    log,
    TAPE.map((batch) => ({ ...batch, time: batch.time + laterS })),
  )
  await foldToEnd(log, DEFAULT_LIMITS)
  return log
}

describe('the id of a log', () => {
  test('is the same for all readers, also concurrent ones; another log has another', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const ids = await Promise.all(Array.from({ length: 5 }, () => logIdOf(log)))
    expect(ids[0]).toMatch(/^[0-9a-f]{12}$/)
    expect(new Set([...ids, await logIdOf(log)]).size).toBe(1)
    expect(await logIdOf(createMemoryLog({ partitions: 1 }))).not.toBe(ids[0])
  })
  test('survives restarts, and is read without locking the log', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-log-id-'))
    const ids: (string | undefined)[] = []
    for (let start = 0; start < 2; start++) {
      const log = await openLmdbLog({ dir, partitions: 1 })
      ids.push(await logIdOf(log))
      await log.close()
    }
    const watched = await watchLmdbLog(dir)
    ids.push(logIdIn(watched.inputsOf(LOG_ID_OWNER)))
    await watched.close()
    expect(new Set(ids).size).toBe(1)
    removeDirectory(dir)
  })
})

describeEngine('a history', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories()
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  const sunk = async (log: Log, client: HistoryClient, options: Partial<SinkOptions> = {}): Promise<void> => {
    const sink = new ClickHouseSink({
      topology: LAUNCH_RISK,
      log,
      client,
      limits: QUICK,
      notice: () => {},
      ...options,
    })
    await sink.open()
    const running = sink.run()
    await until(() => sink.isCaughtUp)
    sink.stop()
    await running
  }
  const progressOf = async ({ rows, database }: HistoryClient) =>
    rows<{ log: string }>(`SELECT log, chain, source, toUnixTimestamp(up_to) AS up_to, is_filling FROM ${database}.progress ORDER BY up_to`)

  test('filled by one log is refused to another, with what to do, and continues with its own', async () => {
    const client = await given.lent()
    const [own, other] = [await logOf(), await logOf(60)]
    await sunk(own, client, { source: () => 'demo, seed 21' })
    const before = await countOf(client, 'trades')
    const filling = { chain: 'solana', source: 'demo, seed 21', is_filling: true }
    expect(await progressOf(client)).toEqual([{ log: await logIdOf(own), up_to: END, ...filling }])
    const failure = await failureFrom(sunk(other, client))
    expect(failure).toMatchObject({ code: 'history_of_another', retriable: false })
    expect(failure.message).toMatch(/demo, seed 21.*CLICKHOUSE_DATABASE.*--adopt-history/)
    expect(await countOf(client, 'trades')).toBe(before)
    await sunk(own, client)
    expect(await progressOf(client)).toEqual([expect.objectContaining(filling)])
  })

  test('of another log makes the sink fail, which stops the process', async () => {
    const client = await given.lent()
    await sunk(await logOf(), client)
    const work = new SinkTask({
      topology: LAUNCH_RISK,
      log: await logOf(),
      client: Promise.resolve(client),
      notice: () => {},
      opened: () => {},
    })
    expect(await failureFrom(work.run())).toMatchObject({ code: 'history_of_another' })
  })

  test('that is adopted has a row of progress for each log; windows end at the new log, and coverage starts at its beginning', async () => {
    const client = await given.lent()
    const [ahead, own] = [await logOf(3_600), await logOf()]
    await sunk(ahead, client)
    await refreshViews(client)
    await sunk(own, client, { adopts: true, source: () => 'live' })
    const [first, second] = [await logIdOf(own), await logIdOf(ahead)]
    expect(await progressOf(client)).toEqual([
      { log: first, chain: 'solana', source: 'live', up_to: END, is_filling: true },
      { log: second, chain: 'solana', source: null, up_to: END + 3_600, is_filling: false },
    ])
    await refreshViews(client)
    const ranks = await readRanksKnown(client)
    expect(ranks?.asOf ?? 0).toBeLessThanOrEqual(END)
    const regime = await readRegime(client)
    expect(regime.ok ? regime.asOf : 0).toBeLessThanOrEqual(END)
    expect(await client.rows(`SELECT toUnixTimestamp(as_of) AS as_of FROM ${client.database}.base_rates`)).toEqual([{ as_of: END }])
    const [covered] = await client.rows(
      `SELECT toUnixTimestamp("from") AS "from", toUnixTimestamp("to") AS "to" FROM ${client.database}.coverage WHERE table = 'trades'`,
    )
    expect(covered).toEqual({ from: TAPE[0]?.time, to: END })
    expect(await failureFrom(sunk(ahead, client))).toMatchObject({ code: 'history_of_another' })
  })

  test('filled by a program that recorded no log id belongs to the log that fills it next', async () => {
    const client = await given.lent()
    await client.command(
      `INSERT INTO ${client.database}.progress_log VALUES ('clickhouse', ${END - 9}, toDateTime64(${END - 9}, 3, 'UTC'))`,
    )
    expect(await progressOf(client)).toEqual([{ log: 'clickhouse', chain: null, source: null, up_to: END - 9, is_filling: true }])
    const own = await logOf()
    await sunk(own, client)
    expect((await progressOf(client)).find(({ log }) => log !== 'clickhouse')).toMatchObject({ log: await logIdOf(own), is_filling: true })
    expect(await failureFrom(sunk(await logOf(), client))).toMatchObject({ code: 'history_of_another' })
  })
})
