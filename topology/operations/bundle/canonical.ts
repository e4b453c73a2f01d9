// One text form of a bundle, so that every byte of it counts: keys sorted, no space, ASCII, whole numbers, one newline at the end.
import { createHash } from 'node:crypto'
import { assert } from '../../../schemas/errors.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }

/** Fields that are undefined are left out. @throws (a bug) for a number that is not whole: texts carry those. */
export const canonical = (value: Json): string => {
  if (typeof value === 'number') assert(Number.isSafeInteger(value), `a bundle has whole numbers, not ${value}`)
  if (value === null || typeof value !== 'object') return ascii(JSON.stringify(value))
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const fields = Object.entries(value as Record<string, Json | undefined>)
    .filter((field): field is [string, Json] => field[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${ascii(JSON.stringify(name))}:${canonical(field)}`).join(',')}}`
}

const ascii = (text: string): string => text.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The bundle with the digest of everything else in it, as its file has it. */
export const sealed = (bundle: Readonly<Record<string, Json>>): string => {
  const sha256 = createHash('sha256').update(canonical(bundle)).digest('hex')
  return `${canonical({ ...bundle, sha256 })}\n`
}
