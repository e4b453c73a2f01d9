// Reads a snapshot file: checks all of it first, because its records take effect as they are read.
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from '@node-rs/crc32'
import { logIo } from '../data-dir/lmdb-failures.ts'
import type { LogRecord } from '../ports/log.ts'
import type { PartitionSnapshot, SnapshotPlace } from '../ports/partition-snapshots.ts'
import { END_BYTES, FORMAT, headerSchema, LENGTH_BYTES, MAGIC, recordsIn, type SnapshotHeader } from './form.ts'

const CHUNK_BYTES = 1024 * 1024
const HEADER_BYTES_MAX = 64 * 1024

/** Why a snapshot cannot be used. */
export class SnapshotRefused extends Error {}

/** Checks format, identity and checksum; the returned snapshot closes `file`. @throws SnapshotRefused */
export const readSnapshot = async (file: FileHandle, place: SnapshotPlace): Promise<PartitionSnapshot> => {
  const { size } = await file.stat()
  const headBytes = MAGIC.length + LENGTH_BYTES
  if (size < headBytes + END_BYTES) throw new SnapshotRefused('it is truncated')
  const head = await bytesAt(file, 0, headBytes)
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw new SnapshotRefused('it is not a snapshot')
  const headerBytes = head.readUInt32BE(MAGIC.length)
  if (headerBytes > Math.min(HEADER_BYTES_MAX, size - headBytes - END_BYTES)) throw new SnapshotRefused('its header is damaged')
  const header = headerIn(await bytesAt(file, headBytes, headerBytes))
  checkPlace(header, place)
  const records = await checkEnd(file, size)
  const { next, madeAtMs } = header
  return {
    ...{ next, madeAtMs, records },
    batches: () => batchesOf(file, headBytes + headerBytes, size - END_BYTES, place),
    close: () => file.close(),
  }
}

const bytesAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafeSlow(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  if (bytesRead < length) throw new SnapshotRefused('it is truncated')
  return buffer
}

const headerIn = (bytes: Buffer): SnapshotHeader => {
  const header = jsonIn(bytes)
  const format = typeof header === 'object' && header !== null && 'format' in header ? header.format : undefined
  if (typeof format === 'number' && format !== FORMAT)
    throw new SnapshotRefused(`it has format ${format}, this program has format ${FORMAT}`)
  const parsed = headerSchema.safeParse(header)
  if (!parsed.success) throw new SnapshotRefused('its header is damaged')
  return parsed.data
}

const jsonIn = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Why a snapshot with values of another shape is refused. */
export const otherSchema = (found: string, schema: string): string =>
  `its values have schema ${found}, this program has schema ${schema}: another version wrote it`

const checkPlace = (header: SnapshotHeader, { topic, partition, identity, schema }: SnapshotPlace): void => {
  if (header.identity !== identity)
    throw new SnapshotRefused(`it is of topic id ${header.identity}, this one is ${identity}: of another cluster, or created again`)
  if (header.schema !== schema) throw new SnapshotRefused(otherSchema(header.schema, schema))
  if (header.topic !== topic || header.partition !== partition)
    throw new SnapshotRefused(`it is of ${header.topic}/${header.partition}, but has the name of ${topic}/${partition}`)
}

/** Returns the number of records. */
const checkEnd = async (file: FileHandle, size: number): Promise<number> => {
  const end = await bytesAt(file, size - END_BYTES, END_BYTES)
  const checkedBytes = size - LENGTH_BYTES
  let crc = 0
  for (let at = 0; at < checkedBytes; at += CHUNK_BYTES) crc = crc32(await bytesAt(file, at, Math.min(CHUNK_BYTES, checkedBytes - at)), crc)
  if (crc !== end.readUInt32BE(END_BYTES - LENGTH_BYTES))
    throw new SnapshotRefused('its checksum does not match: it is truncated or damaged')
  return end.readUInt32BE(LENGTH_BYTES)
}

async function* batchesOf(
  file: FileHandle,
  from: number,
  to: number,
  { topic, partition }: SnapshotPlace,
): AsyncGenerator<readonly LogRecord[]> {
  try {
    for (let at = from; at < to; ) {
      const length = (await bytesAt(file, at, LENGTH_BYTES)).readUInt32BE(0)
      yield recordsIn(await bytesAt(file, at + LENGTH_BYTES, length))
      at += LENGTH_BYTES + length
    }
  } catch (cause) {
    throw logIo(`the snapshot of ${topic}/${partition}`, 'read', cause)
  } finally {
    await file.close()
  }
}
