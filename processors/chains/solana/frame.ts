// Bodies of frames: deflated Avro in one fixed form.
import { hash } from 'node:crypto'
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import type avro from 'avsc'
import { loadType, parseType, readSchema } from '../../../schemas/avro.ts'
import { compileWalk } from '../../../schemas/avro-shape.ts'
import { type BadData, bad, good, type Parsed } from '../../../schemas/errors.ts'
import { flatReader } from '../../../schemas/flat-reader.ts'
import { flatWriter } from '../../../schemas/flat-writer.ts'
import { once } from '../../../schemas/once.ts'
import type { FrameBody, RawFrame } from '../../../schemas/types.ts'
import type { CountedBody } from '../decoder.ts'
import { BODY_BYTES_MAX } from '../frame-parts.ts'

/** Fixed, because the same block must give the same bytes on every machine and from every source. */
const DEFLATE = { level: 6, memLevel: 8, strategy: constants.Z_DEFAULT_STRATEGY } as const

const bodyType = once(() => loadType('frame-body'))
const writeBody = once(() => flatWriter(bodyType()))
const readBody = once(() => flatReader<FrameBody>(bodyType()))
const walkBody = compileWalk(readSchema('frame-body'))

/** The encoding of an empty list of balances, which `encodeBody` omits and `encodedIn` appends. */
const NO_BALANCES = Buffer.of(0)

/**
 * Avro of a body, not yet deflated: the input of a synthetic hash. The last field, `balances`, is omitted when empty, so that such a body
 * has the same bytes and hash as one written before the field existed.
 */
export const encodeBody = (body: FrameBody): Buffer => {
  const encoded = writeBody()(body)
  return body.balances.length > 0 ? encoded : encoded.subarray(0, encoded.length - NO_BALANCES.length)
}
/** Compresses the result of `encodeBody`. */
export const deflateBody = (encoded: Uint8Array): Buffer => deflateRawSync(encoded, DEFLATE)
/** Hash of a frame whose file states none: sha256 of the encoded body, hex. */
export const syntheticHash = (encoded: Uint8Array): string => hash('sha256', encoded)

const inflate = (frame: RawFrame): Buffer | BadData => {
  try {
    return inflateRawSync(frame.body, { maxOutputLength: BODY_BYTES_MAX })
  } catch (cause) {
    return bad('bad_frame', `the body of slot ${frame.number} cannot be inflated: ${(cause as Error).message}`)
  }
}

/** The Avro of a body, inflated and validated. */
const encodedIn = (frame: RawFrame): Buffer | BadData => {
  if (frame.parts !== 1)
    return bad('bad_frame', `part ${frame.part} of ${frame.parts} of slot ${frame.number} came without the other parts`)
  const inflated = inflate(frame)
  if ('ok' in inflated) return inflated
  if (walkBody(inflated, 0) === inflated.length) return inflated
  const encoded = Buffer.concat([inflated, NO_BALANCES])
  if (walkBody(encoded, 0) === encoded.length) return encoded
  return bad('bad_frame', `the body of slot ${frame.number} is not a frame body`)
}

/** The body of a frame whose parts are joined. Bad data (bad_frame) for any bytes that are not a body. */
export const openBody = (frame: RawFrame): Parsed<FrameBody> => {
  const encoded = encodedIn(frame)
  return 'ok' in encoded ? encoded : good(readBody()(encoded))
}

const COUNTED = {
  type: 'record',
  name: 'FrameBody',
  namespace: 'mintfold',
  fields: [
    {
      name: 'transactions',
      type: { type: 'array', items: { type: 'record', name: 'FrameTransaction', fields: [{ name: 'failed', type: 'boolean' }] } },
    },
    {
      name: 'transfers',
      type: { type: 'array', items: { type: 'record', name: 'SolTransfer', fields: [{ name: 'index', type: 'int' }] } },
    },
    { name: 'failedOthers', type: 'int' },
    { name: 'transactionsTotal', type: 'int' },
  ],
} as unknown as avro.Schema
const countedReader = once(() => {
  const type = parseType(COUNTED)
  const resolver = type.createResolver(bodyType())
  return (bytes: Buffer) => type.fromBuffer(bytes, resolver) as CountedBody
})

/** As `openBody`, but only the counts, in less than half the time: other fields are skipped. */
export const countBody = (frame: RawFrame): Parsed<CountedBody> => {
  const encoded = encodedIn(frame)
  return 'ok' in encoded ? encoded : good(countedReader()(encoded))
}
