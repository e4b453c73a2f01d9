// Timers due in later hours, in memory and on disk.
import fc from 'fast-check'
import { IN_MEMORY } from '../../../topology/engine/rows/memory-pages.ts'
import { type Timer, TimerHeap } from '../../../topology/engine/timers.ts'
import { testScratch } from '../../fixtures/scratch.ts'

const HOUR_S = 3_600
const timer: fc.Arbitrary<Timer> = fc.record({
  due: fc.integer({ min: -HOUR_S, max: 5 * HOUR_S }),
  store: fc.constantFrom('a', 'creator'),
  key: fc.constantFrom('k', '\u00ff\0'.repeat(16), 'm'.repeat(400)),
  name: fc.constantFrom('x', 'forget'),
})
const textOf = ({ due, store, key, name }: Timer): string => `${String(due + HOUR_S).padStart(6, '0')} ${store} ${key} ${name}`
const popped = (heap: TimerHeap, time: number): string[] => {
  const all: string[] = []
  for (let next = heap.popDue(time); next !== undefined; next = heap.popDue(time)) all.push(textOf(next))
  return all
}

const scratch = testScratch({ youngBytesMax: 0 })
afterAll(() => scratch.close())

test.each([
  ['memory', IN_MEMORY],
  ['disk', scratch.store],
])('timers in %s fire in order at any sequence of times, also set while time goes on and after it went back', (_name, store) => {
  const step = fc.record({ set: fc.array(timer, { maxLength: 60 }), time: fc.integer({ min: -HOUR_S, max: 5 * HOUR_S }) })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const heap = new TimerHeap(store.open())
      let left: Timer[] = []
      for (const { set, time } of steps) {
        for (const one of set) heap.push(one)
        left.push(...set)
        expect(popped(heap, time)).toEqual(
          left
            .filter(({ due }) => due <= time)
            .map(textOf)
            .sort(),
        )
        left = left.filter(({ due }) => due > time)
        expect(heap.size).toBe(left.length)
      }
    }),
    { numRuns: 60 },
  )
})

test('timers of later hours cost their bytes, in pages that are removed once the hour begins', () => {
  const pages = scratch.store.open()
  const heap = new TimerHeap(pages)
  heap.popDue(0)
  for (let n = 0; n < 10_000; n++) heap.push({ due: 50 * HOUR_S, store: 'creator', key: `${n}`.padStart(32, '-'), name: 'forget' })
  expect(pages.size).toBeGreaterThan(200)
  expect(pages.size).toBeLessThan(300)
  expect(popped(heap, 50 * HOUR_S)).toHaveLength(10_000)
  expect([heap.size, pages.size]).toEqual([0, 0])
})

test('rebuilt timers replace the others', () => {
  const pages = scratch.store.open()
  const heap = new TimerHeap(pages)
  for (let n = 0; n < 100; n++) heap.push({ due: 9 * HOUR_S, store: 's', key: `${n}`, name: 'old' })
  heap.rebuild([{ timers: () => [{ due: 9 * HOUR_S, store: 's', key: 'k', name: 'new' }] }])
  expect([heap.size, pages.size, popped(heap, 9 * HOUR_S).length]).toEqual([1, 0, 1])
})
