// Loads schemas and encodes values: avsc with keys as latin1 text and unions distinguished by `type`.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import avro from 'avsc'
import { type Amount, amountBytes, amountFromBytes, isWithin256Bits } from './amount.ts'
import { assert } from './errors.ts'
import { once } from './once.ts'
import { withWideAmounts } from './wide-amounts.ts'

/** avsc's buffer and position: a write past the end of the buffer only advances the position. */
interface Tap {
  readonly buf: Buffer
  pos: number
}
interface Writes {
  _write(tap: Tap, value: unknown): void
}

/** A fixed of 20, 32 or 64 bytes as text, one character per byte: cheap to hash, compare and intern. Output prints it as base58 or hex. */
class Latin1 extends avro.types.LogicalType {
  /** avsc calls it instead of `_fromValue`, which avoids a Buffer. Bytes that end too early are detected by avsc at the end. */
  protected _read(tap: Tap): string {
    const start = tap.pos
    tap.pos += (this.underlyingType as avro.types.FixedType).size
    return tap.buf.toString('latin1', start, tap.pos)
  }
  /** avsc calls it instead of `_toValue`, which avoids a Buffer. */
  protected _write(tap: Tap, text: unknown): void {
    const { size } = this.underlyingType as avro.types.FixedType
    if (typeof text === 'string' && text.length === size) {
      const start = tap.pos
      tap.pos += size
      if (tap.pos <= tap.buf.length) tap.buf.write(text, start, size, 'latin1')
    } else (this.underlyingType as unknown as Writes)._write(tap, this._toValue(text))
  }
  protected override _fromValue(bytes: Buffer): string {
    return bytes.toString('latin1')
  }
  protected override _toValue(text: unknown): Buffer | undefined {
    return typeof text === 'string' ? Buffer.from(text, 'latin1') : undefined
  }
  protected override _resolve(writer: avro.Type): ((value: Buffer | string) => string) | undefined {
    if (sizeOf(plain(writer)) !== sizeOf(this.underlyingType)) return undefined
    return (value) => (typeof value === 'string' ? value : this._fromValue(value))
  }
}

/** Integers beyond 53 bits, in a union with long. Smaller ones are always written as long, so each value has one encoding. */
class Decimal extends avro.types.LogicalType {
  protected override _fromValue(bytes: Buffer | undefined): Amount {
    // Bytes that end too early are detected by avsc at the end.
    return bytes === undefined ? 0 : amountFromBytes(bytes)
  }
  protected override _toValue(value: unknown): Buffer | undefined {
    return typeof value === 'bigint' && isWithin256Bits(value) ? amountBytes(value) : undefined
  }
  protected override _resolve(writer: avro.Type): ((value: Buffer | Amount) => Amount) | undefined {
    if (plain(writer).typeName !== 'bytes') return undefined
    return (value) => (Buffer.isBuffer(value) ? this._fromValue(value) : value)
  }
}

interface Branch {
  readonly name: string
  readonly type: string
  /** Whether a value has an amount beyond long; undefined for a branch without such amounts. */
  readonly hasWideAmount: ((record: object) => boolean) | undefined
}

/**
 * A union of records whose values name their branch in the field `type`, an enum with one symbol (record Trade: 'trade'). Where two records
 * have the same symbol, the second is for values with an amount beyond long.
 */
class TaggedUnion extends avro.types.LogicalType {
  readonly #narrow: ReadonlyMap<string, Branch>
  readonly #wide: ReadonlyMap<string, Branch>

  constructor(schema: avro.Schema, opts: object, branches: readonly Branch[]) {
    super(schema, opts)
    this.#narrow = new Map(branches.flatMap((branch) => (branch.hasWideAmount === undefined ? [[branch.type, branch]] : [])))
    this.#wide = new Map(branches.flatMap((branch) => (branch.hasWideAmount === undefined ? [] : [[branch.type, branch]])))
  }
  protected override _fromValue(wrapped: { unwrap(): unknown }): unknown {
    return wrapped.unwrap()
  }
  protected override _toValue(value: unknown): unknown {
    const record = value as { readonly type?: unknown } | null
    const type = String(record?.type)
    const wide = this.#wide.get(type)
    const branch = record !== null && wide?.hasWideAmount?.(record) ? wide : this.#narrow.get(type)
    return branch === undefined ? undefined : { [branch.name]: value }
  }
  protected override _resolve(): undefined {
    return undefined
  }
  /**
   * avsc calls it to make a reader of bytes that another version wrote. Branches are resolved one by one: a branch that this version does
   * not know fails only where it occurs, and all other values can be read.
   */
  protected _update(resolver: { _read?: Read }, writer: avro.Type, opts: object): void {
    const union = plain(writer)
    if (!avro.Type.isType(union, 'union')) return
    const reads = (union as avro.types.WrappedUnionType).types.map((branch) => readBranch(this.underlyingType, branch, opts))
    resolver._read = (tap) => {
      const index = tap.readLong()
      const read = reads[index]
      if (read === undefined) throw new Error(`invalid union index: ${index}`)
      return read(tap)
    }
  }
}

type Read = (tap: { readLong(): number }) => unknown

const readBranch = (reader: avro.Type, branch: avro.Type, opts: object): Read => {
  try {
    const resolver = reader.createResolver(branch, opts) as { _read(tap: unknown): { unwrap(): unknown } }
    return (tap) => resolver._read(tap).unwrap()
  } catch (cause) {
    return () => {
      throw new Error(`the branch ${branch.branchName} is not known to this version`, { cause })
    }
  }
}

