// Rolling back frames: the undo log in the journal and on the changelog, and the error of a fork that is too deep.
import type { FrameHeader } from '../../../processors/contract.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { parsePageKey } from '../../../topology/engine/rows/state-type.ts'
import { Task } from '../../../topology/engine/task.ts'
import { Journal } from '../../../topology/engine/undo/journal.ts'
import { restoreUndo, undoPages } from '../../../topology/engine/undo/undo-record.ts'
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
    expect(undoOf(task)).toEqual({ written: ['askers-0/undo/1', 'askers-0/undo/2', 'askers-0/undo/3'], gone: [] })
    task.finality({ chain: 'alt', sequence: 4, confirmed: 3, finalized: 2 })
    expect(undoOf(task)).toEqual({ written: [], gone: ['askers-0/undo/1', 'askers-0/undo/2'] })
    task.fold(frame(5, true))
    expect(undoOf(task)).toEqual({ written: [], gone: ['askers-0/undo/3'] })
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
    for (let number = 1; number <= 30; number++) task.fold(frame(number))
    const { written } = undoOf(task)
    expect(written.length).toBeLessThanOrEqual(10)
    for (let number = 31; number <= 60; number++) task.fold(frame(number))
    expect(undoOf(task).gone).toEqual(written)
    const oldest = 60 - written.length
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
  journal.begin({ sequence: 7, number: 70, hash8: 'h', time: 700, parent: { number: 69, hash8: 'g' } }, false)
  const peers = state.byName.get('peers')?.index ?? 0
  const total = state.byName.get('total')?.index ?? 0
  const entries = Array.from({ length: 6_000 }, (_, n) => {
    const before = n % 3 === 0 ? undefined : { peer: `p${n}`.padEnd(60, 'x'), times: n }
    return { store: 'asker', key: key(n % 2), kind: peers, id: `p${n}`.padEnd(60, 'x'), before }
  })
  const single = { store: 'teller', key: key(3), kind: total, id: undefined, before: { sum: 1, facts: 2, last: 'x' } }
  for (const entry of [...entries, single]) journal.note(entry, 50)
  for (const entry of entries.slice(0, 100)) journal.note({ ...entry, before: undefined }, 50)
  journal.end(['ask.output'])
  const [frame] = journal.fresh()
  const pages = undoPages(frame as never, () => state)
  expect(pages.length).toBeGreaterThan(3)
  const bytes = pages.map(({ before }) => before.reduce((sum, { rows }) => sum + rows.length, 0))
  expect(Math.max(...bytes)).toBeLessThan(128 * 1024)
  const restored = new Journal(DEFAULT_LIMITS)
  restoreUndo([...pages].reverse(), restored, () => state)
  const [back] = restored.frames
  expect({ ...back, entries: [] }).toMatchObject({
    sequence: 7,
    number: 70,
    time: 700,
    parent: { number: 69, hash8: 'g' },
    topics: ['ask.output'],
  })
  const text = (all: readonly object[]): string[] =>
    all.map((one) => JSON.stringify(one, ['store', 'key', 'kind', 'id', 'before', 'peer', 'times', 'sum'])).sort()
  expect(text(back?.entries ?? [])).toEqual(text([...entries, single]))
  expect(restored.fresh()).toEqual([])
})
