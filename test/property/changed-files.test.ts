// One field of a real file changed: each reader reads the rest and names what it cannot read. `npm run soak -- files` has more cases.
import { changeFiles } from '../fixtures/changed-files.ts'

const SEED = 20_261_129

test('nothing is thrown, and no event vanishes without a problem', () => {
  const { lost, thrown, withProblems, refused } = changeFiles(1_000, SEED)
  expect({ lost, thrown }).toEqual({ lost: [], thrown: [] })
  expect([withProblems > 300, refused > 0]).toEqual([true, true])
})
