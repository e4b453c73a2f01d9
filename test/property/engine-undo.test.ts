import fc from 'fast-check'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { Task } from '../../topology/engine/task.ts'
import { arbitraryFrames } from '../fixtures/arbitrary-frames.ts'
import { type Batch, definition } from '../fixtures/transfers.ts'

const folded = (frames: readonly Batch[], undoFramesMax: number) => {
  const task = new Task(definition(), 0, { ...DEFAULT_LIMITS, undoFramesMax })
  task.begin(0)
  for (const frame of frames) task.fold(frame)
  return task
}

test('undoing k frames leaves the rows, timers and changelog of a run that never saw them', () => {
  fc.assert(
    fc.property(arbitraryFrames(), fc.nat({ max: 12 }), fc.boolean(), (frames, depth, commits) => {
      const k = Math.min(depth, frames.length)
      const task = new Task(definition(), 0, { ...DEFAULT_LIMITS, undoFramesMax: 12 })
      task.begin(0)
      const log = new Map<string, Uint8Array | null>()
      const commit = (): void => {
        for (const { topic, key, value } of task.takeCommit().outputs)
          if (topic.name === 'test.changelog') log.set(Buffer.from(key).toString('hex'), value)
      }
      for (const frame of frames) {
        task.fold(frame)
        if (commits) commit()
      }
      for (let i = 0; i < k; i++) expect(task.undoFrame()).toBe(frames[frames.length - 1 - i]?.header.sequence)
      commit()
      const clean = folded(frames.slice(0, frames.length - k), 0)
      expect(task.store.snapshot()).toEqual(clean.store.snapshot())
      const restored = new Task(definition(), 0, DEFAULT_LIMITS)
      restored.restore([...log].map(([key, value]) => ({ key: Buffer.from(key, 'hex'), value })))
      restored.begin(0)
      expect(restored.store.snapshot()).toEqual(clean.store.snapshot())
      expect([...restored.store.timers()].sort(byKey)).toEqual([...clean.store.timers()].sort(byKey))
    }),
    { numRuns: 300 },
  )
})

test('frames beyond the limit can no longer be undone', () => {
  const frames = fc.sample(arbitraryFrames(20), { numRuns: 1, seed: 5 })[0] as Batch[]
  const task = folded(
    [
      ...frames,
      ...frames.map(({ header, events }) => ({ header: { ...header, sequence: header.sequence + 1e6, time: header.time + 1e6 }, events })),
    ],
    3,
  )
  for (let i = 0; i < 3; i++) expect(task.undoFrame()).toBeDefined()
  expect(task.undoFrame()).toBeUndefined()
})

const byKey = (a: { key: string; name: string }, b: { key: string; name: string }): number => (a.key + a.name < b.key + b.name ? -1 : 1)