const plain = (type: avro.Type): avro.Type => (type instanceof avro.types.LogicalType ? type.underlyingType : type)
const sizeOf = (type: avro.Type): number | undefined => (type instanceof avro.types.FixedType ? type.size : undefined)

interface ParseOptions {
  namespace?: string
  wrapUnions?: string
}

interface RecordSchema {
  name: string
  /** Set where the schema has a namespace of its own, as at the top of a file. */
  namespace?: string
  fields: { name: string; type: { symbols: string[] } | { items?: unknown } | readonly (string | { logicalType?: string })[] }[]
}

const isWide = ({ type }: RecordSchema['fields'][number]): boolean =>
  Array.isArray(type) && type.some((branch) => typeof branch === 'object' && branch?.logicalType === 'decimal')

/**
 * The source of an expression that is true if an amount of the record, or of a record in one of its lists, is beyond long; empty if the
 * schema has no amounts.
 */
const beyondLong = (fields: RecordSchema['fields'], record: string): string =>
  fields
    .flatMap((field) => {
      assert(/^\w+$/.test(field.name), `${field.name} is not a valid field name`)
      if (isWide(field)) return [`typeof ${record}.${field.name} === 'bigint'`]
      const { items } = field.type as { items?: Partial<RecordSchema> }
      const within = items?.fields ? beyondLong(items.fields, 'item') : ''
      return within === '' ? [] : [`(Array.isArray(${record}.${field.name}) && ${record}.${field.name}.some((item) => ${within}))`]
    })
    .join(' || ')
/** Compiled, because the check runs for every event that is written. */
const beyondLongIn = ({ fields }: RecordSchema): Branch['hasWideAmount'] => {
  const code = beyondLong(fields, 'record')
  return code === '' ? undefined : (new Function('record', `return ${code}`) as Branch['hasWideAmount'])
}

const symbolOf = (fields: RecordSchema['fields']): string | undefined => {
  const type = fields.find(({ name }) => name === 'type')?.type
  return type !== undefined && 'symbols' in type ? type.symbols[0] : undefined
}

/**
 * Returns a type hook that makes each union of records a tagged union. Every other union stays unwrapped, also inside a tagged one: avsc
 * reads `wrapUnions` for a union before it calls this hook for the types in that union.
 */
const tagUnions = () => {
  const busy = new Set<unknown>()
  return (schema: unknown, opts: ParseOptions): avro.Type | undefined => {
    if (busy.has(schema)) {
      delete opts.wrapUnions
      return undefined
    }
    if (!Array.isArray(schema)) return undefined
    const records = schema.filter((branch) => branch !== null && typeof branch === 'object' && branch.type === 'record')
    if (records.length === 0 || records.length !== schema.length) return undefined
    busy.add(schema)
    const branches = records.map((record: RecordSchema) => {
      const { name, namespace = opts.namespace, fields } = record
      return { name: namespace ? `${namespace}.${name}` : name, type: symbolOf(fields) ?? name, hasWideAmount: beyondLongIn(record) }
    })
    opts.wrapUnions = 'always'
    return new TaggedUnion(schema as never, opts, branches)
  }
}

/** Parses a schema with this project's logical types (also older versions, to read old bytes). */
export const parseType = (schema: avro.Schema, registry: Record<string, avro.Type> = {}): avro.Type =>
  avro.Type.forSchema(schema, { logicalTypes: { latin1: Latin1, decimal: Decimal }, registry, typeHook: tagUnions() as never })

/** The text of `schemas/<name>.avsc`, parsed as JSON. */
export const readSource = (name: string) => JSON.parse(readFileSync(new URL(`./${name}.avsc`, import.meta.url), 'utf8'))
/**
 * The schema as published and written, with its docs. Do not change the docs in raw, tape and alt-tape: they are part of the headers of
 * recordings, tape and day files.
 */
export const readSchema = (name: string): avro.Schema => withWideAmounts(readSource(name)) as unknown as avro.Schema

/** The text of a schema without its docs, which do not change what is stored. */
export const withoutDocs = (schema: string): string =>
  JSON.stringify(JSON.parse(schema, (name, value) => (name === 'doc' ? undefined : value)))

/** Identifies the shape of the values of `schemas/<name>.avsc`, 16 hexadecimal digits: another one if anything but docs differs. */
export const fingerprintOf = (name: string): string =>
  createHash('sha256')
    .update(withoutDocs(JSON.stringify(readSchema(name))))
    .digest('hex')
    .slice(0, 16)

/** The same schema for a chain with keys of `keyBytes` bytes. */
export const withKeysOf = (schema: avro.Schema, keyBytes: number): avro.Schema =>
  JSON.parse(JSON.stringify(schema), (_name, one) => (one?.name === 'Key32' ? { ...one, size: keyBytes } : one))

/** Loads `schemas/<name>.avsc`; its named types are added to `registry`. */
export const loadType = (name: string, registry: Record<string, avro.Type> = {}): avro.Type => parseType(readSchema(name), registry)

/** The type of `schemas/<name>.avsc`, and those within it by their names; made at the first use. */
export const typesOf = (name: string) =>
  once(() => {
    const types: Record<string, avro.Type> = {}
    const named = (type: string): avro.Type => {
      const found = types[`mintfold.${type}`]
      assert(found !== undefined, `${name}.avsc has a ${type}`)
      return found
    }
    return { whole: loadType(name, types), named }
  })
