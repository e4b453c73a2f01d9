// Thrift's compact protocol, as far as Parquet footers use it: parses values so that they are serialized to the same bytes.
import { assert } from '../../../../schemas/errors.ts'

/** Types of the protocol. A boolean field has its value in the type. */
export const TYPE = { true: 1, false: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, set: 10, struct: 12 } as const
type TypeId = (typeof TYPE)[keyof typeof TYPE]

export interface ThriftList {
  readonly of: number
  readonly items: Value[]
}
/** By field number, in the order of the bytes. */
export type ThriftStruct = Map<number, Field>
/** Integers as bigint; doubles, text and bytes as their bytes; booleans as such. */
type Value = bigint | boolean | Buffer | ThriftList | ThriftStruct
interface Field {
  readonly type: number
  value: Value
}

/** A footer has only a few levels. */
const DEPTH_MAX = 16
const LONG_LIST = 15
const DOUBLE_BYTES = 8

const zigzag = (value: bigint): bigint => (value >= 0n ? value << 1n : (-value << 1n) - 1n)
const unzigzag = (value: bigint): bigint => ((value & 1n) === 0n ? value >> 1n : -((value + 1n) >> 1n))

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }
  struct(depth: number): ThriftStruct {
    assert(depth < DEPTH_MAX, 'a footer must not be nested that deeply')
    const fields: ThriftStruct = new Map()
    for (let number = 0; ; ) {
      const head = this.#byte()
      if (head === 0) return fields
      const type = head & 0x0f
      number = head >> 4 === 0 ? Number(this.#integer()) : number + (head >> 4)
      fields.set(number, { type, value: this.#value(type, depth) })
    }
  }
  #value(type: number, depth: number): Value {
    switch (type as TypeId) {
      case TYPE.true:
        return true
      case TYPE.false:
        return false
      case TYPE.byte:
        return this.#take(1)
      case TYPE.i16:
      case TYPE.i32:
      case TYPE.i64:
        return this.#integer()
      case TYPE.double:
        return this.#take(DOUBLE_BYTES)
      case TYPE.binary:
        return this.#take(Number(this.#varint()))
      case TYPE.list:
      case TYPE.set:
        return this.#list(depth)
      case TYPE.struct:
        return this.struct(depth + 1)
      default:
        throw new RangeError(`the footer has a value of the unknown type ${type}`)
    }
  }
  #list(depth: number): ThriftList {
    const head = this.#byte()
    const of = head & 0x0f
    const count = head >> 4 === LONG_LIST ? Number(this.#varint()) : head >> 4
    const items: Value[] = []
    // A boolean in a list takes one byte.
    for (let n = 0; n < count; n++) items.push(of <= TYPE.false ? this.#take(1) : this.#value(of, depth))
    return { of, items }
  }
  #byte(): number {
    return this.#take(1)[0] as number
  }
  #take(size: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + size)
    if (taken.length < size) throw new RangeError('the footer is truncated')
    this.#at += size
    return taken
  }
  #integer(): bigint {
    return unzigzag(this.#varint())
  }
  #varint(): bigint {
    for (let [value, shift] = [0n, 0n]; ; shift += 7n) {
      const byte = this.#byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
}

const varint = (value: bigint): Buffer => {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)])
    bytes.push(Number(rest & 0x7fn) | 0x80)
  }
}

/** Writes nothing for a boolean field: its value is in its type. */
const put = ({ type, value }: Field, into: Buffer[]): void => {
  if (Buffer.isBuffer(value)) {
    if (type === TYPE.binary) into.push(varint(BigInt(value.length)))
    into.push(value)
  } else if (typeof value === 'bigint') into.push(varint(zigzag(value)))
  else if (value instanceof Map) struct(value, into)
  else if (typeof value === 'object') list(value, into)
}

const list = ({ of, items }: ThriftList, into: Buffer[]): void => {
  if (items.length < LONG_LIST) into.push(Buffer.from([(items.length << 4) | of]))
  else into.push(Buffer.from([(LONG_LIST << 4) | of]), varint(BigInt(items.length)))
  for (const value of items) put({ type: of, value }, into)
}

const struct = (fields: ThriftStruct, into: Buffer[]): void => {
  let before = 0
  for (const [number, field] of fields) {
    const step = number - before
    if (step > 0 && step < LONG_LIST + 1) into.push(Buffer.from([(step << 4) | field.type]))
    else into.push(Buffer.from([field.type]), varint(zigzag(BigInt(number))))
    before = number
    put(field, into)
  }
  into.push(Buffer.from([0]))
}

/** @throws RangeError for bytes that are not a struct */
export const readStruct = (bytes: Buffer): ThriftStruct => new Reader(bytes).struct(0)

export const writeStruct = (fields: ThriftStruct): Buffer => {
  const into: Buffer[] = []
  struct(fields, into)
  return Buffer.concat(into)
}
