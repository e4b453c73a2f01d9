// What a bench is: a file test/bench/<name>.ts, with the underscore of its published name, that exports `bench`.

export interface BenchResult {
  readonly value: number
  readonly detail: Readonly<Record<string, unknown>>
}

/** One figure. Names are kept once published; everything else about the run goes to `detail`. */
export interface Bench {
  readonly name: string
  /** Of the value: `events/s`, `ms`, `MB`. */
  readonly unit: string
  run(): Promise<BenchResult>
}
