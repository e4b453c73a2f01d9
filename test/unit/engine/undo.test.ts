// Rolling back frames: the undo log in the journal and on the changelog, and the error of a fork that is too deep.
import type { FrameHeader } from '../../../processors/contract.ts'
import { loadType } from '../../../schemas/avro.ts'
import type { TaskState } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { taskState } from '../../../topology/engine/rows/own-rows.ts'
import { type Kind, pageKey, parsePageKey } from '../../../topology/engine/rows/state-type.ts'
import { Task } from '../../../topology/engine/task.ts'
import { Journal, type Noted, type UndoGroup } from '../../../topology/engine/undo/journal.ts'
import { restoreUndo, undoPages } from '../../../topology/engine/undo/undo-record.ts'
import type { OutRecord } from '../../../topology/ports/log.ts'
import { type Ask, type AskFrame, definition, key, state, TASKS } from '../../fixtures/askers.ts'

const START = { input: 0, exchange: 0 }
const header = (number: number, final = false): FrameHeader => ({
  chain: 'alt',
  number,
  hash8: `h${number}`,
  sequence: number,
  time: number,
  final,
})
const frame = (number: number, final = false): AskFrame => ({
  header: header(number, final),
  events: [{ tx: 0, outer: 0, inner: 0, asker: key(number % 3), teller: key(1), amount: 3 }],
})
const started = (limits = {}) => {
  const task = new Task(definition(1), 0, { ...DEFAULT_LIMITS, ...limits })
  task.begin(START)
  return task
}
const to = (number: number, sequence = 1_000) => ({ chain: 'alt' as const, sequence, number, hash8: `h${number}` })
const exhausted = expect.objectContaining({ code: 'undo_exhausted', retriable: false })

const outputsOf = (task: ReturnType<typeof started>): readonly OutRecord[] => task.takeCommit().outputs
const restarted = (records: readonly OutRecord[]) => {
  const task = new Task(definition(1), 0, DEFAULT_LIMITS)
  for (const one of records) if (task.changelogs.includes(one.topic)) task.restore(one.topic, [one])
  task.begin(START)
  return task
}
const former = loadType('former/task-state-1')
/** Own rows and undo as older versions wrote them. */
const inFormerShape = (record: OutRecord): OutRecord[] => {
  if (record.topic !== TASKS || record.value === null) return [record]
  const { undoFrames, ...rows } = taskState.decode(record.value) as unknown as TaskState
  if (undoFrames.length === 0) return [{ ...record, value: former.toBuffer(rows) }]
  return undoFrames.map((undo) => ({
    ...record,
    key: pageKey(`askers-0/undo/${undo.sequence}`, 0),
    value: former.toBuffer({ ...rows, undo }),
  }))
}

/** Keys of undo records in a commit: written and deleted. */
const undoOf = (task: Task<Ask, FrameHeader>): { written: string[]; gone: string[] } => {
  const records = task.takeCommit().outputs.filter(({ topic, key: name }) => topic === TASKS && parsePageKey(name).key.includes('/undo/'))
  const names = (isGone: boolean) =>
    records.filter(({ value }) => (value === null) === isGone).map(({ key: name }) => parsePageKey(name).key)
  return { written: names(false), gone: names(true) }
}

