// Encodes values to Avro with one compiled function for a whole type. avsc compiles one per record and calls a method of a type object for
// every field: packing the rows of changelogs with avsc took a quarter of the main thread at full load.
import avro from 'avsc'
import { amountBytes, LONG_MAX } from './amount.ts'
import { assert } from './errors.ts'

const LONG_BYTES_MAX = 10
/** The zigzag form of a value of more than 31 bits is split into its low 28 bits (four bytes of a varint) and a high part in this unit. */
const HIGH_UNIT = 2 ** 28
const DOUBLE_BYTES = 8
/** The longest encoding of an amount: 33 bytes and their length. */
const DECIMAL_BYTES_MAX = 34
const START_BYTES = 256 * 1024

/** The output buffer; it grows. */
interface Target {
  bytes: Buffer
}

/** Called by compiled code. */
const helpers = {
  /** Zigzag, seven bits per byte, lowest first. */
  long(bytes: Buffer, at: number, value: number): number {
    if (value >= -0x40000000 && value < 0x40000000) {
      let left = (value << 1) ^ (value >> 31)
      while (left & ~0x7f) {
        bytes[at++] = (left & 0x7f) | 0x80
        left >>>= 7
      }
      bytes[at++] = left
      return at
    }
    // Writes the low 28 bits by integer operations: remainders of large numbers are slow.
    const left = value >= 0 ? value * 2 : -value * 2 - 1
    let high = Math.floor(left / HIGH_UNIT)
    const low = left - high * HIGH_UNIT
    bytes[at] = (low & 0x7f) | 0x80
    bytes[at + 1] = ((low >>> 7) & 0x7f) | 0x80
    bytes[at + 2] = ((low >>> 14) & 0x7f) | 0x80
    bytes[at + 3] = (low >>> 21) | 0x80
    at += 4
    while (high & ~0x7f) {
      bytes[at++] = (high & 0x7f) | 0x80
      high >>>= 7
    }
    bytes[at++] = high
    return at
  },
  latin1(bytes: Buffer, at: number, text: string): number {
    return at + bytes.write(text, at, 'latin1')
  },
  utf8(bytes: Buffer, at: number, text: string, size: number): number {
    const start = helpers.long(bytes, at, size)
    return start + bytes.write(text, start, size, 'utf8')
  },
  decimal(bytes: Buffer, at: number, value: bigint): number {
    const digits = amountBytes(value)
    bytes[at++] = digits.length << 1
    bytes.set(digits, at)
    return at + digits.length
  },
  size: (text: string): number => Buffer.byteLength(text),
  room(target: Target, at: number, bytes: number): Buffer {
    const grown = Buffer.allocUnsafe(Math.max(target.bytes.length * 2, at + bytes))
    target.bytes.copy(grown, 0, 0, at)
    target.bytes = grown
    return grown
  },
  fail(value: unknown, what: string): never {
    throw new Error(`invalid ${what}: ${typeof value === 'bigint' ? value : JSON.stringify(value)}`)
  },
}
type Helpers = typeof helpers
type Compiled = (target: Target, value: unknown) => number

/** Generates the code that writes a value of a type. */
class Code {
  readonly lines: string[] = []
  /** The code writes at most this many bytes between two capacity checks. */
  bytesMax = 0
  #names = 0

  write(type: avro.Type, value: string): void {
    if (type instanceof avro.types.LogicalType && type.underlyingType.typeName === 'bytes') this.#decimal(value)
    else if (type instanceof avro.types.LogicalType) this.#latin1(type, value)
    else if (type instanceof avro.types.RecordType) this.#record(type, value)
    else if (type instanceof avro.types.ArrayType) this.#array(type, value)
    else if (avro.Type.isType(type, 'union:unwrapped')) this.#union(type as avro.types.UnwrappedUnionType, value)
    else if (type.typeName === 'long')
      this.#number(value, 'long', `typeof ${value} === 'number' && ${value} >= -${LONG_MAX} && ${value} <= ${LONG_MAX}`)
    else if (type.typeName === 'int') this.#number(value, 'int', `${value} === (${value} | 0)`)
    else if (type.typeName === 'double') this.#double(value)
    else if (type.typeName === 'boolean') this.#boolean(value)
    else if (type.typeName === 'string') this.#string(value)
    else if (type.typeName === 'bytes') this.#bytes(value)
    else assert(false, `flatWriter does not support the type ${type.typeName}`)
  }

