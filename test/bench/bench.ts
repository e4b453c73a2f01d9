// The interface of a bench: a file test/bench/<name>.ts, with the underscore of its published name, that exports `bench`.

export interface BenchResult {
  readonly value: number
  readonly detail: Readonly<Record<string, unknown>>
}

/** Measures one figure. Published names do not change; everything else about the run goes to `detail`. */
export interface Bench {
  readonly name: string
  /** Unit of the value: `events/s`, `ms`, `MB`. */
  readonly unit: string
  run(): Promise<BenchResult>
}