describe('the undo log of a task', () => {
  test('is written with the commit for frames that may be rolled back, and deleted once they are final', () => {
    const task = started()
    for (const number of [1, 2, 3]) task.fold(frame(number))
    expect(undoOf(task)).toEqual({ written: ['askers-0/undo/1'], gone: [] })
    task.fold(frame(4))
    task.finality({ chain: 'alt', sequence: 5, confirmed: 3, finalized: 2 })
    expect(undoOf(task)).toEqual({ written: ['askers-0/undo/4'], gone: [] })
    task.finality({ chain: 'alt', sequence: 6, confirmed: 3, finalized: 3 })
    expect(undoOf(task)).toEqual({ written: [], gone: ['askers-0/undo/1'] })
    task.fold(frame(7, true))
    expect(undoOf(task)).toEqual({ written: [], gone: ['askers-0/undo/4'] })
  })
  test('is written again for the remaining frames of a commit after a fork', () => {
    const task = started()
    for (const number of [1, 2, 3]) task.fold(frame(number))
    undoOf(task)
    task.revert(to(2))
    expect(undoOf(task)).toEqual({ written: ['askers-0/undo/1'], gone: [] })
    task.revert({ ...to(1), sequence: 1_001 })
    task.fold({ ...frame(2), header: { ...header(2), sequence: 1_002 } })
    expect(undoOf(task)).toEqual({ written: ['askers-0/undo/1'], gone: [] })
  })
  test('is not written for frames folded and rolled back between two commits', () => {
    const task = started()
    task.fold(frame(1))
    undoOf(task)
    for (const number of [2, 3]) task.fold(frame(number))
    task.revert(to(1))
    expect(undoOf(task)).toEqual({ written: [], gone: [] })
    task.fold({ ...frame(2), header: { ...header(2), sequence: 9 } })
    undoOf(task)
    task.revert(to(1))
    expect(undoOf(task)).toEqual({ written: [], gone: ['askers-0/undo/9'] })
  })
  test.each([
    ['frames', { undoFramesMax: 3 }],
    ['bytes', { undoBytesMax: 2_000 }],
  ])('is bounded in %s: the oldest records are deleted, from the changelog too', (_what, limits) => {
    const task = started(limits)
    const kept = new Set<string>()
    for (let number = 1; number <= 60; number++) {
      task.fold(frame(number))
      const { written, gone } = undoOf(task)
      for (const name of written) kept.add(name)
      for (const name of gone) expect(kept.delete(name)).toBe(true)
      expect(kept.size).toBeLessThanOrEqual(10)
    }
    const oldest = 60 - kept.size
    expect(() => task.revert(to(oldest - 1))).toThrow(exhausted)
    expect(() => task.revert(to(oldest))).not.toThrow()
  })
  test('rolls back confirmed frames too, down to the fork point', () => {
    const reported: (number | null)[] = []
    const progress: NonNullable<ReturnType<typeof definition>['progress']> = ({ standing }, partition) => {
      reported.push(standing.confirmed)
      return { topic: TASKS, partition, key: Buffer.from('progress'), value: null }
    }
    const task = new Task({ ...definition(1), progress }, 0, DEFAULT_LIMITS)
    task.begin(START)
    for (const number of [1, 2, 3, 4]) task.fold(frame(number))
    task.takeCommit()
    task.finality({ chain: 'alt', sequence: 5, confirmed: 3, finalized: 1 })
    task.takeCommit()
    for (const stays of [3, 2]) {
      task.revert(to(stays, 10 - stays))
      task.takeCommit()
    }
    task.fold({ ...frame(3), header: { ...header(3), sequence: 11 } })
    task.takeCommit()
    expect(reported).toEqual([null, 3, 3, 2, 2])
  })
  test('has no final frames after a restart, even if their record has later ones', () => {
    const task = started()
    for (const number of [1, 2, 3]) task.fold(frame(number))
    const records = outputsOf(task)
    task.finality({ chain: 'alt', sequence: 4, confirmed: 2, finalized: 2 })
    const again = restarted([...records, ...outputsOf(task)])
    expect(() => again.revert(to(1))).toThrow(exhausted)
    expect(() => again.revert(to(2))).not.toThrow()
    expect(undoOf(again)).toEqual({ written: [], gone: ['askers-0/undo/1'] })
  })
  test('of older versions, a record of another shape for each frame, is restored and deleted like its own', () => {
    const [task, expected] = [started(), started()]
    for (const number of [1, 2, 3]) task.fold(frame(number))
    expected.fold(frame(1))
    const again = restarted(outputsOf(task).flatMap(inFormerShape))
    again.revert(to(1))
    expect(again.store('asker').snapshot()).toEqual(expected.store('asker').snapshot())
    expect(undoOf(again)).toEqual({ written: [], gone: ['askers-0/undo/3', 'askers-0/undo/2'] })
  })
  test('has no record for final frames', () => {
    const task = started()
    for (const number of [1, 2]) task.fold(frame(number, true))
    expect(undoOf(task)).toEqual({ written: [], gone: [] })
    expect(() => task.revert(to(1))).toThrow(exhausted)
  })
})

