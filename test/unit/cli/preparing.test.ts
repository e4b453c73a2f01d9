// How far a long start is: every step for the page, a line now and then for the terminal, and never more than all of it.
import { preparing } from '../../../topology/cli/output/preparing.ts'

const given = () => {
  const lines: string[] = []
  const shares: (number | null)[] = []
  const step = preparing({ say: (line) => lines.push(line) }, ({ share }) => shares.push(share))
  return { lines, shares, at: (atS: number) => step({ atS, ofS: 21_600 }) }
}

test('each step is told, and each tenth is a line', () => {
  const { at, lines, shares } = given()
  for (const atS of [1_080, 2_160, 2_200, 10_800]) at(atS)
  expect(shares).toEqual([0.05, 0.1, expect.closeTo(0.1019, 4), 0.5])
  expect(lines).toEqual(['history: 10 % of 6 h written', 'history: 50 % of 6 h written'])
})
test('what comes before the first slot is nothing, and what comes after the history is no more than all of it', () => {
  const { at, lines, shares } = given()
  at(-1_760_000_000)
  at(23_760)
  expect(shares).toEqual([0, 1])
  expect(lines).toEqual(['history: 100 % of 6 h written'])
})
