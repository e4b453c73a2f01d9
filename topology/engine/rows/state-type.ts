// The shape of an aggregate's rows, derived from its Avro record, and their encoding on the changelog.

import type avro from 'avsc'
import { parseType } from '../../../schemas/avro.ts'
import { asBuffer } from '../../../schemas/bytes.ts'
import { assert } from '../../../schemas/errors.ts'
import { flatWriter } from '../../../schemas/flat-writer.ts'
import { once } from '../../../schemas/once.ts'

/** A kind of row: one per aggregate (nullable record), or many (array of records) identified by `idField`. */
export interface Kind {
  readonly name: string
  readonly index: number
  readonly idField: string | undefined
  /** True if there may be very many of its rows: they have pages of their own. At most one kind of a state is paged. */
  readonly isPaged: boolean
  /** Estimated memory of a copy of a row, from its fields. */
  readonly rowBytes: number
  /** A shallow copy, which is complete because rows hold primitives. */
  copy(row: Record<string, unknown>): Record<string, unknown>
}

/** Kinds of an aggregate, with its codec. The kind `timers` (name, due) belongs to the engine. */
export interface StateType {
  readonly kinds: readonly Kind[]
  readonly byName: ReadonlyMap<string, Kind>
  readonly timers: Kind
  readonly paged: Kind | undefined
  /** The Avro schema as JSON, for readers of other versions. */
  readonly schema: string
  encode(page: Record<string, unknown>): Buffer
  decode(bytes: Uint8Array): Record<string, unknown>
  /** Decodes only the timers of a page: a third of the cost. */
  timersIn(bytes: Uint8Array): readonly Record<string, unknown>[]
}

interface FieldSchema {
  readonly name: string
  readonly type: unknown
  readonly rowId?: string
  readonly paged?: boolean
}
type RowSchema = { readonly name: string; readonly fields: readonly FieldSchema[] }

const TIMERS = 'timers'
/** Memory of an object's header, and per field the slot plus half of a small value (others are shared). */
const ROW_BYTES = 32
const FIELD_BYTES = 16

/** Derives kinds from a record whose fields are nullable records or arrays of records with `rowId`. @throws (a bug) on any other field. */
export const stateTypeOf = (schema: avro.Schema): StateType => {
  const type = once(() => parseType(schema))
  const write = once(() => flatWriter(type()))
  const readTimers = once(() => timersReader(schema, type()))
  const fields = (schema as unknown as { fields: readonly FieldSchema[] }).fields
  const named = new Map<string, RowSchema>()
  const kinds = fields.map((field, index): Kind => {
    assert(Array.isArray(field.type) !== (field.rowId !== undefined), `field ${field.name} is neither one row nor many`)
    const of = (Array.isArray(field.type) ? field.type[1] : (field.type as { items: unknown }).items) as RowSchema | string
    const row = typeof of === 'string' ? named.get(of) : of
    assert(row !== undefined, `field ${field.name} names a record that no earlier field defines`)
    named.set(row.name, row)
    const rowBytes = ROW_BYTES + FIELD_BYTES * row.fields.length
    return {
      name: field.name,
      index,
      idField: field.rowId,
      isPaged: field.paged === true,
      rowBytes,
      copy: copierOf(row.fields.map(({ name }) => name)),
    }
  })
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const timers = byName.get(TIMERS)
  assert(timers?.idField === 'name', 'a state needs timers identified by name')
  const [paged, ...more] = kinds.filter(({ isPaged }) => isPaged)
  assert(more.length === 0 && (paged === undefined || paged.idField !== undefined), 'at most one kind is paged, and it has many rows')
  return {
    kinds,
    byName,
    timers,
    paged,
    schema: JSON.stringify(schema),
    encode: (page) => write()(page),
    decode: (bytes) => type().fromBuffer(asBuffer(bytes)),
    timersIn: (bytes) => readTimers()(bytes),
  }
}

/** Decodes with a schema of one field: the fields before it are skipped, not created. */
const timersReader = (schema: avro.Schema, writer: avro.Type): StateType['timersIn'] => {
  const { fields, ...head } = schema as unknown as { readonly fields: readonly FieldSchema[] }
  const reader = parseType({ ...head, fields: fields.filter(({ name }) => name === TIMERS) } as unknown as avro.Schema)
  const resolver = reader.createResolver(writer)
  return (bytes) => (reader.fromBuffer(asBuffer(bytes), resolver) as { readonly [TIMERS]: readonly Record<string, unknown>[] })[TIMERS]
}

/**
 * Compiled for each kind, like the codecs: one spread for rows of all kinds sees too many shapes for the fast path of V8, and a fold that
 * keeps undo then runs at half the speed.
 */
const copierOf = (fields: readonly string[]): Kind['copy'] => {
  for (const field of fields) assert(/^\w+$/.test(field), `${field} is no name of a field`)
  return new Function('row', `return { ${fields.map((field) => `${field}: row.${field}`).join(', ')} }`) as Kind['copy']
}

/** A page without rows. */
export const emptyPage = (kinds: readonly Kind[]): Record<string, unknown> => {
  const page: Record<string, unknown> = {}
  for (const kind of kinds) page[kind.name] = kind.idField === undefined ? null : []
  return page
}

/** Suffix of a key whose page number takes four bytes: no two-byte page number has this value. */
const WIDE = 0xffff

/** Changelog key of a page: the aggregate's key, then the page's number in two bytes; from 65,535 on in four, and then `WIDE`. */
export const pageKey = (key: string, page: number): Buffer => {
  const isWide = page >= WIDE
  const bytes = Buffer.allocUnsafe(key.length + (isWide ? 6 : 2))
  bytes.write(key, 0, 'latin1')
  if (isWide) bytes.writeUInt32BE(page, key.length)
  bytes.writeUInt16BE(isWide ? WIDE : page, bytes.length - 2)
  return bytes
}
/** The aggregate's key and the page of a changelog key. */
export const parsePageKey = (bytes: Uint8Array): { key: string; page: number } => {
  const buffer = asBuffer(bytes)
  const page = buffer.readUInt16BE(buffer.length - 2)
  if (page !== WIDE) return { key: buffer.toString('latin1', 0, buffer.length - 2), page }
  return { key: buffer.toString('latin1', 0, buffer.length - 6), page: buffer.readUInt32BE(buffer.length - 6) }
}
