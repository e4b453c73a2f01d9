import type { FrameHeader } from '../../../processors/contract.ts'
import { exchangeCodec } from '../../../schemas/codecs.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { ExchangeBatch } from '../../../schemas/types.ts'
import { batchesOf as batchesIn } from '../../../topology/engine/exchange.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { taskState } from '../../../topology/engine/own-rows.ts'
import { createPartitioner } from '../../../topology/engine/partition.ts'
import { Task } from '../../../topology/engine/task.ts'
import { type Ask, type AskFrame, definition, EXCHANGE, INPUT, key, OUTPUT, TASKS } from '../../fixtures/askers.ts'

const ASKER = key(0)
const TELLER = key(1)
const START = { input: 0, exchange: 0 }
const question = (asker = ASKER, tx = 0): Ask => ({ tx, outer: 0, inner: 0, asker, teller: TELLER, amount: 2 })

let sequence: number
beforeEach(() => {
  sequence = 0
})
const frame = (number: number, events: readonly Ask[] = [], final = false): AskFrame => ({
  header: { chain: 'alt', number, hash8: `h${number}`, sequence: ++sequence, time: 1, final },
  events,
})
const started = (partitions = 1, limits = DEFAULT_LIMITS) => {
  const task = new Task(definition(partitions), 0, limits)
  task.begin(START)
  return task
}
type AskTask = Task<Ask, FrameHeader>
const step = (task: AskTask, of: AskFrame, offset = of.header.sequence): boolean =>
  task.step({ offset, key: Buffer.alloc(0), value: Buffer.from(JSON.stringify({ type: 'frame', frame: of })) })
/** Numbers and words of what was said since the last call. */
const said = (task: AskTask): [number, string][] =>
  task
    .takeSaid()
    .filter(({ topic }) => topic === OUTPUT)
    .map(({ value }) => JSON.parse(Buffer.from(value ?? []).toString()) as unknown[])
    .map((line) => [line[0] as number, (line[8] as { what: string }).what])
const batchesOf = (task: AskTask): ExchangeBatch[] =>
  task
    .takeSaid()
    .filter(({ topic }) => topic === EXCHANGE)
    .map(({ value }) => exchangeCodec.decode(value as Uint8Array))
    .flatMap((read) => (read.ok ? [read.value] : []))
const emptyBatch = (writer: number, closedBy: number): ExchangeBatch => ({
  chain: 'alt',
  writer,
  epoch: 0,
  closedBy,
  facts: [],
  earlier: [],
})
const fromLog = (task: AskTask, batch: ExchangeBatch, offset: number): void =>
  task.stepExchange({ offset, key: Buffer.alloc(0), value: exchangeCodec.encode(batch) })

