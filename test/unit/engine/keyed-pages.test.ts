import fc from 'fast-check'
import { KeyedPages } from '../../../topology/engine/keyed-pages.ts'

const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), page: fc.nat(4), bytes: fc.option(fc.uint8Array({ maxLength: 3_000 })) })

test('pages are read as they were put and cut, whatever happens to other keys', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const pages = new KeyedPages()
      const model = new Map<string, (Uint8Array | undefined)[]>()
      for (const { key, page, bytes } of steps) {
        const known = model.get(key) ?? []
        if (bytes === null) {
          pages.cut(key, page)
          known.length = Math.min(known.length, page)
        } else {
          pages.put(key, page, bytes)
          known[page] = bytes
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
