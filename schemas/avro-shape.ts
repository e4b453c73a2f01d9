// Validates Avro bytes before they are decoded: the decoder trusts counts, so a damaged count would make it fill memory.
import type avro from 'avsc'

/** Skips a value that starts at `at`: returns where it ends, or -1 if the bytes are not a complete value. */
export type Walk = (bytes: Buffer, at: number) => number

const DAMAGED = -1
const VARINT_BYTES_MAX = 9

/** End of a varint; DAMAGED past the end or beyond 63 bits. */
const skipVarint: Walk = (bytes, at) => {
  for (let i = 0; i < VARINT_BYTES_MAX && at + i < bytes.length; i++) if ((bytes[at + i] as number) < 0x80) return at + i + 1
  return DAMAGED
}

/** Reads a zigzag varint that is a count, and that `skipVarint` has accepted: exact below 2^53, far beyond any length. */
const readCount = (bytes: Buffer, at: number): number => {
  let value = 0
  for (let i = 0, factor = 1; ; i++, factor *= 128) {
    const byte = bytes[at + i] as number
    value += (byte & 0x7f) * factor
    if (byte < 0x80) break
  }
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

const skipFixed =
  (size: number): Walk =>
  (bytes, at) =>
    at + size <= bytes.length ? at + size : DAMAGED

const skipBlob: Walk = (bytes, at) => {
  const start = skipVarint(bytes, at)
  if (start === DAMAGED) return DAMAGED
  const length = readCount(bytes, at)
  return length >= 0 && start + length <= bytes.length ? start + length : DAMAGED
}

/**
 * Every item takes at least one byte, so a count beyond the remaining bytes is damage. So is a negative count, by which Avro announces
 * that the size of the block follows: our writer never writes one.
 */
const skipArray =
  (item: Walk): Walk =>
  (bytes, start) => {
    let at = start
    for (;;) {
      const next = skipVarint(bytes, at)
      if (next === DAMAGED) return DAMAGED
      const count = readCount(bytes, at)
      if (count === 0) return next
      if (count < 0 || count > bytes.length - next) return DAMAGED
      at = next
      for (let i = 0; i < count && at !== DAMAGED; i++) at = item(bytes, at)
      if (at === DAMAGED) return DAMAGED
    }
  }

const skipUnion =
  (branches: readonly Walk[]): Walk =>
  (bytes, at) => {
    const start = skipVarint(bytes, at)
    const branch = start === DAMAGED ? undefined : branches[readCount(bytes, at)]
    return branch === undefined ? DAMAGED : branch(bytes, start)
  }

const skipRecord =
  (fields: readonly Walk[]): Walk =>
  (bytes, start) => {
    let at = start
    for (let i = 0; i < fields.length && at !== DAMAGED; i++) at = (fields[i] as Walk)(bytes, at)
    return at
  }

const PRIMITIVES: Readonly<Record<string, Walk>> = {
  null: (_bytes, at) => at,
  boolean: (bytes, at) => (at < bytes.length && (bytes[at] as number) < 2 ? at + 1 : DAMAGED),
  int: skipVarint,
  long: skipVarint,
  string: skipBlob,
  bytes: skipBlob,
}

/**
 * Compiles a walk for a schema of records, arrays, unions, fixed and primitives other than float and double. @throws (a bug) on a schema
 * with anything else
 */
export const compileWalk = (schema: avro.Schema, named: Map<string, Walk> = new Map()): Walk => {
  if (typeof schema === 'string') {
    const walk = PRIMITIVES[schema] ?? named.get(schema)
    if (walk === undefined) throw new TypeError(`no walk for the schema ${schema}`)
    return walk
  }
  if (Array.isArray(schema)) return skipUnion(schema.map((branch: avro.Schema) => compileWalk(branch, named)))
  const { type, name, size, items, fields } = schema as {
    type: string
    name?: string
    size?: number
    items?: avro.Schema
    fields?: { type: avro.Schema }[]
  }
  const walk =
    type === 'fixed'
      ? skipFixed(size ?? 0)
      : type === 'array'
        ? skipArray(compileWalk(items as avro.Schema, named))
        : type === 'record'
          ? skipRecord((fields ?? []).map((field) => compileWalk(field.type, named)))
          : compileWalk(type, named)
  if (name !== undefined) named.set(name, walk)
  return walk
}
