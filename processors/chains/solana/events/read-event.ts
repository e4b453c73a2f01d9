// Parses an event's bytes by its layout: as many complete fields as there are, then the unread tail.
import { type BadData, bad, good, type Parsed } from '../../../../schemas/errors.ts'
import { type Key, keyOf } from '../../../../schemas/keys.ts'
import type { ProgramName } from '../programs.ts'
import { type Field, findLayout, type Layout } from './layouts.ts'

/** One part of a creator's fee. */
interface Shareholder {
  readonly address: Key
  readonly share_bps: number
}

/** A field's value: 64 bits and more as bigint. */
export type FieldValue = number | bigint | boolean | string | { readonly key: Key } | readonly Key[] | readonly Shareholder[]

/** A parsed event. */
export interface ReadEvent {
  readonly program: ProgramName
  readonly event: string
  /** G0..G8 for trades, V0..V6 for creates, for others the number of complete generations. */
  readonly layout: string | number
  /** By the IDL's names, in wire order. */
  readonly fields: ReadonlyMap<string, FieldValue>
  /** The unread bytes: from the first incomplete or unknown field. */
  readonly tail: Buffer
}

const DISCRIMINATOR_BYTES = 8
const KEY_BYTES = 32
const LENGTH_BYTES = 4
const SHAREHOLDER_BYTES = KEY_BYTES + 2
const FIXED_BYTES = {
  u8: 1,
  bool: 1,
  u16: 2,
  u64: 8,
  i64: 8,
  i128: 16,
  key: KEY_BYTES,
  keys7: 7 * KEY_BYTES,
  keys8: 8 * KEY_BYTES,
} as const

interface FieldRead {
  readonly value: FieldValue
  /** Offset of the next field. */
  readonly end: number
}

/** Result for a field that the bytes do not contain completely. */
const INCOMPLETE = undefined

const readKeys = (body: Buffer, at: number, count: number): Key[] =>
  Array.from({ length: count }, (_, i) => keyOf(body.subarray(at + i * KEY_BYTES, at + (i + 1) * KEY_BYTES)))

const readShareholders = (body: Buffer, at: number, count: number): Shareholder[] =>
  Array.from({ length: count }, (_, i) => {
    const start = at + i * SHAREHOLDER_BYTES
    return { address: keyOf(body.subarray(start, start + KEY_BYTES)), share_bps: body.readUInt16LE(start + KEY_BYTES) }
  })

const readCounted = (field: Field, body: Buffer, at: number): FieldRead | BadData | typeof INCOMPLETE => {
  if (at + LENGTH_BYTES > body.length) return INCOMPLETE
  const count = body.readUInt32LE(at)
  const start = at + LENGTH_BYTES
  const end = start + count * (field.type === 'str' ? 1 : SHAREHOLDER_BYTES)
  if (end > body.length)
    return bad('bad_string_length', `${field.name} has a count of ${count} elements, but only ${body.length - start} bytes are left`)
  return { value: field.type === 'str' ? body.toString('utf8', start, end) : readShareholders(body, start, count), end }
}

const readField = (field: Field, body: Buffer, at: number): FieldRead | BadData | typeof INCOMPLETE => {
  if (field.type === 'str' || field.type === 'shareholders') return readCounted(field, body, at)
  const end = at + FIXED_BYTES[field.type]
  if (end > body.length) return INCOMPLETE
  switch (field.type) {
    case 'u8':
      return { value: body.readUInt8(at), end }
    case 'u16':
      return { value: body.readUInt16LE(at), end }
    case 'u64':
      return { value: body.readBigUInt64LE(at), end }
    case 'i64':
      return { value: body.readBigInt64LE(at), end }
    case 'i128':
      return { value: (body.readBigInt64LE(at + 8) << 64n) | body.readBigUInt64LE(at), end }
    case 'key':
      return { value: { key: keyOf(body.subarray(at, end)) }, end }
    case 'keys7':
    case 'keys8':
      return { value: readKeys(body, at, FIXED_BYTES[field.type] / KEY_BYTES), end }
    case 'bool': {
      const byte = body.readUInt8(at)
      return byte > 1 ? bad('bad_bool', `${field.name} is ${byte}, neither 0 nor 1`) : { value: byte === 1, end }
    }
  }
}

const layoutName = ({ event }: Layout, generations: number): string | number =>
  event === 'TradeEvent' ? `G${generations - 1}` : event === 'CreateEvent' ? `V${generations - 1}` : generations

/**
 * Parses `bytes` (discriminator and body) of an event that `program` emitted. Never requires an exact length: programs append fields. Bad
 * data: unknown_event; truncated where even the first generation is incomplete; bad_bool; bad_string_length.
 */
export const readEvent = (program: ProgramName, bytes: Buffer): Parsed<ReadEvent> => {
  if (bytes.length < DISCRIMINATOR_BYTES)
    return bad('truncated', `an event of ${program} has ${bytes.length} bytes, fewer than a discriminator`)
  const discriminator = bytes.toString('hex', 0, DISCRIMINATOR_BYTES)
  const layout = findLayout(program, discriminator)
  if (layout === undefined) return bad('unknown_event', `${program} has no known event ${discriminator}`)
  const body = bytes.subarray(DISCRIMINATOR_BYTES)
  const fields = new Map<string, FieldValue>()
  let at = 0
  for (const field of layout.fields) {
    const read = readField(field, body, at)
    if (read === INCOMPLETE) break
    if ('ok' in read) return bad(read.code, `${layout.event}: ${read.reason}`)
    fields.set(field.name, read.value)
    at = read.end
  }
  const generations = layout.boundaries.filter((boundary) => boundary <= fields.size).length
  if (layout.boundaries.length > 0 && generations === 0) {
    return bad('truncated', `${layout.event} has ${bytes.length} bytes, fewer than its oldest layout`)
  }
  return good({ program, event: layout.event, layout: layoutName(layout, generations), fields, tail: body.subarray(at) })
}
