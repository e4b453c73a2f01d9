// Progress of a long start: every step for the page, an occasional line for the terminal, and never above 100 %.
import { preparing } from '../../../topology/cli/output/preparing.ts'

const given = () => {
  const lines: string[] = []
  const shares: (number | null)[] = []
  const step = preparing({ printNotice: (line) => lines.push(line) }, ({ share }) => shares.push(share))
  return { lines, shares, at: (atS: number, isNew = true) => step({ atS, ofS: 21_600, isNew }) }
}

test('reports each step, and prints a line per tenth', () => {
  const { at, lines, shares } = given()
  for (const atS of [1_080, 2_160, 2_200, 10_800]) at(atS)
  expect(shares).toEqual([0.05, 0.1, expect.closeTo(0.1019, 4), 0.5])
  expect(lines).toEqual(['history: 10 % of 6 h written', 'history: 50 % of 6 h written'])
})
test('progress before the first slot is 0, and after the end of the history at most 100 %', () => {
  const { at, lines, shares } = given()
  at(-1_760_000_000)
  at(23_760)
  expect(shares).toEqual([0, 1])
  expect(lines).toEqual(['history: 100 % of 6 h written'])
})
test('after a stop prints one line for what is written already, then the tenths that follow', () => {
  const { at, lines } = given()
  for (const atS of [0, 2_160, 4_320, 10_900]) at(atS, false)
  for (const atS of [11_000, 12_960]) at(atS)
  expect(lines).toEqual([
    'continues: the market is simulated again up to where it stopped; nothing is written twice',
    'history: 60 % of 6 h written',
  ])
})