describe('facts of an epoch of four numbers', () => {
  const whenFolded = (...numbers: number[]): [number, string][] => {
    const task = started()
    task.fold(frame(numbers[0] as number, [question()]))
    for (const number of numbers.slice(1)) task.fold(frame(number))
    return said(task)
  }
  test('apply at the tick of the last number of the next epoch, the answer one epoch later', () => {
    expect(whenFolded(1, 2, 3, 4, 5, 6)).toEqual([])
    expect(whenFolded(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)).toEqual([
      [7, 'asked'],
      [11, 'told by teller'],
    ])
  })
  test('apply at the first frame after it, where that number was skipped', () => {
    expect(whenFolded(1, 4, 6, 8)).toEqual([[8, 'asked']])
  })
  test('apply after the frame that closes their epoch, where that comes late', () => {
    expect(whenFolded(2, 9)).toEqual([])
    expect(whenFolded(2, 9, 10)).toEqual([[10, 'asked']])
  })
  test('of several epochs due at one frame apply in the order of where they were said', () => {
    const task = started(1)
    task.fold(frame(44, [question(key(2))]))
    task.fold(frame(40, [question(key(3))]))
    task.fold(frame(4))
    task.fold(frame(60))
    const told = task.takeSaid().filter(({ topic }) => topic === OUTPUT)
    expect(told.map(({ value }) => (JSON.parse(Buffer.from(value ?? []).toString()) as unknown[])[0])).toEqual([60, 60])
    expect([...task.store('teller').snapshot()]).toHaveLength(1)
    task.fold(frame(64))
    task.fold(frame(80))
    const answers = task.takeSaid().filter(({ topic }) => topic === OUTPUT)
    const keys = answers.map(({ value }) => (JSON.parse(Buffer.from(value ?? []).toString()) as unknown[])[6])
    expect(keys).toEqual([key(3), key(2), key(2)])
  })
  test('are told once, to the partition of their key; a batch without facts goes to the others', () => {
    const task = started(3)
    task.fold(frame(1, [question(), question(ASKER, 1)]))
    task.fold(frame(2, [question()]))
    task.fold(frame(4))
    const partitionOf = createPartitioner(3, (text) => text)
    const batches = batchesOf(task)
    expect(batches.map(({ epoch, closedBy, writer }) => [epoch, closedBy, writer])).toEqual(Array(3).fill([0, 3, 0]))
    expect(batches.map(({ facts }) => facts.length)).toEqual([0, 1, 2].map((partition) => (partition === partitionOf(TELLER) ? 3 : 0)))
    expect(batches.flatMap(({ facts }) => facts.map(({ number, tx, n }) => [number, tx, n]))).toEqual([
      [1, 0, 0],
      [1, 1, 0],
      [2, 0, 0],
    ])
    for (const number of [5, 6]) task.fold(frame(number))
    expect(batchesOf(task)).toEqual([])
  })
  test('of all epochs that a commit closes are one record a partition, of a thousand facts or one epoch', () => {
    const task = started(2)
    const partitionOf = createPartitioner(2, (text) => text)
    const teller = [1, 2, 3, 4, 5, 6].map(key).find((name) => partitionOf(name) === 1) as string
    const asked = [3, 1, 0, 997, 3, 1_200, 0]
    for (const [epoch, count] of [...asked, 0].entries())
      task.fold(
        frame(
          epoch * 4,
          Array.from({ length: count }, (_, tx) => ({ ...question(ASKER, tx), teller })),
        ),
      )
    const told = batchesOf(task).map((record) => batchesIn(record).map(({ closedBy, facts }) => [closedBy, facts.length]))
    const closings = asked.map((count, epoch) => [epoch + 2, count])
    expect(told).toEqual([
      closings.map(([closedBy]) => [closedBy, 0]),
      closings.slice(0, 3),
      closings.slice(3, 5),
      closings.slice(5, 6),
      closings.slice(6),
    ])
  })
  test('are the same from a record of several epochs and from one for each', () => {
    const whenTold = (tell: (task: AskTask, batches: ExchangeBatch[]) => void): [number, string][] => {
      sequence = 0
      const task = started(2)
      for (const number of [1, 4]) step(task, frame(number))
      const fact = { number: 1, tx: 0, outer: 0, inner: 0, from: 'asker', fromKey: ASKER as Key, n: 0, to: 'teller', toKey: TELLER as Key }
      const facts = [{ ...fact, body: { type: 'launched' as const, at: 1 } }]
      tell(task, [{ ...emptyBatch(1, 2), facts }, emptyBatch(1, 3)])
      for (const number of [8, 12]) expect(step(task, frame(number))).toBe(true)
      return said(task)
    }
    const apart = whenTold((task, batches) => batches.forEach((batch, offset) => void fromLog(task, batch, offset)))
    expect(
      whenTold((task, [before, newest]) => fromLog(task, { ...(newest as ExchangeBatch), earlier: [before as ExchangeBatch] }, 0)),
    ).toEqual(apart)
    expect(apart).toEqual([[8, 'asked']])
  })
})

