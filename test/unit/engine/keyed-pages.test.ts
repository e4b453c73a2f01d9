import fc from 'fast-check'
import { KeyedPages } from '../../../topology/engine/rows/keyed-pages.ts'

const step = fc.record({
  key: fc.constantFrom('a', 'b', 'c'),
  page: fc.nat(4),
  change: fc.oneof(fc.uint8Array({ maxLength: 3_000 }), fc.constantFrom('cut' as const, 'drop' as const, 'delete' as const)),
})

test('a page reads as written, cut, dropped or deleted, whatever happens to other keys', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const pages = new KeyedPages()
      const model = new Map<string, (Uint8Array | undefined)[]>()
      for (const { key, page, change } of steps) {
        const known = model.get(key) ?? []
        if (change === 'delete') {
          pages.delete(key)
          known.length = 0
        } else if (change === 'drop') {
          pages.drop(key, page)
          if (known[page] !== undefined) known[page] = undefined
          if (page < known.length) while (known.length > 0 && known.at(-1) === undefined) known.pop()
        } else if (change === 'cut') {
          pages.cut(key, page)
          known.length = Math.min(known.length, page)
          while (known.length > 0 && known.at(-1) === undefined) known.pop()
        } else {
          pages.put(key, page, change)
          known[page] = change
        }
        if (known.length > 0) model.set(key, known)
        else model.delete(key)
        expect([...pages.keys()].sort()).toEqual([...model.keys()].sort())
        for (const [name, all] of model) {
          expect(pages.count(name)).toBe(all.length)
          expect(pages.read(name)).toEqual([...all].flatMap((one) => (one === undefined ? [] : [Buffer.from(one)])))
        }
      }
      expect(pages.size).toBe(model.size)
      expect(pages.read('nobody')).toEqual([])
    }),
  )
})
