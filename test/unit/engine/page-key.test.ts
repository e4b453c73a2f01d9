// Page keys on the changelog: of any length, with any number of pages, and in the older format.
import fc from 'fast-check'
import { pageKey, parsePageKey } from '../../../topology/engine/rows/state-type.ts'

const keys = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
const wide = fc.oneof(
  keys,
  keys.map((key) => `${key}\xff\xff`),
  fc.constant('3/undo/17'),
)
const pages = fc.oneof(fc.nat(0xffffffff), fc.integer({ min: 0xfff0, max: 0x1000f }), fc.nat(300))

test('a key and a page are read back, and no other key and page have the same bytes', () => {
  fc.assert(
    fc.property(wide, pages, wide, pages, (key, page, otherKey, otherPage) => {
      expect(parsePageKey(pageKey(key, page))).toEqual({ key, page })
      const isSame = key === otherKey && page === otherPage
      expect(pageKey(key, page).equals(pageKey(otherKey, otherPage))).toBe(isSame)
    }),
    { numRuns: 2_000 },
  )
})

test('a key in the older format equals the current one', () => {
  fc.assert(
    fc.property(wide, fc.nat(0xfffe), (key, page) => {
      const older = Buffer.concat([Buffer.from(key, 'latin1'), Buffer.from([page >> 8, page & 0xff])])
      expect(parsePageKey(older)).toEqual({ key, page })
      expect(pageKey(key, page).equals(older)).toBe(true)
    }),
  )
})
