import fc from 'fast-check'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { Task } from '../../topology/engine/task.ts'
import { arbitraryFrames } from '../fixtures/arbitrary-frames.ts'
import { type Batch, CHANGELOG, definition } from '../fixtures/transfers.ts'

const START = { input: 0, exchange: 0 }
const to = ({ header: { chain, number, hash8 } }: Batch) => ({ chain, number, hash8, sequence: 1e9 })
const folded = (frames: readonly Batch[], undoFramesMax: number) => {
  const task = new Task(definition(), 0, { ...DEFAULT_LIMITS, undoFramesMax, hotFrames: 1 })
  task.begin(START)
  for (const frame of frames) task.fold(frame)
  return task
}

test('rolling back k frames restores the rows, timers and changelog of a run without them', () => {
  fc.assert(
    fc.property(arbitraryFrames(), fc.nat({ max: 12 }), fc.boolean(), (frames, depth, commits) => {
      const k = Math.min(depth, frames.length - 1)
      const task = new Task(definition(), 0, { ...DEFAULT_LIMITS, undoFramesMax: 12 })
      task.begin(START)
      const log = new Map<string, Uint8Array | null>()
      const commit = (): void => {
        for (const { topic, key, value } of task.takeCommit().outputs)
          if (topic.name === 'test.changelog') log.set(Buffer.from(key).toString('hex'), value)
      }
      for (const frame of frames) {
        task.fold(frame)
        if (commits) commit()
      }
      task.revert(to(frames.at(-1 - k) as Batch))
      commit()
      const clean = folded(frames.slice(0, frames.length - k), 0)
      expect(task.store('transfers').snapshot()).toEqual(clean.store('transfers').snapshot())
      const restored = new Task(definition(), 0, DEFAULT_LIMITS)
      restored.restore(
        CHANGELOG,
        [...log].map(([key, value]) => ({ key: Buffer.from(key, 'hex'), value })),
      )
      restored.begin(START)
      expect(restored.store('transfers').snapshot()).toEqual(clean.store('transfers').snapshot())
      expect([...restored.store('transfers').timers()].sort(byKey)).toEqual([...clean.store('transfers').timers()].sort(byKey))
    }),
    { numRuns: 300 },
  )
})

test('frames beyond the limit cannot be rolled back', () => {
  const frames = (fc.sample(arbitraryFrames(20), { numRuns: 50, seed: 5 }) as Batch[][]).find(({ length }) => length > 8) as Batch[]
  const task = folded(frames, 3)
  const last = frames.at(-4) as Batch
  const undo = (frame: Batch) => () => task.revert(to(frame))
  expect(undo(frames.at(-5) as Batch)).toThrow(expect.objectContaining({ code: 'undo_exhausted' }))
  expect(undo(last)).not.toThrow()
  expect(undo(frames.at(-5) as Batch)).toThrow(expect.objectContaining({ code: 'undo_exhausted' }))
})

const byKey = (a: { key: string; name: string }, b: { key: string; name: string }): number => (a.key + a.name < b.key + b.name ? -1 : 1)
