// Decodes the bodies of frames (Avro) with compiled functions, without any checks: the bytes must have been validated (avro-shape.ts).
// Twice as fast as avsc, which calls a method of a type object for every field.
import avro from 'avsc'
import { assert } from './errors.ts'

/** A varint of more than four bytes (seven bits each) is split into 28 low bits and a high part, in this unit. */
const HIGH_UNIT = 2 ** 28
const DOUBLE_BYTES = 8

/** Start of the compiled code: the bytes, the read position, and the functions that read plain types. */
const HEAD = `
let b
let p = 0
const EMPTY = Buffer.alloc(0)
const long = () => {
  let byte = b[p++]
  let low = byte & 0x7f
  for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
    byte = b[p++]
    low |= (byte & 0x7f) << shift
  }
  if (byte < 0x80) return (low >>> 1) ^ -(low & 1)
  let high = 0
  let factor = 1
  do {
    byte = b[p++]
    high += (byte & 0x7f) * factor
    factor *= 0x80
  } while (byte >= 0x80)
  const all = high * ${HIGH_UNIT} + low
  return low & 1 ? -(all + 1) / 2 : all / 2
}
const bytes = () => {
  const size = long()
  if (size === 0) return EMPTY
  p += size
  return b.subarray(p - size, p)
}
const text = () => {
  const size = long()
  p += size
  return b.toString('utf8', p - size, p)
}
const latin1 = (size) => {
  p += size
  return b.toString('latin1', p - size, p)
}
const double = () => {
  p += ${DOUBLE_BYTES}
  return b.readDoubleLE(p - ${DOUBLE_BYTES})
}
const list = (read) => {
  const items = []
  for (let left = long(); left !== 0; left = long()) {
    if (left < 0) {
      left = -left
      long()
    }
    for (; left > 0; left--) items.push(read())
  }
  return items
}
`
const PLAIN: Readonly<Record<string, string>> = {
  null: 'null',
  long: 'long()',
  int: 'long()',
  boolean: 'b[p++] === 1',
  double: 'double()',
  string: 'text()',
  bytes: 'bytes()',
}

/** Generates one function per record type, so that V8 gives all its values the same hidden class. */
class Code {
  readonly functions: string[] = []

  /** The source of an expression that reads a value of the type. */
  read(type: avro.Type): string {
    if (type instanceof avro.types.LogicalType) return `latin1(${(type.underlyingType as avro.types.FixedType).size})`
    if (type instanceof avro.types.RecordType) return `${this.#function(this.#record(type))}()`
    if (type instanceof avro.types.ArrayType) return `list(${this.#function(this.read(type.itemsType))})`
    if (avro.Type.isType(type, 'union:unwrapped')) return this.#union(type as avro.types.UnwrappedUnionType)
    const plain = PLAIN[type.typeName]
    assert(plain !== undefined, `frame bodies cannot have the type ${type.typeName}`)
    return plain
  }

  #record(type: avro.types.RecordType): string {
    for (const { name } of type.fields) assert(/^\w+$/.test(name), `${name} is not a valid field name`)
    return `({ ${type.fields.map((field) => `${field.name}: ${this.read(field.type)}`).join(', ')} })`
  }
  #union({ types }: avro.types.UnwrappedUnionType): string {
    const [first, second, ...more] = types
    assert(first !== undefined && second !== undefined && more.length === 0, 'a union in a frame body has two branches')
    return `(long() === 0 ? ${this.read(first)} : ${this.read(second)})`
  }
  #function(expression: string): string {
    const name = `read${this.functions.length}`
    this.functions.push(`const ${name} = () => ${expression}`)
    return name
  }
}

/** Reads a value from bytes that hold exactly one value of the type; byte fields of the result are views of them. */
export const flatReader = <Value>(type: avro.Type): ((bytes: Buffer) => Value) => {
  const code = new Code()
  const read = code.read(type)
  const body = `${HEAD}${code.functions.join('\n')}\nreturn (given) => {\n  b = given\n  p = 0\n  return ${read}\n}`
  return new Function('Buffer', body)(Buffer) as (bytes: Buffer) => Value
}
