// Values of our schemas as people read them: keys and signatures in base58, positions as text.
import { printAmount } from './amount.ts'
import { readSchema } from './avro.ts'
import { type Key, keyText } from './keys.ts'
import { formatPosition } from './position.ts'
import type { Chain } from './types.ts'

/** Names of the fields that hold keys or signatures, read off the schemas. */
const collectKeyFields = (schema: unknown, names: Set<string>): Set<string> => {
  if (Array.isArray(schema)) for (const branch of schema) collectKeyFields(branch, names)
  else if (schema !== null && typeof schema === 'object') {
    const { fields, items, type } = schema as { fields?: { name: string; type: unknown }[]; items?: unknown; type?: unknown }
    for (const field of fields ?? []) {
      if (holdsKey(field.type)) names.add(field.name)
      collectKeyFields(field.type, names)
    }
    collectKeyFields(items, names)
    if (typeof type === 'object') collectKeyFields(type, names)
  }
  return names
}
const holdsKey = (type: unknown): boolean => {
  if (Array.isArray(type)) return type.some(holdsKey)
  if (type === 'Key32' || type === 'Signature') return true
  return type !== null && typeof type === 'object' && (type as { type?: unknown }).type === 'fixed'
}

const KEY_FIELDS = ['tape', 'conclusions'].reduce((names, name) => collectKeyFields(readSchema(name), names), new Set<string>())

/** A tape event or conclusion body with its keys in base58, and amounts beyond 2^53 as digits. */
export const printFields = (value: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      KEY_FIELDS.has(name) && typeof field === 'string' ? keyText(field as Key) : typeof field === 'bigint' ? printAmount(field) : field,
    ]),
  )

interface Placed {
  readonly tx: number
  readonly outer: number
  readonly inner: number
}

/** One JSON line of something that has a place: its position and branch first, then its fields. */
export const printPlaced = (
  frame: { readonly chain: Chain; readonly number: number; readonly hash8: string },
  value: Placed,
): Record<string, unknown> => {
  const { tx, outer, inner, ...fields } = value
  const position = formatPosition({ chain: frame.chain, number: frame.number, tx, outer, inner })
  return { position, hash8: frame.hash8, ...printFields(fields) }
}
