import { exchangeCodec } from '../../../schemas/codecs.ts'
import type { Fact } from '../../../schemas/types.ts'
import { encodeClosings, readExchange } from '../../../topology/engine/exchange/exchange-record.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { createPartitioner } from '../../../topology/engine/partition.ts'
import { taskState } from '../../../topology/engine/rows/own-rows.ts'
import { Task } from '../../../topology/engine/task.ts'
import { definition, EXCHANGE, INPUT, key, OUTPUT, TASKS } from '../../fixtures/askers.ts'
import {
  ASKER,
  type AskTask,
  empty,
  emptyRecord,
  epochsFor,
  FACT,
  frames,
  fromLog,
  outputsOf,
  question,
  recordsOf,
  started,
  step,
  TELLER,
} from '../../fixtures/exchange-records.ts'

let { next, frame } = frames()
beforeEach(() => {
  ;({ next, frame } = frames())
})

describe('messages of an epoch of four numbers', () => {
  const whenFolded = (...numbers: number[]): [number, string][] => {
    const task = started()
    task.fold(frame(numbers[0] as number, [question()]))
    for (const number of numbers.slice(1)) task.fold(frame(number))
    return outputsOf(task)
  }
  test('apply at the tick of the last number of the next epoch, and the answer one epoch later', () => {
    expect(whenFolded(1, 2, 3, 4, 5, 6)).toEqual([])
    expect(whenFolded(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)).toEqual([
      [7, 'asked'],
      [11, 'told by teller'],
    ])
  })
  test('apply at the first frame after it if that number was skipped', () => {
    expect(whenFolded(1, 4, 6, 8)).toEqual([[8, 'asked']])
  })
  test('apply after the frame that closes their epoch if that frame is late', () => {
    expect(whenFolded(2, 9)).toEqual([])
    expect(whenFolded(2, 9, 10)).toEqual([[10, 'asked']])
  })
  test('of several epochs due at one frame apply in the order in which they were sent', () => {
    const task = started(1)
    task.fold(frame(44, [question(key(2))]))
    task.fold(frame(40, [question(key(3))]))
    task.fold(frame(4))
    task.fold(frame(60))
    const outputs = task.takeOutputs().filter(({ topic }) => topic === OUTPUT)
    expect(outputs.map(({ value }) => (JSON.parse(Buffer.from(value ?? []).toString()) as unknown[])[0])).toEqual([60, 60])
    expect([...task.store('teller').snapshot()]).toHaveLength(1)
    task.fold(frame(64))
    task.fold(frame(80))
    const answers = task.takeOutputs().filter(({ topic }) => topic === OUTPUT)
    const keys = answers.map(({ value }) => (JSON.parse(Buffer.from(value ?? []).toString()) as unknown[])[6])
    expect(keys).toEqual([key(3), key(2), key(2)])
  })
  test("are sent in one record to their task's own partition, grouped by the partition of their key", () => {
    const task = started(3)
    task.fold(frame(1, [question(), question(ASKER, 1)]))
    task.fold(frame(2, [question()]))
    task.fold(frame(4))
    const records = recordsOf(task)
    expect(records.map(({ partition }) => partition)).toEqual([0])
    const { batch } = records[0] as (typeof records)[0]
    const { writer, closings } = batch
    const partition = createPartitioner(3, (text) => text)(TELLER)
    expect([writer, closings.map(({ epoch, closedBy, parts }) => [epoch, closedBy, parts.map((part) => part.partition)])]).toEqual([
      0,
      [[0, 3, [partition]]],
    ])
    const [[, facts]] = epochsFor(batch, partition) as [[number, Fact[]]]
    expect(facts.map(({ number, tx, n }) => [number, tx, n])).toEqual([
      [1, 0, 0],
      [1, 1, 0],
      [2, 0, 0],
    ])
    for (const number of [5, 6]) task.fold(frame(number))
    expect(recordsOf(task)).toEqual([])
  })
  test('of all epochs closed by a commit share a record, up to a thousand messages or one epoch', () => {
    const task = started(2)
    const partition = 1
    const teller = [1, 2, 3, 4, 5, 6].map(key).find((name) => createPartitioner(2, (text) => text)(name) === partition) as string
    const asked = [3, 1, 0, 997, 3, 1_200, 0]
    for (const [epoch, count] of [...asked, 0].entries())
      task.fold(
        frame(
          epoch * 4,
          Array.from({ length: count }, (_, tx) => ({ ...question(ASKER, tx), teller })),
        ),
      )
    const closings = asked.map((count, epoch) => [epoch + 2, count])
    const records = recordsOf(task).map(({ batch }) => epochsFor(batch, partition).map(([closedBy, facts]) => [closedBy, facts.length]))
    expect(records).toEqual([closings.slice(0, 3), closings.slice(3, 5), closings.slice(5, 6), closings.slice(6)])
  })
})

