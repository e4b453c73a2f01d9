// A tape file: decoded frames in an Avro object container, one batch a frame with the events of all partitions.

import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import avro from 'avsc'
import { readSchema } from '../../schemas/avro.ts'
import { tapeCodec } from '../../schemas/codecs.ts'
import { EngineError } from '../../schemas/errors.ts'
import type { TapeBatch } from '../../schemas/types.ts'

/** The same tape gives the same bytes. */
const SYNC_MARKER = Buffer.from('mintfold.tape.v1')
const BLOCK_BYTES = 256 * 1024

/** Writes batches in the order given; resolves when the file is closed. */
export const writeTape = async (path: string, batches: AsyncIterable<TapeBatch> | Iterable<TapeBatch>): Promise<void> => {
  const encoder = new avro.streams.BlockEncoder(tapeCodec.type, { syncMarker: SYNC_MARKER, blockSize: BLOCK_BYTES, writeHeader: true })
  const file = createWriteStream(path)
  encoder.pipe(file)
  for await (const batch of batches) if (!encoder.write(batch)) await once(encoder, 'drain')
  encoder.end()
  await once(file, 'close')
}

/** True when the file's header names our tape. */
export const isTapeFile = async (path: string): Promise<boolean> => {
  const name = JSON.stringify({ name: (readSchema('tape') as { name: string }).name }).slice(1, -1)
  for await (const head of createReadStream(path, { end: 4_095 })) return (head as Buffer).toString('latin1').includes(name)
  return false
}

/** Batches in the order of the file. @throws EngineError `torn_recording` when it ends in the middle. */
export async function* readTape(path: string): AsyncIterable<TapeBatch> {
  const decoder = new avro.streams.BlockDecoder({ parseHook: () => tapeCodec.type })
  const file = createReadStream(path)
  file.on('error', (cause) => decoder.destroy(cause))
  file.pipe(decoder)
  try {
    for await (const batch of decoder) yield batch as TapeBatch
  } catch (cause) {
    throw new EngineError('torn_recording', `the tape ${path} cannot be read to its end: it was cut off or is damaged`, {
      cause,
      facts: { path },
    })
  }
}
