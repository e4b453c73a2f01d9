// Encodes events as the bytes that the launchpad's programs log by calling themselves: the inverse of the decoder, with the same layouts.
import { LAYOUTS, type Layout } from '../../../../processors/chains/solana/events/layouts.ts'
import type { ProgramName } from '../../../../processors/chains/solana/programs.ts'
import { assert } from '../../../../schemas/errors.ts'

/** Fields by the IDL's names; keys as latin1 text. Missing fields are zero, false or empty. */
export type EventValues = Readonly<Record<string, number | boolean | string>>

/** An event with the layout's field names; `generation` as in `eventBytes`. */
export type Wire = readonly [program: ProgramName, event: string, values: EventValues, generation?: number | undefined]

/** Anchor's event_cpi. */
const TAG = Buffer.from('e445a52e51cb9a1d', 'hex')
const TWO_32 = 0x1_0000_0000
const LENGTH_BYTES = 4
const FIXED_BYTES = { u8: 1, bool: 1, u16: 2, u64: 8, i64: 8, i128: 16, key: 32, keys7: 7 * 32, keys8: 8 * 32 } as const

const layouts = new Map(LAYOUTS.map((layout) => [`${layout.program}.${layout.event}`, layout]))

/** Writes a u64, or the low 8 bytes of a number in two's complement; returns the offset after them. */
export const writeU64 = (into: Buffer, value: number, at: number): number => {
  const high = Math.floor(value / TWO_32)
  into.writeUInt32LE(value - high * TWO_32, at)
  return into.writeInt32LE(high | 0, at + LENGTH_BYTES)
}

const writeField = (into: Buffer, { type, name }: Layout['fields'][number], values: EventValues, at: number): number => {
  const value = values[name] ?? 0
  switch (type) {
    case 'u8':
    case 'bool':
      return into.writeUInt8(Number(value), at)
    case 'u16':
      return into.writeUInt16LE(Number(value), at)
    case 'u64':
    case 'i64':
      return writeU64(into, Number(value), at)
    case 'i128':
      into.fill(Number(value) < 0 ? 0xff : 0, at + 8, at + 16)
      writeU64(into, Number(value), at)
      return at + 16
    case 'shareholders':
      return into.writeUInt32LE(0, at)
    case 'str': {
      const length = value === 0 ? 0 : into.write(String(value), at + LENGTH_BYTES, 'utf8')
      return into.writeUInt32LE(length, at) + length
    }
    default:
      if (value === 0) into.fill(0, at, at + FIXED_BYTES[type])
      else into.write(String(value), at, 'latin1')
      return at + FIXED_BYTES[type]
  }
}

const sizeOf = ({ type, name }: Layout['fields'][number], values: EventValues): number =>
  type === 'shareholders' ? LENGTH_BYTES : type === 'str' ? LENGTH_BYTES + Buffer.byteLength(String(values[name] ?? '')) : FIXED_BYTES[type]

/** Bytes of the first `count` fields. Asserts that the layout has all given values. */
const measure = ({ event, fields }: Layout, values: EventValues, count: number): number => {
  let bytes = 0
  let known = 0
  for (const [i, field] of fields.entries()) {
    if (field.name in values) known++
    if (i < count) bytes += sizeOf(field, values)
  }
  assert(known === Object.keys(values).length, `${event} has no field for one of ${Object.keys(values).join(', ')}`)
  return bytes
}

/**
 * Data of the call by which `program` logs the event: tag, discriminator, body. `generation` counts the layout's generations from 0 and
 * truncates the body there; the default is the newest.
 */
export const eventBytes = (program: ProgramName, event: string, values: EventValues, generation?: number): Buffer => {
  const layout = layouts.get(`${program}.${event}`)
  assert(layout !== undefined, `${program} has no event ${event}`)
  const { fields, boundaries, discriminator } = layout
  const count = generation === undefined ? fields.length : boundaries[generation]
  assert(count !== undefined, `${event} has no generation ${generation}`)
  const head = TAG.length + discriminator.length / 2
  const bytes = Buffer.alloc(head + measure(layout, values, count))
  TAG.copy(bytes)
  bytes.write(discriminator, TAG.length, 'hex')
  let at = head
  for (let i = 0; i < count; i++) at = writeField(bytes, fields[i] as Layout['fields'][number], values, at)
  return bytes
}