describe('a task among several', () => {
  test("folds up to the frame that needs the others' barriers, and that frame once the last has arrived", () => {
    const task = started(3)
    for (const number of [1, 4, 6]) expect(step(task, frame(number))).toBe(true)
    const due = frame(7)
    expect(step(task, due)).toBe(false)
    expect(task.awaits).toEqual([1, 2])
    task.exchange?.offer(empty(1, 2))
    expect(step(task, due)).toBe(false)
    task.exchange?.offer(empty(2, 9))
    expect(step(task, due)).toBe(false)
    expect(task.awaits).toEqual([2])
    fromLog(task, 2, emptyRecord(2, 2), 0)
    expect(task.isWaiting).toBe(false)
    expect(step(task, due)).toBe(true)
  })
  test('counts a batch once that arrives by hand-over and from the log', () => {
    const task = started(2)
    const record = encodeClosings('alt', 1, [{ epoch: 0, closedBy: 2, facts: new Map([[0, [FACT]]]) }])[0] as Buffer
    step(task, frame(1))
    step(task, frame(4))
    task.exchange?.offer({ ...empty(1, 2), facts: [FACT] })
    fromLog(task, 1, record, 0)
    fromLog(task, 1, record, 1)
    step(task, frame(7))
    expect(outputsOf(task)).toEqual([[7, 'asked']])
  })
  test('uses what another process tells before it is committed, and only that', () => {
    const task = started(2)
    const tell = (chain: 'alt' | 'solana', writer: number, closedBy: number): void => {
      const closing = { epoch: 0, closedBy, facts: new Map([[0, [FACT]]]) }
      const value = encodeClosings(chain, writer, [closing])[0] as Buffer
      task.exchange?.hear(readExchange(writer, { offset: 0, key: Buffer.alloc(0), value }))
    }
    for (const number of [1, 4]) step(task, frame(number))
    const due = frame(7)
    // Of another chain, by the task itself, an epoch that is not due, no record at all.
    tell('solana', 1, 2)
    tell('alt', 0, 2)
    tell('alt', 1, 1)
    task.exchange?.hear(readExchange(1, { offset: 0, key: Buffer.alloc(0), value: Buffer.from('nonsense') }))
    expect(step(task, due)).toBe(false)
    expect(task.awaits).toEqual([1])
    for (let times = 0; times < 2; times++) tell('alt', 1, 2)
    expect(step(task, due)).toBe(true)
    fromLog(task, 1, encodeClosings('alt', 1, [{ epoch: 0, closedBy: 2, facts: new Map([[0, [FACT]]]) }])[0] as Buffer, 0)
    expect(outputsOf(task)).toEqual([[7, 'asked']])
  })
  test('stops if a batch is missing though later ones arrived', () => {
    const task = started(2)
    for (const number of [1, 4]) step(task, frame(number))
    fromLog(task, 1, emptyRecord(1, 5), 0)
    expect(task.isWaiting).toBe(false)
    expect(() => step(task, frame(7))).toThrow(expect.objectContaining({ code: 'exchange_torn', retriable: false }))
  })
  test('reads ahead up to its limit', () => {
    const task = started(2, { ...DEFAULT_LIMITS, exchangeFactsMax: 2 })
    expect(task.hasRoom).toBe(true)
    for (const closedBy of [50, 60]) task.exchange?.offer(empty(1, closedBy))
    expect(task.hasRoom).toBe(false)
    expect(new Task({ ...definition(1), exchange: undefined as never }, 0, DEFAULT_LIMITS).hasRoom).toBe(false)
  })
})

describe('the repartition offset of a restart', () => {
  const offsetOf = (task: AskTask): number | undefined => task.takeCommit().inputs.get(`${EXCHANGE.name}/0`)
  test('stays at the oldest own record that a frame needs, or needed and may be rolled back', () => {
    const task = started(2)
    step(task, frame(1))
    fromLog(task, 1, emptyRecord(1, 2), 70)
    fromLog(task, 0, emptyRecord(0, 2), 10)
    fromLog(task, 0, emptyRecord(0, 9), 11)
    expect(offsetOf(task)).toBe(10)
    for (const number of [4, 7]) step(task, frame(number))
    expect(offsetOf(task)).toBe(10)
    task.finality({ chain: 'alt', sequence: next(), confirmed: 7, finalized: 7 })
    expect(offsetOf(task)).toBe(11)
  })
  test('stays at a record of the older layout that a frame needs', () => {
    const task = started(2)
    step(task, frame(1))
    fromLog(task, 0, exchangeCodec.encode({ ...empty(1, 2), earlier: [], closings: [], cut: false }), 10)
    fromLog(task, 0, emptyRecord(0, 9), 11)
    expect(offsetOf(task)).toBe(10)
  })
  test('moves past records that final frames used, and past those that an orphaned branch closed', () => {
    const task = started(2)
    step(task, frame(1, [], true))
    fromLog(task, 0, emptyRecord(0, 2), 10)
    fromLog(task, 1, emptyRecord(1, 2), 10)
    for (const number of [4, 7]) step(task, frame(number, [], true))
    expect(offsetOf(task)).toBe(11)
    step(task, frame(8))
    fromLog(task, 0, emptyRecord(0, 4), 11)
    expect(offsetOf(task)).toBe(11)
    task.revert({ chain: 'alt', sequence: next(), number: 7, hash8: 'h7' })
    expect(offsetOf(task)).toBe(12)
    fromLog(task, 0, emptyRecord(0, 4), 12)
    expect(offsetOf(task)).toBe(13)
  })
  test('is not held back by completed epochs: their rows are removed', () => {
    const task = started()
    for (let number = 0; number < 40; number++) step(task, frame(number, [], true))
    const record = task.takeCommit().outputs.find(({ topic }) => topic === TASKS)
    expect(taskState.decode(record?.value as Uint8Array).closings).toHaveLength(0)
  })
  test('is committed with the offset of the input', () => {
    const task = started(2)
    step(task, frame(1), 7)
    expect([...task.takeCommit().inputs].slice(0, 2)).toEqual([
      [`${INPUT.name}/0`, 8],
      [`${EXCHANGE.name}/0`, 0],
    ])
  })
})
