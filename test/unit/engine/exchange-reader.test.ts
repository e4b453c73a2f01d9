import type { ExchangeDefinition } from '../../../topology/engine/exchange/exchange.ts'
import { ExchangeReader, type Listener } from '../../../topology/engine/exchange/exchange-reader.ts'
import type { ExchangeRecord } from '../../../topology/engine/exchange/exchange-record.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { withOwners } from '../../../topology/logs/with-owners.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { definition, EXCHANGE } from '../../fixtures/askers.ts'
import { emptyRecord } from '../../fixtures/exchange-records.ts'

const PARTITIONS = 3
const never = (): boolean => false

class RecordingListener implements Listener {
  readonly partition: number
  readonly oldestNeeded: number
  readonly records: ExchangeRecord[] = []
  hasRoom = true
  isWaiting = false
  woken = 0
  constructor(partition: number, oldestNeeded = 0) {
    this.partition = partition
    this.oldestNeeded = oldestNeeded
  }
  receive(record: ExchangeRecord): void {
    this.records.push(record)
  }
  wake(): void {
    this.woken++
  }
  /** Partition and closing frame of each epoch, sorted as text. */
  get epochs(): string[] {
    return this.records.flatMap(({ partition, epochs }) => epochs.map(({ closedBy }) => `${partition}:${closedBy}`)).sort()
  }
}
const write = async (log: Log, partition: number, ...closedBy: number[]): Promise<void> => {
  const outputs = closedBy.map((frame) => ({ topic: EXCHANGE, partition, key: Buffer.from('alt'), value: emptyRecord(partition, frame) }))
  await (await log.own(`writer ${partition}`)).commit({ outputs, inputs: new Map() })
}
/** A log that counts reads, and a reader on it. */
const given = () => {
  const inner = createMemoryLog({ partitions: PARTITIONS })
  const reads: string[] = []
  const log: Log = {
    ...withOwners(inner, (id) => inner.own(id)),
    read: (topic, partition, offset, limits) => {
      reads.push(`${partition}@${offset}`)
      return inner.read(topic, partition, offset, limits)
    },
  }
  return { log, reads, reader: new ExchangeReader(log, definition(PARTITIONS).exchange as ExchangeDefinition, DEFAULT_LIMITS) }
}

test('each record is read and decoded once, and delivered to every task', async () => {
  const { log, reads, reader } = given()
  const tasks = [new RecordingListener(0), new RecordingListener(1)]
  for (const task of tasks) await reader.join(task, 0, never)
  for (const partition of [0, 1, 2]) await write(log, partition, 4, 8)
  await Promise.all([reader.read(), reader.read()])
  expect(reads).toEqual(['0@0', '1@0', '2@0'])
  expect(tasks[0]?.epochs).toEqual(['0:4', '0:8', '1:4', '1:8', '2:4', '2:8'])
  expect(tasks[1]?.records).toEqual(tasks[0]?.records)
  expect(tasks[0]?.records[0]).toBe(tasks[1]?.records[0])
  expect([reader.hasMore, reader.isPrompt]).toEqual([false, false])
})
test('tasks that join at the same time share reads, starting at the epochs they need', async () => {
  const { log, reads, reader } = given()
  const closings = Array.from({ length: 1_000 }, (_, n) => n * 4)
  for (const partition of [0, 1, 2]) await write(log, partition, ...closings)
  const tasks = [0, 1, 2].map((partition) => new RecordingListener(partition, 3_990))
  await Promise.all(tasks.map((task) => reader.join(task, 990, never)))
  expect(reads.length).toBeLessThanOrEqual(9)
  for (const task of tasks) for (const partition of [0, 1, 2]) expect(task.epochs).toContain(`${partition}:3992`)
  expect(tasks[0]?.records.length).toBeLessThan(150)
  expect(reader.isPrompt).toBe(true)
  reader.leave(tasks[1] as RecordingListener)
  reader.leave(tasks[1] as RecordingListener)
  expect(reader.isPrompt).toBe(false)
})
test('a waiting task receives new records without a read, and is woken', async () => {
  const { log, reader } = given()
  const [busy, waiting] = [new RecordingListener(0), new RecordingListener(1)]
  for (const task of [busy, waiting]) await reader.join(task, 0, never)
  await write(log, 2, 4)
  expect([reader.hasMore, waiting.woken]).toEqual([true, 0])
  waiting.isWaiting = true
  const woken = new Promise<void>((resolve) => {
    waiting.wake = resolve
  })
  await write(log, 2, 8)
  await woken
  expect(waiting.epochs).toEqual(['2:4', '2:8'])
  expect(busy.woken).toBe(0)
})
test('a record that nobody has received yet reaches a task that joins only once', async () => {
  const { log, reader } = given()
  await write(log, 2, 4)
  const [first, second] = [new RecordingListener(0), new RecordingListener(1)]
  await reader.join(first, 0, never)
  await write(log, 2, 8)
  await reader.join(second, 0, never)
  await reader.read()
  for (const { epochs } of [first, second]) expect(epochs).toEqual(['2:4', '2:8'])
})
test("nothing is read while a task's buffer is full", async () => {
  const { log, reads, reader } = given()
  const task = new RecordingListener(0)
  await reader.join(task, 0, never)
  task.hasRoom = false
  await write(log, 2, 4)
  await reader.read()
  expect([reads, reader.hasMore]).toEqual([[], false])
  task.hasRoom = true
  expect(reader.hasMore).toBe(true)
})
test('a task stopped while joining does not join', async () => {
  const { log, reader } = given()
  await write(log, 1, 4)
  const task = new RecordingListener(0)
  await reader.join(task, 0, () => true)
  await write(log, 1, 8)
  await reader.read()
  expect(task.records).toEqual([])
})
test('a failed read is repeated by the next one', async () => {
  const { log, reader } = given()
  const read = log.read
  const task = new RecordingListener(0)
  await reader.join(task, 0, never)
  await write(log, 1, 4)
  log.read = () => Promise.reject(new Error('away'))
  await expect(reader.read()).rejects.toThrow('away')
  expect(reader.hasMore).toBe(true)
  log.read = read
  await reader.read()
  expect(task.epochs).toEqual(['1:4'])
})
test('records that arrive at any point of a read reach a waiting task', async () => {
  const { log, reader } = given()
  const waiting = new RecordingListener(1)
  await reader.join(waiting, 0, never)
  waiting.isWaiting = true
  const unread: number[] = []
  for (let turns = 0; turns < 200; turns++) {
    await write(log, 2, 2 * turns)
    const reading = reader.read()
    for (let turn = 0; turn < turns % 40; turn++) await Promise.resolve()
    await write(log, 0, 2 * turns + 1)
    await reading
    await new Promise((resolve) => setImmediate(resolve))
    if (reader.hasMore) unread.push(turns)
  }
  expect(unread).toEqual([])
  expect(waiting.records).toHaveLength(400)
})
test('a task with a full buffer that leaves no longer blocks waiting tasks', async () => {
  const { log, reader } = given()
  const [full, waiting] = [new RecordingListener(0), new RecordingListener(1)]
  for (const task of [full, waiting]) await reader.join(task, 0, never)
  full.hasRoom = false
  waiting.isWaiting = true
  await write(log, 2, 4)
  reader.leave(full)
  await new Promise((resolve) => setImmediate(resolve))
  expect(waiting.epochs).toEqual(['2:4'])
  expect(waiting.woken).toBeGreaterThan(0)
})