  #record(type: avro.types.RecordType, value: string): void {
    for (const field of type.fields) {
      const name = `v${this.#names++}`
      assert(/^\w+$/.test(field.name), `${field.name} is not a valid field name`)
      this.lines.push(`const ${name} = ${value}.${field.name}`)
      this.write(field.type, name)
    }
  }
  #array(type: avro.types.ArrayType, value: string): void {
    const [index, item] = [`i${this.#names}`, `v${this.#names++}`]
    this.bytesMax += LONG_BYTES_MAX + 1
    this.lines.push(`if (!Array.isArray(${value})) h.fail(${value}, 'array')`)
    this.lines.push(`if (${value}.length > 0) at = h.long(bytes, at, ${value}.length)`)
    this.lines.push(`for (let ${index} = 0; ${index} < ${value}.length; ${index}++) {`, `const ${item} = ${value}[${index}]`, 'ROOM(0)')
    this.write(type.itemsType, item)
    this.lines.push('}', 'bytes[at++] = 0')
  }
  /** The last branch takes all values that no other branch takes. */
  #union(type: avro.types.UnwrappedUnionType, value: string): void {
    this.bytesMax++
    for (const [index, branch] of type.types.entries()) {
      const isLast = index === type.types.length - 1
      this.lines.push(`${index > 0 ? 'else ' : ''}${isLast ? '' : `if (${isOf(branch, value)}) `}{`, `bytes[at++] = ${2 * index}`)
      if (branch.typeName !== 'null') this.write(branch, value)
      this.lines.push('}')
    }
  }
  #number(value: string, what: string, isValid: string): void {
    this.bytesMax += LONG_BYTES_MAX
    this.lines.push(`if (!(${isValid})) h.fail(${value}, '${what}')`)
    this.lines.push(`if (${value} >= -64 && ${value} < 64) bytes[at++] = (${value} << 1) ^ (${value} >> 31)`)
    this.lines.push(`else at = h.long(bytes, at, ${value})`)
  }
  #double(value: string): void {
    this.bytesMax += DOUBLE_BYTES
    this.lines.push(`if (typeof ${value} !== 'number') h.fail(${value}, 'double')`, `at = bytes.writeDoubleLE(${value}, at)`)
  }
  #decimal(value: string): void {
    this.bytesMax += DECIMAL_BYTES_MAX
    this.lines.push(`if (typeof ${value} !== 'bigint') h.fail(${value}, 'amount')`, `at = h.decimal(bytes, at, ${value})`)
  }
  #boolean(value: string): void {
    this.bytesMax++
    this.lines.push(`if (typeof ${value} !== 'boolean') h.fail(${value}, 'boolean')`, `bytes[at++] = ${value} ? 1 : 0`)
  }
  #latin1(type: avro.types.LogicalType, value: string): void {
    const { size } = type.underlyingType as avro.types.FixedType
    this.bytesMax += size
    this.lines.push(`if (typeof ${value} !== 'string' || ${value}.length !== ${size}) h.fail(${value}, 'text of ${size} bytes')`)
    this.lines.push(`at = h.latin1(bytes, at, ${value})`)
  }
  #bytes(value: string): void {
    const size = `s${this.#names++}`
    this.bytesMax += LONG_BYTES_MAX
    this.lines.push(`if (!(${value} instanceof Uint8Array)) h.fail(${value}, 'bytes')`, `const ${size} = ${value}.length`)
    this.lines.push(`ROOM(${size})`, `at = h.long(bytes, at, ${size})`, `bytes.set(${value}, at)`, `at += ${size}`)
  }
  #string(value: string): void {
    const size = `s${this.#names++}`
    this.bytesMax += LONG_BYTES_MAX
    this.lines.push(`if (typeof ${value} !== 'string') h.fail(${value}, 'string')`)
    this.lines.push(`const ${size} = h.size(${value})`, `ROOM(${size})`, `at = h.utf8(bytes, at, ${value}, ${size})`)
  }
}

/** JavaScript code of a condition that is true for values of this branch. */
const isOf = (branch: avro.Type, value: string): string => {
  if (branch.typeName === 'null') return `${value} === null`
  assert(branch.typeName === 'long', `flatWriter supports a ${branch.typeName} in a union only as the last branch`)
  return `typeof ${value} === 'number'`
}

const compiled = (type: avro.Type): Compiled => {
  const code = new Code()
  code.write(type, 'value')
  // Capacity is checked at the start, at each item of a list and at each text or byte field: between two checks each part of the type is
  // written at most once.
  const roomFor = (_: string, more: string): string =>
    `if (at + ${more} + ${code.bytesMax} > bytes.length) bytes = h.room(target, at, ${more} + ${code.bytesMax})`
  const lines = ['let at = 0', 'let bytes = target.bytes', 'ROOM(0)', ...code.lines, 'return at']
  const body = lines.map((line) => line.replace(/^ROOM\((\w+)\)$/, roomFor)).join('\n')
  return new Function('h', `return (target, value) => {\n${body}\n}`)(helpers as Helpers) as Compiled
}

/**
 * Encodes records whose fields are numbers, amounts, strings, bytes, booleans, keys, records, arrays of these, or unions of one of these
 * with null: the same bytes as avsc's. A small result is a slice of memory that Node shares among buffers: copy it to keep it for long.
 * @throws (a bug) where a value does not match its type
 */
export const flatWriter = (type: avro.Type): ((value: unknown) => Buffer) => {
  const target: Target = { bytes: Buffer.allocUnsafe(START_BYTES) }
  const write = compiled(type)
  return (value) => {
    const size = write(target, value)
    return Buffer.from(target.bytes.subarray(0, size))
  }
}
