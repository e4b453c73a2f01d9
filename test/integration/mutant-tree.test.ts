// One planted fault, run as the tool runs it: in a copy, against its related tests, leaving the work tree unchanged.
import { readFileSync } from 'node:fs'
import { ROOT } from '../tools/copy-tree.ts'
import { mutantsIn } from '../tools/mutants/choose.ts'
import { MutantTree } from '../tools/mutants/run.ts'

const EITHER = /^test\/unit\/engine\/(context|far-timers|timers)\.test\.ts$/

test('a fault that a unit test detects is killed by that test', async () => {
  const file = 'topology/engine/timers.ts'
  const before = readFileSync(`${ROOT}${file}`, 'utf8')
  const mutant = mutantsIn(ROOT, [file]).find(({ was, now }) => was === '===' && now === '!==')
  if (mutant === undefined) throw new Error('the comparison of keys is not a mutation site')
  const tree = new MutantTree()
  try {
    expect(await tree.run(mutant)).toMatchObject({ verdict: 'killed', by: expect.stringMatching(EITHER) })
  } finally {
    tree.remove()
  }
  expect(readFileSync(`${ROOT}${file}`, 'utf8')).toBe(before)
})
