// Splits large frames into numbered parts for the log, and joins them.
import { assert, bad, good, type Parsed } from '../../schemas/errors.ts'
import type { RawFrame } from '../../schemas/types.ts'

/** Maximum size of an inflated body. The largest body of a real block had 0.6 MB. */
export const BODY_BYTES_MAX = 64 * 1024 * 1024
/** Maximum bytes of the compressed body in one part, so that a record stays below the log's message limit. */
export const PART_BYTES_MAX = 512 * 1024
/** Maximum parts of one frame: enough for BODY_BYTES_MAX if nothing compresses. */
const PARTS_MAX = BODY_BYTES_MAX / PART_BYTES_MAX

/** The frame as records of at most PART_BYTES_MAX of body each, in order; a small frame unchanged. */
export const splitFrame = (frame: RawFrame): RawFrame[] => {
  assert(frame.parts === 1, 'splitFrame expects a frame that is not split yet')
  const parts = Math.max(1, Math.ceil(frame.body.length / PART_BYTES_MAX))
  if (parts === 1) return [frame]
  return Array.from({ length: parts }, (_, part) => ({
    ...frame,
    part,
    parts,
    body: frame.body.subarray(part * PART_BYTES_MAX, (part + 1) * PART_BYTES_MAX),
  }))
}

/** Joins the parts of one frame; bad_frame where they are not all parts of one frame, in order. */
export const joinFrames = (parts: readonly RawFrame[]): Parsed<RawFrame> => {
  const [first] = parts
  if (first === undefined) return bad('bad_frame', 'no parts to join')
  if (first.parts > PARTS_MAX) return bad('bad_frame', `frame ${first.number} has ${first.parts} parts; at most ${PARTS_MAX} are allowed`)
  const fits =
    parts.length === first.parts && parts.every((part, i) => part.part === i && part.parts === first.parts && part.hash === first.hash)
  if (!fits) return bad('bad_frame', `the ${parts.length} parts of frame ${first.number} are not its ${first.parts} parts in order`)
  return good(first.parts === 1 ? first : { ...first, part: 0, parts: 1, body: Buffer.concat(parts.map((part) => part.body)) })
}
