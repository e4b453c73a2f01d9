import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { Task } from '../../../topology/engine/task.ts'
import {
  account,
  CHANGELOG,
  DEAD,
  definition,
  frame,
  frameBytes,
  OUTPUT,
  processor,
  QUIET_S,
  type Transfer,
} from '../../fixtures/transfers.ts'

const START = { input: 0, exchange: 0 }
const A = account(0)
const B = account(1)
const transfer = (tx: number, of: string, amount: number, peer = 'p'): Transfer => ({ tx, log: tx, account: of, peer, amount })
const started = (limits = DEFAULT_LIMITS) => {
  const task = new Task(definition(), 0, limits)
  task.begin(START)
  return task
}
const outputsOf = (task: ReturnType<typeof started>): unknown[] =>
  task
    .takeOutputs()
    .filter((record) => record.topic === OUTPUT)
    .map((record) => JSON.parse(Buffer.from(record.value ?? []).toString()) as unknown)
const pagesOf = (task: ReturnType<typeof started>) => task.takeCommit().outputs.filter(({ topic }) => topic === CHANGELOG)

describe('a task', () => {
  test('reports the third transfer at its own position', () => {
    const task = started()
    task.fold(frame(10, [transfer(0, A, 1), transfer(1, A, 2), transfer(2, A, 3)]))
    expect(outputsOf(task)).toEqual([[10, 2, 2, 0, { what: 'third', sum: 6 }]])
  })

  test('has output to send after one emission, until it is committed', () => {
    const task = started()
    task.fold(frame(10, [transfer(0, A, 1), transfer(1, A, 2)]))
    expect(task.hasConclusions).toBe(false)
    task.fold(frame(11, [transfer(0, A, 3)]))
    expect(task.hasConclusions).toBe(true)
    task.takeCommit()
    expect(task.hasConclusions).toBe(false)
  })

  test('fires a timer once at the first tick at or after its second, at the position of the tick', () => {
    const task = started()
    task.fold(frame(10, [transfer(0, A, 5)]))
    task.fold(frame(10 + QUIET_S * 10 - 1, [], QUIET_S))
    expect(outputsOf(task)).toEqual([])
    task.fold(frame(10 + QUIET_S * 10, [], 1 + QUIET_S))
    expect(outputsOf(task)).toEqual([[210, 4294967295, 4294967295, 0, { what: 'quiet', sum: 5 }]])
    task.fold(frame(9_999, []))
    expect(outputsOf(task)).toEqual([])
  })

  test('fires timers of one tick by due time, then key', () => {
    const task = started()
    task.fold(frame(10, [transfer(0, B, 5), transfer(1, A, 6)]))
    task.fold(frame(20, [transfer(0, account(2), 7, 'q')]))
    task.fold(frame(9_999, []))
    const sums = outputsOf(task).map((line) => (line as [number, number, number, number, { sum: number }])[4].sum)
    expect(sums).toEqual([6, 5, 7])
  })

  test('restores rows and timers from the changelog and continues unchanged', () => {
    const [first, whole] = [started(), started()]
    for (const task of [first, whole]) task.fold(frame(10, [transfer(0, A, 5), transfer(1, B, 1), transfer(2, B, 1)]))
    whole.takeOutputs()
    const pages = pagesOf(first)
    const restored = new Task(definition(), 0, DEFAULT_LIMITS)
    restored.restore(CHANGELOG, pages)
    restored.begin({ ...START, input: 1 })
    for (const task of [restored, whole]) {
      task.fold(frame(20, [transfer(0, B, 1)]))
      task.fold(frame(9_999, []))
    }
    expect(outputsOf(restored)).toEqual(outputsOf(whole))
    expect(restored.store('transfers').snapshot()).toEqual(whole.store('transfers').snapshot())
  })

  test('turns invalid bytes into a dead letter and advances the offset', () => {
    const task = started()
    task.step({ offset: 7, key: Buffer.alloc(0), value: Buffer.from('bad') })
    const { outputs, inputs } = task.takeCommit()
    expect(outputs.map(({ topic, value }) => [topic.name, Buffer.from(value ?? []).toString()])).toEqual([[DEAD.name, 'bad_encoding']])
    expect(inputs.get('test.input/0')).toBe(8)
  })

  test('writes tombstones for the pages of a deleted key and keeps no row', () => {
    const task = started()
    task.fold(frame(10, [transfer(0, A, 5)]))
    expect(pagesOf(task).map(({ value }) => value !== null)).toEqual([true])
    task.fold(frame(11, [transfer(0, A, 13)]))
    expect(pagesOf(task).map(({ value }) => value)).toEqual([null])
    expect(task.store('transfers').size).toBe(0)
  })

  test('spreads rows beyond a page over pages, and writes only changed pages', () => {
    const task = started()
    task.fold(
      frame(
        10,
        Array.from({ length: 1_500 }, (_, tx) => transfer(tx, A, 1, `peer${tx}`)),
      ),
    )
    expect(pagesOf(task)).toHaveLength(1 + 32)
    task.fold(frame(11, [transfer(0, A, 1, 'peer3')]))
    const pages = pagesOf(task)
    expect(pages).toHaveLength(2)
    expect(Math.max(...pages.map(({ value }) => value?.length ?? 0))).toBeLessThan(2_000)
  })

  test('throws a bug instead of hanging if a processor keeps scheduling into the past', () => {
    const task = new Task(definition({ ...processor, onTime: (ctx, name) => ctx.schedule(name, 0) }), 0, {
      ...DEFAULT_LIMITS,
      timersPerTickMax: 10,
    })
    task.begin(START)
    task.fold(frame(10, [transfer(0, A, 1)]))
    expect(() => task.fold(frame(9_999, []))).toThrow(/without end/)
  })

  test('refuses a tick whose time decreases', () => {
    const task = started()
    task.fold(frame(100, []))
    expect(() => task.fold(frame(101, [], 1))).toThrow(expect.objectContaining({ code: 'time_fell' }))
  })

  test('gives the same result for a frame read from records and one folded directly', () => {
    const [read, folded] = [started(), started()]
    const batch = frame(10, [transfer(0, A, 1), transfer(1, A, 2), transfer(2, A, 3)])
    read.step({ offset: 0, key: Buffer.alloc(0), value: frameBytes(batch) })
    folded.fold(batch)
    expect(outputsOf(read)).toEqual(outputsOf(folded))
  })
})
