// Bodies of frames: deflated Avro in one fixed form.
import { createHash } from 'node:crypto'
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { loadType, readSchema } from '../../schemas/avro.ts'
import { type BadData, bad, good, type Parsed } from '../../schemas/errors.ts'
import type { FrameBody, RawFrame } from '../../schemas/types.ts'
import { compileWalk } from './avro-shape.ts'

/** Bytes that a body may have once inflated. The largest block seen gives 0.6 MB. */
export const BODY_BYTES_MAX = 64 * 1024 * 1024
/** Fixed, because the same block must give the same bytes on every machine and source. */
const DEFLATE = { level: 6, memLevel: 8, strategy: constants.Z_DEFAULT_STRATEGY } as const

const bodyType = loadType('frame-body')
const walkBody = compileWalk(readSchema('frame-body'))

/** Avro of a body, not yet deflated: what a synthetic hash is made of. */
export const encodeBody = (body: FrameBody): Buffer => bodyType.toBuffer(body)
/** Compresses what `encodeBody` gave. */
export const deflateBody = (encoded: Uint8Array): Buffer => deflateRawSync(encoded, DEFLATE)
/** Hash of a frame whose file named none: sha256 of the encoded body, hex. */
export const syntheticHash = (encoded: Uint8Array): string => createHash('sha256').update(encoded).digest('hex')

const inflate = (frame: RawFrame): Buffer | BadData => {
  try {
    return inflateRawSync(frame.body, { maxOutputLength: BODY_BYTES_MAX })
  } catch (cause) {
    return bad('bad_frame', `the body of slot ${frame.number} cannot be inflated: ${(cause as Error).message}`)
  }
}

/** The body of a frame whose parts are joined. Bad data (bad_frame) where the bytes are not one, whatever they are. */
export const openBody = (frame: RawFrame): Parsed<FrameBody> => {
  if (frame.parts !== 1) return bad('bad_frame', `part ${frame.part} of ${frame.parts} of slot ${frame.number} came without the others`)
  const encoded = inflate(frame)
  if ('ok' in encoded) return encoded
  if (walkBody(encoded, 0) !== encoded.length) return bad('bad_frame', `the body of slot ${frame.number} is not a frame body`)
  return good(bodyType.fromBuffer(encoded) as FrameBody)
}
