// One field of a real file changed: each reader reads the rest and names what it cannot read. `npm run soak -- files` has more cases.
import { changeFiles, changeStored } from '../fixtures/changed-files.ts'

const SEED = 20_261_129

test('nothing is thrown, and no event vanishes without a problem', () => {
  const { lost, thrown, withProblems, refused } = changeFiles(600, SEED)
  expect({ lost, thrown }).toEqual({ lost: [], thrown: [] })
  expect([withProblems > 200, refused > 0]).toEqual([true, true])
})

test('one byte of a stored block changed throws nothing', () => {
  expect(changeStored(300, SEED)).toEqual([])
})
