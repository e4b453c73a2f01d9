// Timers fire by due time; at equal times by processor, key and name, whatever the order in which they were set.
import fc from 'fast-check'
import { type Timer, TimerHeap } from '../../../topology/engine/timers.ts'

const timer: fc.Arbitrary<Timer> = fc.record({
  due: fc.nat(3),
  store: fc.constantFrom('a', 'b'),
  key: fc.constantFrom('k', 'l', 'm'),
  name: fc.constantFrom('x', 'y', 'z'),
})
const textOf = ({ due, store, key, name }: Timer): string => `${due} ${store} ${key} ${name}`
const popped = (heap: TimerHeap, time: number): string[] => {
  const all: string[] = []
  for (let next = heap.popDue(time); next !== undefined; next = heap.popDue(time)) all.push(textOf(next))
  return all
}

test('due timers fire in one order, and the others remain', () =>
  fc.assert(
    fc.property(fc.array(timer, { maxLength: 30 }), fc.nat(4), fc.boolean(), (timers, time, isRebuilt) => {
      const heap = new TimerHeap()
      for (const one of timers) heap.push(one)
      if (isRebuilt) heap.rebuild([{ timers: () => timers }])
      const all = timers.map(textOf).sort()
      const due = all.filter((text) => Number(text[0]) <= time)
      expect(popped(heap, time)).toEqual(due)
      expect(heap.size).toBe(all.length - due.length)
      expect(popped(heap, 9)).toEqual(all.filter((text) => Number(text[0]) > time))
    }),
  ))
