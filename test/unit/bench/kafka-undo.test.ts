// The undo that mintfold keeps in the comparison with Kafka Streams.
import type { FrameHeader } from '../../../processors/contract.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { Task } from '../../../topology/engine/task.ts'
import type { FoldEvent } from '../../bench/kafka/processor.ts'
import { type Layout, TapeWriter, UNDO_SLOTS } from '../../bench/kafka/tape.ts'
import { benchTask, HASH8 } from '../../bench/kafka/task.ts'

const PARTITION = 3
const SLOTS = 200

const eventAt = (slot: number): FoldEvent => ({
  ...{ kind: 1, tx: 0, ix: 0, mint: 'm'.repeat(32), wallet: 'w'.repeat(32), tokenAmount: 1, lamports: 1, virtualSol: 1, virtualToken: 1 },
  ...{ realSol: slot, realToken: 1, unixMs: slot * 400 },
})

const folded = (layout: Layout, undo: boolean): Task<FoldEvent, FrameHeader> => {
  const writer = new TapeWriter(layout, 'tape')
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot)
  const twice = slots.flatMap((slot) => [slot, slot])
  const records = [...twice.flatMap((slot) => writer.put({ slot, partition: PARTITION, event: eventAt(slot) })), ...writer.end()]
  const task = new Task(benchTask('run', 'tape', undo), PARTITION, DEFAULT_LIMITS)
  task.begin({ input: 0, exchange: 0 })
  for (const [offset, record] of records.filter(({ partition }) => partition === PARTITION).entries()) task.step({ ...record, offset })
  return task
}

/** Rolls back to this slot; returns the last one that is left. */
const rolledBackTo = (task: Task<FoldEvent, FrameHeader>, number: number): number | undefined => {
  task.revert({ chain: 'solana', number, hash8: HASH8, sequence: Number.MAX_SAFE_INTEGER })
  const store = task.store('fold')
  return store.read(store.aggregate('m'.repeat(32)), store.type.kinds[0] as never, undefined)?.realSol as number
}

describe.each(['frames', 'events'] as const)('the fold of the comparison, tape of %s', (layout) => {
  const newest = SLOTS - 1
  const final = newest - UNDO_SLOTS

  test('can roll back to the newest final slot', () => {
    expect(rolledBackTo(folded(layout, true), final)).toBe(final)
  })
  test('cannot roll back a final slot', () => {
    const task = folded(layout, true)
    expect(() => rolledBackTo(task, final - 1)).toThrow(expect.objectContaining({ code: 'undo_exhausted' }))
  })
  test('keeps no undo where frames are final at once', () => {
    const task = folded(layout, false)
    expect(() => rolledBackTo(task, newest - 1)).toThrow(expect.objectContaining({ code: 'undo_exhausted' }))
  })
})
