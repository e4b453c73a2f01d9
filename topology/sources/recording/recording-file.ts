// Recordings: raw frames in an Avro object container. A block has one frame, or one part of a large frame: a reader keeps one in memory.
import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type avro from 'avsc'
import { parseType, typesOf } from '../../../schemas/avro.ts'
import { messageOf } from '../../../schemas/errors.ts'
import { once } from '../../../schemas/once.ts'
import type { RawFrame } from '../../../schemas/types.ts'
import { ContainerReader, MAGIC } from './container-reader.ts'
import { isOfFiles, unwritable } from './unreadable.ts'

/** Increased when a reader of the older format would misread the newer one. */
const FORMAT = '1'
const FORMAT_KEY = 'mintfold.format'
/** Fixed, so that the same frames give an identical file. */
const SYNC = createHash('sha256').update('mintfold recording 1').digest().subarray(0, 16)

const raw = typesOf('raw')
const frameType = (): avro.Type => raw().named('RawFrame')
const headerType = parseType({ type: 'map', values: 'bytes' })
const longType = parseType('long')

/** The schema in the container's header, with defaults, logical types and docs: a changed doc changes the bytes of new recordings. */
const schemaText = once(() => JSON.stringify(frameType().schema({ exportAttrs: true })))

const header = (): Buffer =>
  Buffer.concat([
    MAGIC,
    headerType.toBuffer({ 'avro.schema': Buffer.from(schemaText()), 'avro.codec': Buffer.from('null'), [FORMAT_KEY]: Buffer.from(FORMAT) }),
    SYNC,
  ])

const encodeBlock = (frame: RawFrame): Buffer => {
  const data = frameType().toBuffer(frame)
  return Buffer.concat([longType.toBuffer(1), longType.toBuffer(data.length), data, SYNC])
}

const writeFrames = async (file: FileHandle, frames: AsyncIterable<RawFrame> | Iterable<RawFrame>): Promise<number> => {
  await file.write(header())
  let count = 0
  for await (const frame of frames) {
    await file.write(encodeBlock(frame))
    count++
  }
  await file.sync()
  return count
}

/**
 * Writes frames (or their parts) in the given order and returns their number. The file is written under a temporary name and renamed when
 * complete; it is removed if the frames fail. @throws EngineError `file_unreadable` if the disk refuses.
 */
export const writeRecording = async (path: string, frames: AsyncIterable<RawFrame> | Iterable<RawFrame>): Promise<number> => {
  const temporaryPath = `${path}.${process.pid}.part`
  const file = await open(temporaryPath, 'w').catch((cause: unknown) => {
    throw unwritable(path, cause)
  })
  try {
    const count = await writeFrames(file, frames).finally(() => file.close())
    await rename(temporaryPath, path)
    return count
  } catch (cause) {
    await rm(temporaryPath, { force: true })
    throw isOfFiles(cause) ? unwritable(path, cause) : cause
  }
}

const readHeader = async (reader: ContainerReader): Promise<(bytes: Buffer) => RawFrame> => {
  const magic = await reader.take(MAGIC.length)
  if (!magic?.equals(MAGIC)) throw reader.notARecording('it does not start like an Avro object container')
  const entries = await reader.takeMap()
  await reader.takeSync()
  const format = entries.get(FORMAT_KEY)
  if (format === undefined) throw reader.notARecording('it is another kind of Avro file')
  if (format !== FORMAT) throw reader.notARecording(`its format is ${format.slice(0, 20)}, this version reads ${FORMAT}`)
  if ((entries.get('avro.codec') ?? 'null') !== 'null') throw reader.notARecording('its blocks are compressed')
  const schema = entries.get('avro.schema')
  if (schema === schemaText()) return (bytes) => frameType().fromBuffer(bytes) as RawFrame
  try {
    const writer = parseType(JSON.parse(schema ?? ''))
    const resolver = frameType().createResolver(writer)
    return (bytes) => frameType().fromBuffer(bytes, resolver) as RawFrame
  } catch (cause) {
    throw reader.notARecording(`its schema is not that of a frame: ${messageOf(cause)}`, cause)
  }
}

/**
 * The frames as written, large ones in parts. Keeps one block in memory. `seen` receives the bytes read so far, with each frame.
 * @throws EngineError `not_a_recording`, `torn_recording` (with `path` and `offset` in its facts), `file_unreadable`
 */
export async function* readRecording(path: string, seen: (bytes: number) => void = () => {}): AsyncGenerator<RawFrame> {
  const reader = await ContainerReader.open(path)
  try {
    const decode = await readHeader(reader)
    for (let block = await reader.takeBlock(); block !== undefined; block = await reader.takeBlock()) {
      if (block.count !== 1) throw reader.torn(`a block of ${block.count} frames`)
      const { data } = block
      const frame = reader.valueIn(block, 0, () => decode(data))
      seen(reader.offset)
      yield frame
    }
  } finally {
    await reader.close()
  }
}
