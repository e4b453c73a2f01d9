import { exchangeCodec } from '../../../schemas/codecs.ts'
import { encodeClosings, encodeCut } from '../../../topology/engine/exchange/exchange-record.ts'
import { type AskTask, empty, emptyRecord, FACT, frames, fromLog, outputsOf, started, step } from '../../fixtures/exchange-records.ts'

let { frame } = frames()
beforeEach(() => {
  ;({ frame } = frames())
})

describe('messages in repartition records', () => {
  test('are the same from one record of several epochs, one record per epoch, and records of the older layout', () => {
    const outputsAfter = (deliver: (task: AskTask) => void): [number, string][] => {
      ;({ frame } = frames())
      const task = started(2)
      for (const number of [1, 4]) step(task, frame(number))
      deliver(task)
      for (const number of [8, 12]) expect(step(task, frame(number))).toBe(true)
      return outputsOf(task)
    }
    const closings = [
      { epoch: 0, closedBy: 2, facts: new Map([[0, [FACT]]]) },
      { epoch: 1, closedBy: 3, facts: new Map([[1, [FACT]]]) },
    ]
    const whole = outputsAfter((task) => fromLog(task, 1, encodeClosings('alt', 1, closings)[0] as Buffer, 0))
    const apart = outputsAfter((task) => {
      for (const [offset, closing] of closings.entries()) fromLog(task, 1, encodeClosings('alt', 1, [closing])[0] as Buffer, offset)
    })
    const older = outputsAfter((task) => {
      const before = { epoch: 0, closedBy: 2, facts: [FACT] }
      fromLog(task, 0, exchangeCodec.encode({ ...empty(1, 3), epoch: 1, earlier: [before], closings: [], cut: false }), 0)
    })
    expect(whole).toEqual([[8, 'asked']])
    expect([apart, older]).toEqual([whole, whole])
  })
  test('of the older layout are only for the task of their partition', () => {
    const task = started(2)
    for (const number of [1, 4]) step(task, frame(number))
    fromLog(task, 1, exchangeCodec.encode({ ...empty(1, 2), earlier: [], closings: [], cut: false }), 0)
    expect(step(task, frame(8))).toBe(false)
    expect(task.awaits).toEqual([1])
  })
  test('are skipped by programs that know only the older layout', () => {
    const read = exchangeCodec.decode(emptyRecord(1, 2))
    expect(read).toMatchObject({ ok: true, value: { epoch: -1, closedBy: -1, facts: [], earlier: [] } })
  })
  test('of a generation before a cut do not count', () => {
    const task = started(2)
    for (const number of [1, 4]) step(task, frame(number))
    fromLog(task, 1, encodeClosings('alt', 1, [{ epoch: 0, closedBy: 2, facts: new Map([[0, [FACT]]]) }])[0] as Buffer, 0)
    fromLog(task, 1, emptyRecord(1, 5), 1)
    fromLog(task, 1, encodeCut('alt', 1), 2)
    expect(step(task, frame(8))).toBe(false)
    fromLog(task, 1, emptyRecord(1, 2), 3)
    for (const number of [8, 9]) expect(step(task, frame(number))).toBe(true)
    expect(outputsOf(task)).toEqual([])
  })
  test('that cannot be read are a dead letter of their receiver', () => {
    const task = started(2)
    const broken = (partition: number, closedBy: number): Buffer =>
      exchangeCodec.encode({
        ...empty(1, -1),
        earlier: [],
        closings: [{ epoch: 0, closedBy, parts: [{ partition, facts: Buffer.from([2]) }] }],
        cut: false,
      })
    fromLog(task, 1, broken(1, 2), 0)
    fromLog(task, 1, Buffer.from([9]), 1)
    expect(() => fromLog(task, 1, broken(0, 3), 2)).toThrow('bad_encoding')
    expect(() => fromLog(task, 0, Buffer.from([9]), 0)).toThrow('bad_encoding')
  })
})
