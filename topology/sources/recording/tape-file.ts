// Tape files: decoded frames in an Avro object container, one batch per frame with the events of all partitions.

import { createWriteStream } from 'node:fs'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import avro from 'avsc'
import { parseType } from '../../../schemas/avro.ts'
import type { Codec } from '../../../schemas/codecs.ts'
import { messageOf } from '../../../schemas/errors.ts'
import { ContainerReader, MAGIC } from './container-reader.ts'
import { isOfFiles, unwritable } from './unreadable.ts'

/** Fixed, so that the same tape gives an identical file. */
const SYNC_MARKER = Buffer.from('mintfold.tape.v1')
const BLOCK_BYTES = 256 * 1024

/**
 * Writes batches in the given order; resolves when the file is closed. `codec`: of the chain's batches. @throws EngineError
 * `file_unreadable` if the file cannot be written
 */
export const writeTape = async <Batch>(
  path: string,
  batches: AsyncIterable<Batch> | Iterable<Batch>,
  codec: Codec<Batch>,
): Promise<void> => {
  try {
    await pipeline(Readable.from(batches), encoderOf(codec), createWriteStream(path))
  } catch (cause) {
    throw isOfFiles(cause) ? unwritable(path, cause) : cause
  }
}

/** As `writeTape`, but passes the bytes to `take`, and waits for it. */
export const encodeTape = <Batch>(
  batches: AsyncIterable<Batch> | Iterable<Batch>,
  codec: Codec<Batch>,
  take: (bytes: Buffer) => Promise<void>,
): Promise<void> =>
  pipeline(Readable.from(batches), encoderOf(codec), async (chunks: AsyncIterable<Buffer>) => {
    for await (const bytes of chunks) await take(bytes)
  })

const encoderOf = ({ type }: Pick<Codec<unknown>, 'type'>): Duplex =>
  new avro.streams.BlockEncoder(type(), { syncMarker: SYNC_MARKER, blockSize: BLOCK_BYTES, writeHeader: true })

/** The schema in the header; undefined if the file is not a container of a tape. Leaves the reader at the first block. */
const tapeSchema = async (reader: ContainerReader, { type }: Pick<Codec<unknown>, 'type'>): Promise<avro.Schema | undefined> => {
  if (!(await reader.take(MAGIC.length))?.equals(MAGIC)) return undefined
  const entries = await reader.takeMap()
  await reader.takeSync()
  if ((entries.get('avro.codec') ?? 'null') !== 'null') return undefined
  try {
    const schema = JSON.parse(entries.get('avro.schema') ?? '') as avro.Schema & { name?: string }
    return schema.name === type().name ? schema : undefined
  } catch {
    return undefined
  }
}

/** True if the file is a tape of these batches. @throws EngineError `file_unreadable`, `not_a_recording` if its header is truncated. */
export const isTapeFile = async (path: string, codec: Codec<unknown>): Promise<boolean> => {
  const reader = await ContainerReader.open(path)
  try {
    return (await tapeSchema(reader, codec)) !== undefined
  } finally {
    await reader.close()
  }
}

interface Decoded<Batch> {
  readonly value: Batch | undefined
  readonly offset: number
}

/** Undefined if the tape has the schema of this version. @throws EngineError `not_a_recording` */
const resolverOf = (reader: ContainerReader, schema: avro.Schema, { type }: Pick<Codec<unknown>, 'type'>): object | undefined => {
  try {
    const writer = parseType(schema)
    return writer.equals(type()) ? undefined : type().createResolver(writer)
  } catch (cause) {
    throw reader.notARecording(`its schema is not that of a tape: ${messageOf(cause)}`, cause)
  }
}

/** Batches in file order; keeps one block in memory. `seen` receives the bytes read so far, with each block. @throws EngineError `not_a_recording`, `torn_recording`, `file_unreadable`. */
export async function* readTape<Batch>(path: string, codec: Codec<Batch>, seen: (bytes: number) => void = () => {}): AsyncGenerator<Batch> {
  const reader = await ContainerReader.open(path)
  try {
    const schema = await tapeSchema(reader, codec)
    if (schema === undefined) throw reader.notARecording('it is not a tape')
    const resolver = resolverOf(reader, schema, codec)
    for (let block = await reader.takeBlock(); block !== undefined; block = await reader.takeBlock()) {
      seen(reader.offset)
      let offset = 0
      for (let i = 0; i < block.count; i++) {
        const read = reader.valueIn(block, i, () => codec.type().decode(block.data, offset, resolver)) as Decoded<Batch>
        if (read.value === undefined || read.offset < 0) throw reader.torn('a block with fewer batches than it declares')
        offset = read.offset
        yield read.value
      }
      if (offset !== block.data.length) throw reader.torn('a block with more batches than it declares')
    }
  } finally {
    await reader.close()
  }
}