describe('a task of several', () => {
  test('folds up to the frame that needs the others, and that one when the last of them has told', () => {
    const task = started(3)
    for (const number of [1, 4, 6]) expect(step(task, frame(number))).toBe(true)
    const due = frame(7)
    expect(step(task, due)).toBe(false)
    task.offer(emptyBatch(1, 2))
    expect(step(task, due)).toBe(false)
    task.offer(emptyBatch(2, 9))
    expect(step(task, due)).toBe(false)
    expect(task.isWaiting).toBe(true)
    fromLog(task, emptyBatch(2, 2), 0)
    expect(task.isWaiting).toBe(false)
    expect(step(task, due)).toBe(true)
  })
  test('a batch twice, handed over and from the log, is one', () => {
    const task = started(2)
    const fact = { number: 1, tx: 0, outer: 0, inner: 0, from: 'asker', fromKey: ASKER as Key, n: 0, to: 'teller', toKey: TELLER as Key }
    const batch = { ...emptyBatch(1, 2), facts: [{ ...fact, body: { type: 'launched' as const, at: 1 } }] }
    step(task, frame(1))
    step(task, frame(4))
    task.offer(batch)
    fromLog(task, batch, 0)
    fromLog(task, batch, 1)
    step(task, frame(7))
    expect(said(task)).toEqual([[7, 'asked']])
  })
  test('a batch that never came, though later ones did, stops the task', () => {
    const task = started(2)
    for (const number of [1, 4]) step(task, frame(number))
    fromLog(task, emptyBatch(1, 5), 0)
    expect(() => step(task, frame(7))).toThrow(expect.objectContaining({ code: 'exchange_torn', retriable: false }))
  })
  test('reads ahead within its limit', () => {
    const task = started(2, { ...DEFAULT_LIMITS, exchangeFactsMax: 2 })
    expect(task.hasRoom).toBe(true)
    for (const closedBy of [50, 60]) task.offer(emptyBatch(1, closedBy))
    expect(task.hasRoom).toBe(false)
    expect(new Task({ ...definition(1), exchange: undefined as never }, 0, DEFAULT_LIMITS).hasRoom).toBe(false)
  })
})

describe('the offset where a restart reads the exchange', () => {
  const offsetOf = (task: AskTask): number | undefined => task.takeCommit().inputs.get(`${EXCHANGE.name}/0`)
  test('stays at the oldest batch that a frame needs, or needed that may be taken back', () => {
    const task = started(2)
    step(task, frame(1))
    fromLog(task, emptyBatch(1, 2), 10)
    fromLog(task, emptyBatch(1, 9), 11)
    expect(offsetOf(task)).toBe(10)
    for (const number of [4, 7]) step(task, frame(number))
    expect(offsetOf(task)).toBe(10)
    task.finality({ chain: 'alt', sequence: ++sequence, confirmed: 7, finalized: 7 })
    expect(offsetOf(task)).toBe(11)
  })
  test('goes on past what final frames used, and past what a dead branch closed', () => {
    const task = started(2)
    step(task, frame(1, [], true))
    fromLog(task, emptyBatch(1, 2), 10)
    for (const number of [4, 7]) step(task, frame(number, [], true))
    expect(offsetOf(task)).toBe(11)
    step(task, frame(8))
    fromLog(task, emptyBatch(1, 4), 11)
    expect(offsetOf(task)).toBe(11)
    task.revert({ chain: 'alt', sequence: ++sequence, number: 7, hash8: 'h7' })
    expect(offsetOf(task)).toBe(12)
    fromLog(task, emptyBatch(1, 4), 12)
    expect(offsetOf(task)).toBe(13)
  })
  test('is not kept back by epochs that are over: their rows are gone', () => {
    const task = started()
    for (let number = 0; number < 40; number++) step(task, frame(number, [], true))
    const record = task.takeCommit().outputs.find(({ topic }) => topic === TASKS)
    expect(taskState.decode(record?.value as Uint8Array).closings).toHaveLength(0)
  })
  test('stands beside the offset of the input', () => {
    const task = started(2)
    step(task, frame(1), 7)
    expect([...task.takeCommit().inputs]).toEqual([
      [`${INPUT.name}/0`, 8],
      [`${EXCHANGE.name}/0`, 0],
    ])
  })
})
