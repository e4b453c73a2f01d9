// Decodes RowBinary, the counterpart of the row writer. A row keeps its bytes, and values are decoded on demand.
import { type Amount, amountFromBytes, amountOf } from '../../../schemas/amount.ts'
import type { ColumnKind } from '../../../schemas/history-rows.ts'
import type { HistoryTable } from './columns.ts'

/** Keys and signatures as latin1 bytes; times in unix milliseconds. */
export type WireValue = string | Amount | boolean | null | readonly string[] | ReadonlyMap<string, Amount>

type Shape = Pick<HistoryTable<never>, 'name'> & {
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind; readonly isNullable: boolean }[]
}

/** Bytes of fixed-width kinds. */
const WIDTHS: Readonly<Partial<Record<ColumnKind, number>>> = {
  key: 32,
  commonKey: 32,
  signature: 64,
  address: 20,
  commonAddress: 20,
  txHash: 32,
  wei: 32,
  bool: 1,
  deleted: 1,
  uint32: 4,
  number: 8,
  units: 8,
  seconds: 8,
  time: 8,
}
const WORD = 0x1_0000_0000
const EXACT_BYTES = 32

/** A varint length: seven bits per byte, low ones first. Past the end it returns a length that no body has. */
const countAt = (body: Buffer, at: number): { readonly count: number; readonly next: number } => {
  let [count, next, unit] = [0, at, 1]
  for (;;) {
    const byte = body[next++]
    if (byte === undefined) return { count: Number.MAX_SAFE_INTEGER, next }
    count += (byte & 0x7f) * unit
    if (byte < 0x80 || unit > WORD) return { count, next }
    unit *= 0x80
  }
}

const textEnd = (body: Buffer, at: number): number => {
  const { count, next } = countAt(body, at)
  return next + count
}

const valueEnd = (body: Buffer, kind: ColumnKind, at: number): number => {
  const width = WIDTHS[kind]
  if (width !== undefined) return at + width
  if (kind !== 'texts' && kind !== 'exact') return textEnd(body, at)
  const { count, next } = countAt(body, at)
  let end = next
  for (let n = 0; n < count && end <= body.length; n++) end = textEnd(body, end) + (kind === 'exact' ? EXACT_BYTES : 0)
  return end
}

const textAt = (body: Buffer, at: number): string => {
  const { count, next } = countAt(body, at)
  return body.toString('utf8', next, next + count)
}

const exactAt = (body: Buffer, start: number): ReadonlyMap<string, Amount> => {
  const { count, next } = countAt(body, start)
  const values = new Map<string, Amount>()
  for (let at = next; values.size < count; at = textEnd(body, at) + EXACT_BYTES)
    values.set(textAt(body, at), amountFromBytes(Buffer.from(body.subarray(textEnd(body, at), textEnd(body, at) + EXACT_BYTES)).reverse()))
  return values
}

const weiAt = (body: Buffer, at: number): Amount => {
  let value = 0n
  for (let word = EXACT_BYTES - 8; word >= 0; word -= 8) value = (value << 64n) | body.readBigUInt64LE(at + word)
  return amountOf(value)
}

const valueAt = (body: Buffer, kind: ColumnKind, at: number): WireValue => {
  switch (kind) {
    case 'key':
    case 'commonKey':
    case 'signature':
    case 'address':
    case 'commonAddress':
    case 'txHash':
      return body.toString('latin1', at, at + (WIDTHS[kind] ?? 0))
    case 'bool':
    case 'deleted':
      return body[at] !== 0
    case 'uint32':
      return body.readUInt32LE(at)
    case 'units':
      return amountOf(body.readBigInt64LE(at))
    case 'wei':
      return weiAt(body, at)
    case 'exact':
      return exactAt(body, at)
    case 'number':
    case 'seconds':
    case 'time':
      return body.readInt32LE(at + 4) * WORD + body.readUInt32LE(at)
    case 'text':
    case 'lowCardinality':
      return textAt(body, at)
    case 'texts': {
      const { count, next } = countAt(body, at)
      const texts: string[] = []
      for (let end = next; texts.length < count; end = textEnd(body, end)) texts.push(textAt(body, end))
      return texts
    }
  }
}

export class WireRow {
  readonly #shape: Shape
  readonly #body: Buffer
  /** Start of each column, and the end of the row. */
  readonly #starts: Uint32Array

  constructor(shape: Shape, body: Buffer, starts: Uint32Array) {
    this.#shape = shape
    this.#body = body
    this.#starts = starts
  }
  /** @throws RangeError (a bug) for a column that the table does not have. */
  value(name: string): WireValue {
    const index = this.#shape.columns.findIndex((column) => column.name === name)
    const column = this.#shape.columns[index]
    if (column === undefined) throw new RangeError(`${this.#shape.name} has no column ${name}`)
    const start = this.#starts[index] ?? 0
    if (!column.isNullable) return valueAt(this.#body, column.kind, start)
    return this.#body[start] === 1 ? null : valueAt(this.#body, column.kind, start + 1)
  }
  /** Names of the columns in which two rows of a table differ. */
  differs(other: WireRow): readonly string[] {
    return this.#shape.columns.flatMap(({ name }, index) => (this.#bytes(index).equals(other.#bytes(index)) ? [] : [name]))
  }
  #bytes(index: number): Buffer {
    return this.#body.subarray(this.#starts[index], this.#starts[index + 1])
  }
}

/** The rows of a body; each keeps the body in memory. Undefined if the body ends in the middle of a row. */
export const readRows = (shape: Shape, body: Buffer): readonly WireRow[] | undefined => {
  const rows: WireRow[] = []
  for (let at = 0; at < body.length; ) {
    const starts = new Uint32Array(shape.columns.length + 1)
    for (const [index, { kind, isNullable }] of shape.columns.entries()) {
      starts[index] = at
      if (at >= body.length) return undefined
      const isNull = isNullable && body[at] === 1
      at = isNull ? at + 1 : valueEnd(body, kind, isNullable ? at + 1 : at)
    }
    if (at > body.length) return undefined
    starts[shape.columns.length] = at
    rows.push(new WireRow(shape, body, starts))
  }
  return rows
}
