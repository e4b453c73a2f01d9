// Frames of the alt chain. One frame covers the blocks from parentNumber + 1 to number, and only the last of them may hold logs of the
// launchpad: at ten blocks a second, one record for each block without such logs would be too many.
//
// Which blocks have a frame is a function of the chain, so all sources produce the same frames: blocks with logs that `keptOf` keeps, and
// blocks for which `startsSecond` is true. A run of quiet blocks (without kept logs) from a to b is the frame of block b with
// parentNumber a - 1, the hash of block a - 1 as parentHash, and QUIET_BODY. A fork inside such a run rolls back the whole frame.
import { hash } from 'node:crypto'
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { loadType, readSchema } from '../../../schemas/avro.ts'
import { compileWalk } from '../../../schemas/avro-shape.ts'
import { type BadData, bad, good, type Parsed } from '../../../schemas/errors.ts'
import { flatReader } from '../../../schemas/flat-reader.ts'
import { flatWriter } from '../../../schemas/flat-writer.ts'
import { once } from '../../../schemas/once.ts'
import type { AltFrameBody, AltTransaction, RawFrame } from '../../../schemas/types.ts'
import { BODY_BYTES_MAX } from '../frame-parts.ts'

/**
 * True for a block that gets a frame even when empty: the first block of a second (the chain's times are whole seconds). Thus a quiet
 * chain ticks once a second, as early as possible. `before`: time of the previous block, unix seconds; null where it is not known.
 */
export const startsSecond = (blockTime: number | null, before: number | null): boolean => blockTime === null || blockTime !== before

/** Fixed, because the same block must give the same bytes on every machine and from every source. */
const DEFLATE = { level: 6, memLevel: 8, strategy: constants.Z_DEFAULT_STRATEGY } as const

const bodyType = once(() => loadType('alt-frame-body'))
const writeBody = once(() => flatWriter(bodyType()))
const readBody = once(() => flatReader<AltFrameBody>(bodyType()))
const walkBody = compileWalk(readSchema('alt-frame-body'))

/** The header of a block; hashes are hex without 0x. */
export interface BlockHeader {
  readonly number: number
  /** Null where the file does not state it: `toFrame` then derives it from the body. */
  readonly hash: string | null
  /** The last block of the previous frame. Null where the file does not state it. */
  readonly parentNumber: number | null
  readonly parentHash: string | null
  /** Unix seconds of the block. */
  readonly blockTime: number | null
  readonly status: RawFrame['status']
  /** False where logs of the block may be missing. */
  readonly whole: boolean
}

const deflated = (encoded: Uint8Array): Buffer => deflateRawSync(encoded, DEFLATE)
/** The encoding of an empty list of transactions. */
const QUIET = Buffer.of(0)
/** Body of a frame without logs. */
export const QUIET_BODY = deflated(QUIET)

/** Builds a frame, not yet split in parts. `transactions` are the result of `keptOf`, in block order. */
export const toFrame = (head: BlockHeader, transactions: readonly AltTransaction[]): RawFrame => {
  const encoded = transactions.length === 0 ? QUIET : writeBody()({ transactions: [...transactions] })
  return {
    type: 'frame',
    chain: 'alt',
    ...head,
    hash: head.hash ?? hash('sha256', encoded),
    hashSynthetic: head.hash === null,
    placed: true,
    vouched: false,
    part: 0,
    parts: 1,
    missing: [],
    body: transactions.length === 0 ? QUIET_BODY : deflated(encoded),
  }
}

const inflate = (frame: RawFrame): Buffer | BadData => {
  try {
    return inflateRawSync(frame.body, { maxOutputLength: BODY_BYTES_MAX })
  } catch (cause) {
    return bad('bad_frame', `the body of block ${frame.number} cannot be inflated: ${(cause as Error).message}`)
  }
}

/** The body of a frame whose parts are joined. Bad data (bad_frame) for any bytes that are not a body. */
export const openBody = (frame: RawFrame): Parsed<AltFrameBody> => {
  if (frame.parts !== 1)
    return bad('bad_frame', `part ${frame.part} of ${frame.parts} of block ${frame.number} came without the other parts`)
  if (QUIET_BODY.equals(frame.body)) return good({ transactions: [] })
  const encoded = inflate(frame)
  if ('ok' in encoded) return encoded
  if (walkBody(encoded, 0) !== encoded.length) return bad('bad_frame', `the body of block ${frame.number} is not a frame body`)
  return good(readBody()(encoded))
}