describe('a revert', () => {
  test('to the newest frame, or before any frame, changes nothing', () => {
    const task = started()
    expect(() => task.revert(to(4))).not.toThrow()
    task.fold(frame(5))
    const rows = task.store('asker').snapshot()
    task.revert(to(5))
    expect(task.store('asker').snapshot()).toEqual(rows)
  })
  test('to the last final frame rolls back everything after it', () => {
    const task = started()
    task.fold(frame(1, true))
    const rows = task.store('asker').snapshot()
    for (const number of [2, 3]) task.fold(frame(number))
    task.revert({ ...to(1), dead: [to(3), to(2)] })
    expect(task.store('asker').snapshot()).toEqual(rows)
  })
  test('to a frame beyond all folded ones changes nothing: the frames before it have expired', () => {
    const task = started()
    for (const number of [1, 2, 3]) task.fold(frame(number))
    const rows = task.store('asker').snapshot()
    task.revert(to(7))
    expect(task.store('asker').snapshot()).toEqual(rows)
    expect(() => task.fold(frame(8))).not.toThrow()
  })
  test('to a number with another hash is refused and changes nothing', () => {
    const task = started()
    for (const number of [1, 2, 3]) task.fold(frame(number))
    const rows = task.store('asker').snapshot()
    expect(() => task.revert({ ...to(2), hash8: 'other' })).toThrow(exhausted)
    expect(task.store('asker').snapshot()).toEqual(rows)
  })
  test('that names other frames than the folded ones is a bug', () => {
    const task = started()
    for (const number of [1, 2, 3]) task.fold(frame(number))
    expect(() => task.revert({ ...to(1), dead: [to(3)] })).toThrow(/does not name the frames/)
  })
  test('lets time decrease to that of the remaining frame, but not further', () => {
    const task = started()
    for (const number of [10, 20, 30]) task.fold(frame(number))
    task.revert(to(10))
    expect(() => task.fold({ ...frame(40), header: { ...header(40), time: 9 } })).toThrow(/tick time went back/)
    expect(() => task.fold({ ...frame(41), header: { ...header(41), time: 10 } })).not.toThrow()
  })
})

test('the undo record of a frame with thousands of rows survives paging, with only the first entry of each row', () => {
  const journal = new Journal(DEFAULT_LIMITS)
  journal.begin({ sequence: 7, number: 70, hash8: 'h', time: 700 }, { number: 69, hash8: 'g' }, false)
  const [peers, total] = [state.byName.get('peers') as Kind, state.byName.get('total') as Kind]
  const [asker, other, teller] = ['asker', 'asker', 'teller'].map((_, n) => ({ key: key(n + (n === 2 ? 1 : 0)), noted: undefined }))
  const entries = Array.from({ length: 6_000 }, (_, n) => {
    const before = n % 3 === 0 ? undefined : { peer: `p${n}`.padEnd(60, 'x'), times: n }
    return { of: n % 2 === 0 ? asker : other, id: `p${n}`.padEnd(60, 'x'), before }
  })
  for (const { of, id, before } of entries) journal.note(of as Noted, 'asker', peers, id, before)
  journal.note(teller as Noted, 'teller', total, undefined, { sum: 1, facts: 2, last: 'x' })
  for (const { of, id } of entries.slice(0, 100)) {
    journal.remove(of as Noted, 'asker', peers, id)
    journal.note(of as Noted, 'asker', peers, id)
  }
  journal.end(['ask.output'])
  const [frame] = journal.fresh()
  const pages = undoPages(frame as never, () => state)
  expect(pages.length).toBeGreaterThan(3)
  const bytes = pages.map(({ before }) => before.reduce((sum, { rows }) => sum + rows.length, 0))
  expect(Math.max(...bytes)).toBeLessThan(128 * 1024)
  const restored = new Journal(DEFAULT_LIMITS)
  const undo = { name: 'askers-0/undo/7', pages: pages.length, last: pages.length - 1, frames: [...pages].reverse() }
  restoreUndo([undo], restored, () => state)
  const [back] = restored.frames
  expect({ ...back, groups: [] }).toMatchObject({
    sequence: 7,
    number: 70,
    time: 700,
    parent: { number: 69, hash8: 'g' },
    topics: ['ask.output'],
  })
  const rowsOf = (groups: readonly UndoGroup[] = []): string[] =>
    groups
      .flatMap(({ store, key: name, kinds, ids, before }) =>
        kinds.map((kind, n) => JSON.stringify([store, name, kind, ids[n], before[n] ?? null])),
      )
      .sort()
  expect(rowsOf(frame?.groups)).toHaveLength(6_001)
  expect(rowsOf(back?.groups)).toEqual(rowsOf(frame?.groups))
  expect(restored.fresh()).toEqual([])
})
