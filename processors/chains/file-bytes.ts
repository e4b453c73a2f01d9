// Turns the bytes of a file of recorded chain data into text: unpacks gzip, and decodes UTF-8 and UTF-16.
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
    const { code, message } = cause as NodeJS.ErrnoException
    const why = code === 'ERR_BUFFER_TOO_LARGE' ? `it has more than ${FILE_BYTES_MAX} bytes: split it` : message
    return bad('bad_encoding', `${name} cannot be unpacked as gzip: ${why}`)
  }
}

/** Byte order marks, and the first character of UTF-16 JSON without one. */
const ENCODINGS = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0x7b, 0]],
  ['utf-16le', [0x5b, 0]],
] as const

/** The text of the bytes, without its byte order mark. */
export const textOf = (bytes: Buffer): string => {
  const encoding = ENCODINGS.find(([, [first, second]]) => bytes[0] === first && bytes[1] === second)?.[0]
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes)
  return bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)
}
