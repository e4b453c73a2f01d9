// What the two classifiers have in common.

/** Rows of figures with their labels; `weights` give both labels the same total. */
export interface Sample {
  readonly rows: readonly (readonly number[])[]
  /** 1 for recorded, 0 for simulated. */
  readonly labels: readonly number[]
  readonly weights: readonly number[]
}

export interface Model {
  /** Higher for rows that look recorded. */
  readonly score: (row: readonly number[]) => number
  /** How much each column adds to the scores: a signed weight, or a share with the split points. */
  readonly explain: (columns: readonly string[]) => string
}

export type Train = (sample: Sample) => Model

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
