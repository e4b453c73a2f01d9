// Unpacks files compressed with zstd.
import { FILE_BYTES_MAX } from '../../../processors/chains/file-bytes.ts'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import { openZstd } from '../../../schemas/zstd.ts'

const MAGIC = 0xfd2fb528
/** Frames of other programs' data, to be skipped: the last four bits are free. */
const SKIPPABLE = 0x184d2a50
const BLOCK_BYTES_MAX = 128 * 1024
const RLE = 1
const RESERVED = 3

/** Bytes of the fields after the frame's descriptor: its dictionary and its content size, by their two-bit codes. */
const DICTIONARY_BYTES = [0, 1, 2, 4] as const
const SIZE_BYTES = [0, 2, 4, 8] as const

interface Frame {
  readonly end: number
  /** Maximum bytes of its content, 0 of a frame to be skipped. */
  readonly bytesMax: number
}

const TOO_LARGE = `it has more than ${FILE_BYTES_MAX} bytes: split it`

/** The frame at `start`, from the headers of its blocks (RFC 8878): the size that a frame states is not trusted. @throws RangeError */
const frameAt = (bytes: Buffer, start: number): Frame => {
  const magic = bytes.readUInt32LE(start)
  if ((magic & ~15) >>> 0 === SKIPPABLE) return { end: start + 8 + bytes.readUInt32LE(start + 4), bytesMax: 0 }
  if (magic !== MAGIC) throw new RangeError('no zstd frame')
  const descriptor = bytes.readUInt8(start + 4)
  const isSingle = (descriptor & 0x20) !== 0
  const sizeBytes = SIZE_BYTES[descriptor >> 6] || (isSingle ? 1 : 0)
  let at = start + 5 + (isSingle ? 0 : 1) + (DICTIONARY_BYTES[descriptor & 3] ?? 0)
  const stated = sizeBytes === 0 ? 0 : sizeBytes === 8 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUIntLE(at, sizeBytes)
  at += sizeBytes
  let bytesMax = 0
  for (let isLast = false; !isLast; ) {
    const header = bytes.readUIntLE(at, 3)
    const [type, size] = [(header >> 1) & 3, header >> 3]
    if (type === RESERVED) throw new RangeError('a block of unknown type')
    isLast = (header & 1) === 1
    bytesMax += type < 2 ? size : BLOCK_BYTES_MAX
    at += 3 + (type === RLE ? 1 : size)
  }
  // The library allocates what is stated.
  if (stated > FILE_BYTES_MAX) throw new RangeError(TOO_LARGE)
  if (stated > bytesMax) throw new RangeError(`it states ${stated} bytes, but has at most ${bytesMax}`)
  return { end: at + ((descriptor & 4) === 0 ? 0 : 4), bytesMax }
}

/** ZSTD_error_dstSize_tooSmall, at the end of the library's message. */
const NO_SPACE = 'code -70'
const EMPTY = new Uint8Array(0)

/** The bytes, decompressed where they are zstd. Bad data (bad_encoding) where they are damaged or unpack to more than FILE_BYTES_MAX. */
export const unpackZstd = async (bytes: Buffer, path: string): Promise<Parsed<Buffer>> => {
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== MAGIC) return good(bytes)
  const { decompress } = await openZstd()
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for (let at = 0; at < bytes.length; ) {
      const { end, bytesMax } = frameAt(bytes, at)
      if (end > bytes.length) throw new RangeError('it ends too early')
      const defaultHeapSize = Math.min(bytesMax, FILE_BYTES_MAX - size)
      const part = bytesMax === 0 ? EMPTY : decompress(bytes.subarray(at, end), { defaultHeapSize })
      size += part.length
      if (size > FILE_BYTES_MAX) throw new RangeError(TOO_LARGE)
      parts.push(part)
      at = end
    }
  } catch (cause) {
    const { message } = cause as Error
    return bad('bad_encoding', `${path} cannot be unpacked as zstd: ${message.endsWith(NO_SPACE) ? TOO_LARGE : message}`)
  }
  return good(Buffer.concat(parts))
}
