// Which programs may replace the stores of which versions, after promotions.
import { areReplaced, isCurrent, rolledBackAfter } from '../../../topology/versions/stores-record.ts'

const of = (mint: number, creator = 1) => [
  { name: 'creator', version: creator },
  { name: 'mint', version: mint },
]

test('stores of other versions are replaced by a newer program, and refuse an older one and one that was rolled back', () => {
  const stores = { versions: of(2), rolledBack: of(3) }
  expect(isCurrent(stores, of(2))).toBe(true)
  expect(isCurrent(stores, of(4))).toBe(false)
  expect(isCurrent(stores, of(3, 2))).toBe(false)
  expect(() => isCurrent(stores, of(1))).toThrow('the stores were written by version 2 of mint')
  expect(() => isCurrent(stores, of(3))).toThrow('mintfold promote --back has replaced the versions of this program by older ones')
  expect([of(1), of(2), of(3), of(4)].map((program) => areReplaced(stores, program))).toEqual([true, false, true, false])
})

test('versions are rolled back by a rebuild for older ones, and no longer once they are promoted again', () => {
  const first = rolledBackAfter({ versions: of(3), rolledBack: [] }, of(2))
  expect(first).toEqual(of(3))
  expect(rolledBackAfter({ versions: of(2), rolledBack: first }, of(2))).toEqual(of(3))
  expect(rolledBackAfter({ versions: of(2), rolledBack: first }, of(3))).toEqual([])
})
