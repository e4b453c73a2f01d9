// The contract of pages by key, wherever they are stored.
import fc from 'fast-check'
import type { KeyedPages, PageStore } from '../../topology/ports/keyed-pages.ts'

export interface OpenPages {
  readonly store: PageStore
  close(): Promise<void>
}

/** A plain model of the contract: the pages of each key, by page number. */
type Model = Map<string, (Uint8Array | undefined)[]>

const KEYS = ['a', 'b', 'c', '\0', '\u00ff\u00fe', 'x'.repeat(300)]
const step = fc.record({
  key: fc.constantFrom(...KEYS),
  page: fc.nat(4),
  change: fc.oneof(
    { weight: 3, arbitrary: fc.uint8Array({ maxLength: 3_000 }) },
    fc.constantFrom('cut' as const, 'drop' as const, 'delete' as const),
  ),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const changeBoth = (pages: KeyedPages, model: Model, { key, page, change }: Step): void => {
  const known = model.get(key) ?? []
  if (change === 'delete') {
    pages.delete(key)
    known.length = 0
  } else if (change === 'drop') {
    pages.drop(key, page)
    if (known[page] !== undefined) known[page] = undefined
  } else if (change === 'cut') {
    pages.cut(key, page)
    known.length = Math.min(known.length, page)
  } else {
    pages.put(key, page, change)
    known[page] = change
  }
  while (known.length > 0 && known.at(-1) === undefined) known.pop()
  if (known.length > 0) model.set(key, known)
  else model.delete(key)
}

const expectKey = (pages: KeyedPages, model: Model, key: string): void => {
  const all = model.get(key) ?? []
  const numbered = all.flatMap((bytes, page) => (bytes === undefined ? [] : [[page, Buffer.from(bytes)]]))
  expect([pages.size, pages.count(key), pages.numbered(key)]).toEqual([model.size, all.length, numbered])
}

const name = (n: number): string => `key ${n}`
const MANY = 2_500

export const keyedPagesContract = (title: string, open: () => OpenPages): void => {
  describe(`${title} as pages by key`, () => {
    let opened: OpenPages
    beforeEach(() => {
      opened = open()
    })
    afterEach(() => opened.close())

    test('a page reads as written, cut, dropped or deleted, whatever happens to other keys', () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
          const [pages, model] = [opened.store.open(), new Map() as Model]
          for (const one of steps) {
            changeBoth(pages, model, one)
            expectKey(pages, model, one.key)
          }
          for (const key of KEYS) expectKey(pages, model, key)
          expect([...pages.keys()].sort()).toEqual([...model.keys()].sort())
          pages.close()
        }),
        { numRuns: 60 },
      )
    })

    test('a key may have wide values and high page numbers', () => {
      const [pages, wide] = [opened.store.open(), Buffer.alloc(300_000, 'wide')]
      pages.put('a', 70_000, wide)
      pages.put('a', 3, Buffer.alloc(0))
      expect(pages.count('a')).toBe(70_001)
      expect(pages.numbered('a').map(([page, bytes]) => [page, bytes.equals(page === 3 ? Buffer.alloc(0) : wide)])).toEqual([
        [3, true],
        [70_000, true],
      ])
      pages.cut('a', 4)
      expect([pages.count('a'), pages.numbered('a')]).toEqual([4, [[3, Buffer.alloc(0)]]])
    })

    test('pages opened twice are separate, and closed ones leave nothing to those opened later', () => {
      const [first, second] = [opened.store.open(), opened.store.open()]
      for (const [n, pages] of [first, second].entries()) pages.put('a', 0, Buffer.of(n))
      expect([first.numbered('a'), second.numbered('a')]).toEqual([[[0, Buffer.of(0)]], [[0, Buffer.of(1)]]])
      first.close()
      const third = opened.store.open()
      expect([third.size, [...third.keys()], third.count('a')]).toEqual([0, [], 0])
      expect(second.numbered('a')).toEqual([[0, Buffer.of(1)]])
    })

    test('a page keeps its bytes if the caller overwrites the buffer later', () => {
      const [pages, bytes] = [opened.store.open(), Buffer.from('as put')]
      pages.put('a', 0, bytes)
      bytes.fill(0)
      expect(pages.numbered('a')).toEqual([[0, Buffer.from('as put')]])
    })

    test('an iteration visits every key once', () => {
      const pages = opened.store.open()
      for (let n = 0; n < MANY; n++) pages.put(name(n), 0, Buffer.from(name(n)))
      for (let n = 0; n < MANY; n += 3) pages.delete(name(n))
      for (let n = 1; n < MANY; n += 3) pages.put(name(n), 0, Buffer.of(n))
      const left = Array.from({ length: MANY }, (_, n) => n).filter((n) => n % 3 !== 0)
      expect([...pages.keys()].sort()).toEqual(left.map(name).sort())
    })

    test('an iteration visits every key that has pages all the time, whatever is changed meanwhile', () => {
      const pages = opened.store.open()
      for (let n = 0; n < MANY; n++) pages.put(name(n), 0, Buffer.of(n))
      const seen = new Set<string>()
      let step = 0
      for (const key of pages.keys()) {
        seen.add(key)
        if (step < MANY) pages.put(name((step * 7) % MANY), step % 2, Buffer.of(step))
        if (step < MANY / 2) pages.delete(name((step * 14) % MANY))
        step++
      }
      const deleted = new Set(Array.from({ length: MANY / 2 }, (_, n) => name((n * 14) % MANY)))
      for (let n = 0; n < MANY; n++) if (!deleted.has(name(n))) expect(seen).toContain(name(n))
    })
  })
}
