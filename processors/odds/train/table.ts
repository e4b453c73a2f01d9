// What a model has to beat: base rates by age and flags, small cells pulled to coarser ones.
import type { OddsHead } from '../heads.ts'
import type { TrainingRows } from './rows.ts'

/** A cell is pulled to its coarser one as by so many rows. */
const PULL_ROWS = 20

/** Share of positives of each age and set of flags, as a function of a row. */
export const tableOf = (set: TrainingRows, head: OddsHead, rows: Iterable<number>): ((row: number) => number) => {
  const cells = new Map<string, { n: number; hits: number }>()
  const namesOf = (row: number): readonly [string, string, string] => {
    const age = set.ageS[row] as number
    return ['', `${age}`, `${age} ${set.flagBits[row]}`]
  }
  for (const row of rows)
    for (const name of namesOf(row)) {
      const cell = cells.get(name) ?? { n: 0, hits: 0 }
      cell.n++
      cell.hits += set.labels[head][row] as number
      cells.set(name, cell)
    }
  return (row) => {
    let rate = 0
    for (const name of namesOf(row)) {
      const { n, hits } = cells.get(name) ?? { n: 0, hits: 0 }
      rate = name === '' ? hits / Math.max(1, n) : (hits + PULL_ROWS * rate) / (n + PULL_ROWS)
    }
    return rate
  }
}
