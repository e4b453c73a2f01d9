// One way to load a schema and to turn values into bytes: avsc with keys as latin1 text and unions told apart by `type`.
import { readFileSync } from 'node:fs'
import avro from 'avsc'

/** A fixed of 32 or 64 bytes as text, one character a byte: cheap to hash, compare and intern. Printed as base58 at the edges. */
class Latin1 extends avro.types.LogicalType {
  protected override _fromValue(bytes: Buffer): string {
    return bytes.toString('latin1')
  }
  protected override _toValue(text: unknown): Buffer | undefined {
    return typeof text === 'string' ? Buffer.from(text, 'latin1') : undefined
  }
  protected override _resolve(type: avro.Type): ((value: Buffer) => string) | undefined {
    return avro.Type.isType(type, 'fixed') || avro.Type.isType(type, 'logical') ? (value) => this._fromValue(value) : undefined
  }
}

type Branches = readonly { readonly name: string; readonly type: string }[]

/** A union of records whose values carry their branch in the field `type` (record Trade: 'trade'). */
class TaggedUnion extends avro.types.LogicalType {
  readonly #names: ReadonlyMap<string, string>

  constructor(schema: avro.Schema, opts: object, branches: Branches) {
    super(schema, opts)
    this.#names = new Map(branches.map((branch) => [branch.type, branch.name]))
  }
  protected override _fromValue(wrapped: { unwrap(): unknown }): unknown {
    return wrapped.unwrap()
  }
  protected override _toValue(value: unknown): unknown {
    const name = this.#names.get((value as { type?: string } | null)?.type ?? '')
    return name === undefined ? undefined : { [name]: value }
  }
  protected override _resolve(type: avro.Type): ((value: { unwrap(): unknown }) => unknown) | undefined {
    return avro.Type.isType(type, 'union', 'logical') ? (value) => this._fromValue(value) : undefined
  }
}

interface ParseOptions {
  namespace?: string
  wrapUnions?: string
}

/** Unions of two and more records become tagged ones; every other union is plain. */
const tagUnions = () => {
  const busy = new Set<unknown>()
  return (schema: unknown, opts: ParseOptions): avro.Type | undefined => {
    if (!Array.isArray(schema) || busy.has(schema)) return undefined
    const records = schema.filter((branch) => branch !== null && typeof branch === 'object' && branch.type === 'record')
    if (records.length === 0 || records.length !== schema.length) return undefined
    busy.add(schema)
    const branches = records.map(({ name }: { name: string }) => ({
      name: opts.namespace ? `${opts.namespace}.${name}` : name,
      type: name.charAt(0).toLowerCase() + name.slice(1),
    }))
    const outer = opts.wrapUnions
    opts.wrapUnions = 'always'
    const type = new TaggedUnion(schema as never, opts, branches)
    if (outer === undefined) delete opts.wrapUnions
    else opts.wrapUnions = outer
    return type
  }
}

/** Parses a schema the way all of ours are parsed (also older versions of them, for readers of old bytes). */
export const parseType = (schema: avro.Schema, registry: Record<string, avro.Type> = {}): avro.Type =>
  avro.Type.forSchema(schema, { logicalTypes: { latin1: Latin1 }, registry, typeHook: tagUnions() as never })

/** The text of `schemas/<name>.avsc`, parsed as JSON. */
export const readSchema = (name: string): avro.Schema => JSON.parse(readFileSync(new URL(`./${name}.avsc`, import.meta.url), 'utf8'))

/** Reads `schemas/<name>.avsc`; `registry` gets the named types of it. */
export const loadType = (name: string, registry: Record<string, avro.Type> = {}): avro.Type => parseType(readSchema(name), registry)
