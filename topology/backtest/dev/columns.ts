// Encodes the rows of a launch as columns: a record holds the columns that changed since the previous record.
import { type Of, SEEN } from '../../../processors/detector-kit/fields.ts'
import { assert } from '../../../schemas/errors.ts'
import type { ByteReader, ByteWriter, Primitive } from './bytes.ts'

/** Codes below this: columns whose number changed by a small step. Codes from this on: columns with a new value, written in full. */
const WHOLE = 128
/** Codes that are not columns: the optional row is absent, or present. */
const [ABSENT, PRESENT] = [WHOLE - 1, 2 * WHOLE - 1]
/** The row that may be absent. */
const OPTIONAL = 'pool'
const STEP_MAX = 2 ** 28

type Row = Record<string, Primitive>
/** Rows by their names in the detector, and single values. */
export type AnySeen = Readonly<Record<string, Readonly<Row> | Primitive | undefined>>

/** The decoded rows of one launch: always the same objects. */
export interface RowsRead {
  /** The argument of `find`. */
  readonly rows: Record<string, Row | Primitive | undefined>
  /** The rows in the order of their columns, then `rows` itself, which has the single values. */
  readonly targets: readonly Row[]
}

/** Writes and reads the columns of a kind of detector. */
export class Columns {
  readonly #rows: readonly { readonly name: string; readonly fields: readonly string[]; readonly first: number }[]
  readonly #beside: readonly string[]
  readonly #besideFrom: number
  readonly #targetOf: number[] = []
  readonly #fieldOf: string[] = []
  readonly count: number

  constructor(of: Of) {
    const { rows, beside } = SEEN[of]
    let first = 0
    this.#rows = Object.entries(rows).map(([name, kinds], target) => {
      const fields = Object.keys(kinds)
      for (const field of fields) this.#add(target, field)
      first += fields.length
      return { name, fields, first: first - fields.length }
    })
    this.#beside = Object.keys(beside)
    this.#besideFrom = first
    for (const name of this.#beside) this.#add(this.#rows.length, name)
    this.count = this.#fieldOf.length
    assert(this.count < ABSENT, `${this.count} columns, but codes for ${ABSENT} only`)
  }
  /** The values of the columns before the first record. */
  newLast(): Primitive[] {
    return new Array<Primitive>(this.count + 1).fill(0)
  }
  /** Writes the values that differ from `last`, and updates `last`, whose last element states whether the optional row was present. */
  write(writer: ByteWriter, seen: AnySeen, last: Primitive[]): void {
    for (const { name, fields, first } of this.#rows) {
      const row = seen[name] as Readonly<Row> | undefined
      if (name === OPTIONAL) {
        const isThere = row === undefined ? 0 : 1
        if (isThere !== last[this.count]) writer.byte(isThere === 1 ? PRESENT : ABSENT)
        last[this.count] = isThere
      }
      if (row === undefined) continue
      for (let i = 0; i < fields.length; i++) {
        const value = row[fields[i] as string] as Primitive
        if (value !== last[first + i]) writeChange(writer, first + i, value, last)
      }
    }
    for (const [i, name] of this.#beside.entries()) {
      const value = seen[name] as Primitive
      if (value !== last[this.#besideFrom + i]) writeChange(writer, this.#besideFrom + i, value, last)
    }
  }
  newRows(): RowsRead {
    const targets = this.#rows.map(({ fields }): Row => Object.fromEntries(fields.map((field) => [field, 0])))
    const rows: RowsRead['rows'] = {}
    for (const [i, { name }] of this.#rows.entries()) rows[name] = name === OPTIONAL ? undefined : (targets[i] as Row)
    for (const name of this.#beside) rows[name] = 0
    return { rows, targets: [...targets, rows as Row] }
  }
  /** Applies a record that ends at `end` to the rows. */
  read(reader: ByteReader, end: number, { rows, targets }: RowsRead): void {
    while (reader.at < end) {
      const code = reader.byte()
      if (code === PRESENT || code === ABSENT) rows[OPTIONAL] = code === PRESENT ? targets[this.#optional] : undefined
      else {
        const column = code < WHOLE ? code : code - WHOLE
        const target = targets[this.#targetOf[column] as number] as Row
        const field = this.#fieldOf[column] as string
        target[field] = code < WHOLE ? (target[field] as number) + reader.step() : reader.value()
      }
    }
  }
  get #optional(): number {
    return this.#rows.findIndex(({ name }) => name === OPTIONAL)
  }
  #add(target: number, field: string): void {
    this.#targetOf.push(target)
    this.#fieldOf.push(field)
  }
}

const writeChange = (writer: ByteWriter, column: number, value: Primitive, last: Primitive[]): void => {
  const before = last[column]
  last[column] = value
  if (typeof value === 'number' && typeof before === 'number') {
    const step = value - before
    if (Number.isInteger(step) && Math.abs(step) < STEP_MAX && before + step === value) {
      writer.byte(column)
      writer.step(step)
      return
    }
  }
  writer.byte(WHOLE + column)
  writer.value(value)
}
