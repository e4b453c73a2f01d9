// Prints values of our schemas for people: keys and signatures in the form of their chain, positions as text.
import { printAmount } from './amount.ts'
import { readSchema } from './avro.ts'
import { type Key, keyText, type Signature, signatureText } from './keys.ts'
import { formatPosition } from './position.ts'
import type { Chain } from './types.ts'

/** Adds the names of a schema's fields that hold keys or signatures to `names`. */
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
const KEY_TYPES: ReadonlySet<string> = new Set(['Key32', 'Key20', 'Signature', 'TransactionHash'])
const holdsKey = (type: unknown): boolean => {
  if (Array.isArray(type)) return type.some(holdsKey)
  if (typeof type === 'string') return KEY_TYPES.has(type)
  const { type: kind, items } = type as { readonly type?: unknown; readonly items?: unknown }
  return kind === 'fixed' || (kind === 'array' && holdsKey(items))
}

const KEY_FIELDS = ['tape', 'alt-tape', 'conclusions'].reduce((names, name) => collectKeyFields(readSchema(name), names), new Set<string>())

const printField = (name: string, field: unknown): unknown => {
  if (typeof field === 'bigint') return printAmount(field)
  if (!KEY_FIELDS.has(name)) return field
  if (Array.isArray(field)) return field.map((key: Key) => keyText(key))
  if (typeof field !== 'string') return field
  return name === 'signature' ? signatureText(field as Signature) : keyText(field as Key)
}

/** A tape event or conclusion body with its keys as text, and amounts that are bigints as decimal text. */
export const printFields = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [name, printField(name, field)]))

interface PositionInFrame {
  readonly tx: number
  readonly outer: number
  readonly inner: number
}

/** The fields of an event for printing: position and branch (hash8) first, then its own fields. */
export const printWithPosition = (
  frame: { readonly chain: Chain; readonly number: number; readonly hash8: string },
  event: PositionInFrame,
): Record<string, unknown> => {
  const { tx, outer, inner, ...fields } = event
  const position = formatPosition({ chain: frame.chain, number: frame.number, tx, outer, inner })
  return { position, hash8: frame.hash8, ...printFields(fields) }
}
