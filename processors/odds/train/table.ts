// The baseline that a model has to beat: base rates by age and flags, with small cells shrunk towards coarser ones.
import type { OddsHead } from '../heads.ts'
import type { TrainingRows } from './rows.ts'

/** A cell is shrunk towards its coarser one with the weight of this many rows. */
const PULL_ROWS = 20

/** The inputs of the table. */
export interface TableCell {
  readonly ageS: number
  readonly flagBits: number
}

const namesOf = ({ ageS, flagBits }: TableCell): readonly [string, string, string] => ['', `${ageS}`, `${ageS} ${flagBits}`]

/** Share of positives for each age and set of flags among the rows. */
export const tableOf = (set: TrainingRows, head: OddsHead, rows: Iterable<number>): ((cell: TableCell) => number) => {
  const cells = new Map<string, { n: number; hits: number }>()
  for (const row of rows)
    for (const name of namesOf(cellOf(set, row))) {
      const cell = cells.get(name) ?? { n: 0, hits: 0 }
      cell.n++
      cell.hits += set.labels[head][row] as number
      cells.set(name, cell)
    }
  return (of) => {
    let rate = 0
    for (const name of namesOf(of)) {
      const { n, hits } = cells.get(name) ?? { n: 0, hits: 0 }
      rate = name === '' ? hits / Math.max(1, n) : (hits + PULL_ROWS * rate) / (n + PULL_ROWS)
    }
    return rate
  }
}

export const cellOf = (set: TrainingRows, row: number): TableCell => ({
  ageS: set.ageS[row] as number,
  flagBits: set.flagBits[row] as number,
})
