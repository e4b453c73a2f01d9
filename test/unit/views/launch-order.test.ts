// Launches in chain order: evicted ones are removed, and those moved by a fork are at their new position.
import fc from 'fast-check'
import type { Key } from '../../../schemas/keys.ts'
import { comparePositions } from '../../../schemas/position.ts'
import { LaunchOrder } from '../../../topology/views/launch-order.ts'
import { key } from '../query-api/given-mint.ts'

const positionAt = (number: number, tx = 0) => ({ number, tx, outer: 0, inner: 0 })
const FIRST = positionAt(-1)

test('launches in any order, some evicted or moved, are iterated in chain order from any position', () => {
  const step = fc.record({ byte: fc.nat({ max: 20 }), number: fc.nat({ max: 9 }), isForgotten: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step), fc.nat({ max: 9 }), (steps, from) => {
      const order = new LaunchOrder()
      const held = new Map<Key, ReturnType<typeof positionAt>>()
      for (const { byte, number, isForgotten } of steps) {
        order.remove(key(byte))
        held.delete(key(byte))
        if (isForgotten) continue
        order.add(key(byte), { ...positionAt(number, byte), at: 100 + number })
        held.set(key(byte), positionAt(number, byte))
      }
      const all = [...held].sort(([, a], [, b]) => comparePositions(a, b))
      expect([...order.after(FIRST)]).toEqual(all.map(([mint]) => mint))
      expect([...order.after(positionAt(from, 10))]).toEqual(
        all.filter(([, one]) => comparePositions(one, positionAt(from, 10)) > 0).map(([mint]) => mint),
      )
    }),
  )
})
test('the first since a time is the first by position, whatever the times of later frames', () => {
  const order = new LaunchOrder()
  order.add(key(1), { ...positionAt(1), at: 100 })
  order.add(key(2), { ...positionAt(2), at: 300 })
  order.add(key(3), { ...positionAt(3), at: 200 })
  order.add(key(3), { ...positionAt(0), at: 900 })
  expect([100, 101, 200, 301].map((second) => order.firstSince(second)?.number ?? null)).toEqual([1, 2, 2, null])
})
