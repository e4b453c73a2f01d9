// A short-lived map, rebuilt repeatedly, behaves like a Map.
import fc from 'fast-check'
import { ShortLivedMap } from '../../../schemas/short-lived-map.ts'

const keys = fc.integer({ min: 0, max: 12 })
const steps = fc.array(
  fc.oneof({ weight: 4, arbitrary: keys.map((put) => ({ put })) }, { weight: 5, arbitrary: keys.map((gone) => ({ gone })) }),
  {
    maxLength: 600,
  },
)

test('any sets and deletes give the content and order of a Map', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const [map, model] = [new ShortLivedMap<number, number>(), new Map<number, number>()]
      for (const [n, step] of all.entries()) {
        if ('put' in step) {
          map.set(step.put, n)
          model.set(step.put, n)
        } else expect(map.delete(step.gone)).toBe(model.delete(step.gone))
        expect(map.size).toBe(model.size)
        expect([...map.values()]).toEqual([...model.values()])
        for (let key = 0; key <= 12; key++) expect([map.has(key), map.get(key)]).toEqual([model.has(key), model.get(key)])
      }
    }),
  )
})

test('an iterator created before a rebuild iterates over the old values', () => {
  const map = new ShortLivedMap<number, string>()
  for (let n = 0; n < 200; n++) map.set(n, `${n}`)
  const seen = []
  for (const value of map.values()) {
    seen.push(value)
    map.delete(Number(value))
  }
  expect(seen).toHaveLength(200)
  expect(map.size).toBe(0)
})

test('rebuilt with entries it holds them, in their order', () => {
  const map = new ShortLivedMap<number, number>()
  for (let n = 0; n < 200; n++) map.set(n, n)
  for (let n = 0; n < 150; n++) expect(map.delete(n)).toBe(true)
  expect([...map.values()]).toEqual(Array.from({ length: 50 }, (_, n) => 150 + n))
  expect([map.get(149), map.get(150)]).toEqual([undefined, 150])
})

test('cleared it is empty and usable', () => {
  const map = new ShortLivedMap<string, number>()
  map.set('a', 1)
  map.clear()
  expect([map.size, map.get('a')]).toEqual([0, undefined])
  map.set('b', 2)
  expect([...map.values()]).toEqual([2])
})
