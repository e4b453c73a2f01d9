// Unpacks a file of recorded chain data (gzip or plain) and parses its JSON values.
import { gunzipSync } from 'node:zlib'
import { bad, good, type Parsed } from '../../schemas/errors.ts'

/** Maximum bytes of a file once unpacked: longer text does not fit one JavaScript string. */
export const FILE_BYTES_MAX = 512 * 1024 * 1024 - 1024
const GZIP = [0x1f, 0x8b] as const

/** The file's bytes, decompressed. Bad data (bad_encoding) for a gzip that is damaged or unpacks to more than FILE_BYTES_MAX. */
export const unpack = (bytes: Buffer, name: string): Parsed<Buffer> => {
  if (bytes[0] !== GZIP[0] || bytes[1] !== GZIP[1]) return good(bytes)
  try {
    return good(gunzipSync(bytes, { maxOutputLength: FILE_BYTES_MAX }))
  } catch (cause) {
    return bad('bad_encoding', `${name} cannot be unpacked as gzip: ${(cause as Error).message}`)
  }
}

/** Throws for text that is not JSON; wrapped by `orUndefined` it returns undefined. */
type ParseJson = (text: string) => unknown

const orUndefined =
  (parse: ParseJson): ParseJson =>
  (text) => {
    try {
      return parse(text)
    } catch {
      return undefined
    }
  }

/** One JSON value, or one per line; undefined where the text is neither. */
export const parseValues = (text: string, parse: ParseJson): unknown[] | undefined => {
  const parseJson = orUndefined(parse)
  const whole = parseJson(text)
  if (whole !== undefined) return [whole]
  const values = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseJson)
  return values.length === 0 || values.includes(undefined) ? undefined : values
}
