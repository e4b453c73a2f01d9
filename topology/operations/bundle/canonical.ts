// The canonical text of a bundle, which its hash covers: sorted keys, no spaces, ASCII, integers only, one newline at the end.
import { createHash } from 'node:crypto'
import { assert } from '../../../schemas/errors.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }

/** Undefined fields are omitted. @throws (a bug) for a number that is not an integer: such numbers are passed as text. */
export const canonical = (value: Json): string => {
  if (typeof value === 'number') assert(Number.isSafeInteger(value), `a number in a bundle must be an integer, not ${value}`)
  if (value === null || typeof value !== 'object') return ascii(JSON.stringify(value))
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const fields = Object.entries(value as Record<string, Json | undefined>)
    .filter((field): field is [string, Json] => field[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${ascii(JSON.stringify(name))}:${canonical(field)}`).join(',')}}`
}

const ascii = (text: string): string => text.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The text of the file: the bundle with the digest of all its other fields. */
export const sealed = (bundle: Readonly<Record<string, Json>>): string => {
  const sha256 = createHash('sha256').update(canonical(bundle)).digest('hex')
  return `${canonical({ ...bundle, sha256 })}\n`
}
