// The predictions of a file, in growing typed arrays.

const MS_PER_DAY = 86_400_000
const ROWS_START = 1_024

/** Rows in the order of the file. */
export interface Predictions {
  readonly probabilities: Float64Array
  /** 1 or 0. */
  readonly labels: Uint8Array
  /** Days since 1970-01-01, UTC. */
  readonly days: Uint16Array
  /** Times of the earliest and latest row, milliseconds. */
  readonly fromMs: number
  readonly toMs: number
}

export class Gathered {
  rows = 0
  #probabilities = new Float64Array(ROWS_START)
  #labels = new Uint8Array(ROWS_START)
  #days = new Uint16Array(ROWS_START)
  #fromMs = Number.POSITIVE_INFINITY
  #toMs = Number.NEGATIVE_INFINITY

  add(probability: number, label: 0 | 1, timeMs: number): void {
    if (this.rows === this.#labels.length) this.#grow()
    this.#probabilities[this.rows] = probability
    this.#labels[this.rows] = label
    this.#days[this.rows] = Math.floor(timeMs / MS_PER_DAY)
    this.#fromMs = Math.min(this.#fromMs, timeMs)
    this.#toMs = Math.max(this.#toMs, timeMs)
    this.rows++
  }
  predictions(): Predictions {
    return {
      probabilities: this.#probabilities.subarray(0, this.rows),
      labels: this.#labels.subarray(0, this.rows),
      days: this.#days.subarray(0, this.rows),
      fromMs: this.#fromMs,
      toMs: this.#toMs,
    }
  }
  #grow(): void {
    const [probabilities, labels, days] = [this.#probabilities, this.#labels, this.#days]
    const length = labels.length * 2
    this.#probabilities = new Float64Array(length)
    this.#probabilities.set(probabilities)
    this.#labels = new Uint8Array(length)
    this.#labels.set(labels)
    this.#days = new Uint16Array(length)
    this.#days.set(days)
  }
}

export interface DayRows {
  /** Days since 1970-01-01. */
  readonly number: number
  /** `2026-10-15` */
  readonly name: string
  readonly probabilities: Float64Array
  readonly labels: Uint8Array
}

/** Rows by UTC day, oldest first. */
export const byDay = ({ probabilities, labels, days }: Predictions): readonly DayRows[] => {
  const counts = new Map<number, number>()
  for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1)
  const rowsOf = new Map(Array.from(counts, ([day, rows]) => [day, new DayColumns(rows)] as const))
  for (const [row, day] of days.entries()) rowsOf.get(day)?.add(probabilities[row] as number, labels[row] as number)
  return Array.from(rowsOf, ([number, { probabilities, labels }]) => ({ number, name: nameOf(number), probabilities, labels })).sort(
    (a, b) => a.number - b.number,
  )
}

class DayColumns {
  readonly probabilities: Float64Array
  readonly labels: Uint8Array
  #at = 0

  constructor(rows: number) {
    this.probabilities = new Float64Array(rows)
    this.labels = new Uint8Array(rows)
  }
  add(probability: number, label: number): void {
    this.probabilities[this.#at] = probability
    this.labels[this.#at++] = label
  }
}

const nameOf = (day: number): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 10)
