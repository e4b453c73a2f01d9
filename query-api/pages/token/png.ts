// Encodes opaque pixels as PNG off the event loop: resvg's encoder would block it for about 20 ms a picture.
import { promisify } from 'node:util'
import { constants, crc32, deflate } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const CHANNELS = 4
/** IHDR: 8 bits per channel, colour with alpha, deflate, the five filters, not interlaced. */
const FORM = Buffer.from([8, 6, 0, 0, 0])
const packed = promisify<Buffer, { readonly level: number }, Buffer>(deflate)

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  return Buffer.concat([uint32(body.length), named, uint32(crc32(named))])
}

/** @param pixels RGBA, row by row. */
export const pngOf = async ({ width, height, pixels }: { width: number; height: number; pixels: Buffer }): Promise<Buffer> => {
  const row = width * CHANNELS
  // Each row begins with its filter type: 0, none.
  const rows = Buffer.alloc(height * (row + 1))
  for (let y = 0; y < height; y += 1) pixels.copy(rows, y * (row + 1) + 1, y * row, (y + 1) * row)
  const body = await packed(rows, { level: constants.Z_DEFAULT_COMPRESSION })
  const head = Buffer.concat([uint32(width), uint32(height), FORM])
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))])
}
