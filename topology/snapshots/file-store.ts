// Snapshots as files, one per partition. A file gets its name only when it is complete and flushed.
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from '@node-rs/crc32'
import { messageOf } from '../../schemas/errors.ts'
import { hasRoom } from '../data-dir/disk-room.ts'
import type { LogRecord } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { PartitionSnapshot, SnapshotExtent, SnapshotPlace, SnapshotStore } from '../ports/partition-snapshots.ts'
import { readSnapshot, SnapshotRefused } from './file-reader.ts'
import { BLOCK_BYTES, BlockBuilder, endBytes, FORMAT, headBytes } from './form.ts'

const SUFFIX = '.snapshot'
const UNFINISHED = '.tmp'

export interface FileStoreOptions {
  /** Used by nothing else, and by one process at a time. */
  readonly dir: string
  /** Cap of all files together; a file counts while it is written. */
  readonly bytesMax: number
  /** Unix ms: the store deletes files that were written before, because they are too old to be used. */
  readonly keepSinceMs: number
  readonly notice: Notice
}

/** Creates the directory if needed. Deletes what a killed process left unfinished, and old files. @throws as the file system */
export const openFileStore = async (options: FileStoreOptions): Promise<SnapshotStore> => {
  const { dir, keepSinceMs } = options
  await mkdir(dir, { recursive: true, mode: 0o700 })
  for (const { name, mtimeMs } of await filesIn(dir))
    if (name.endsWith(UNFINISHED) || mtimeMs < keepSinceMs) await rm(join(dir, name), { force: true })
  return new FileStore(options)
}

/** Snapshots and unfinished ones. */
const filesIn = async (dir: string) => {
  const names = (await readdir(dir)).filter((name) => name.endsWith(SUFFIX) || name.endsWith(SUFFIX + UNFINISHED))
  return Promise.all(names.map(async (name) => ({ name, ...sizeAndTime(await stat(join(dir, name))) })))
}
const sizeAndTime = ({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }) => ({ size, mtimeMs })

class FileStore implements SnapshotStore {
  readonly #options: FileStoreOptions

  constructor(options: FileStoreOptions) {
    this.#options = options
  }
  async open(place: SnapshotPlace): Promise<PartitionSnapshot | undefined> {
    let file: FileHandle | undefined
    try {
      file = await open(this.#pathOf(place), 'r')
      return await readSnapshot(file, place)
    } catch (failure) {
      await file?.close()
      const code = codeOf(failure)
      if (code === 'ENOENT') return undefined
      if (!(failure instanceof SnapshotRefused) && code === undefined) throw failure
      this.#options.notice('snapshot_refused', { topic: `${place.topic}/${place.partition}`, reason: messageOf(failure) })
      await this.remove(place)
      return undefined
    }
  }
  async write(place: SnapshotPlace, extent: SnapshotExtent, batches: AsyncIterable<readonly LogRecord[]>): Promise<number> {
    const path = this.#pathOf(place)
    const room = this.#options.bytesMax - (await this.#otherBytes(path))
    const file = await open(path + UNFINISHED, 'w', 0o600)
    try {
      const records = await writeAll(new Writer(file, this.#options.dir, room), place, extent, batches)
      await file.sync()
      await file.close()
      await rename(path + UNFINISHED, path)
      return records
    } catch (failure) {
      await file.close().catch(() => {})
      await rm(path + UNFINISHED, { force: true })
      throw failure
    }
  }
  async remove(place: SnapshotPlace): Promise<void> {
    // If the file cannot be deleted, the next `open` refuses it again.
    await rm(this.#pathOf(place), { force: true }).catch(() => {})
  }

  #pathOf({ topic, partition }: SnapshotPlace): string {
    return join(this.#options.dir, `${topic}-${partition}${SUFFIX}`)
  }
  /** Bytes of all files except the unfinished successor of the file at `path`. */
  async #otherBytes(path: string): Promise<number> {
    const files = await filesIn(this.#options.dir)
    return files.reduce((bytes, { name, size }) => bytes + (join(this.#options.dir, name) === path + UNFINISHED ? 0 : size), 0)
  }
}

const writeAll = async (
  writer: Writer,
  place: SnapshotPlace,
  { next, madeAtMs }: SnapshotExtent,
  batches: AsyncIterable<readonly LogRecord[]>,
): Promise<number> => {
  await writer.write(headBytes({ format: FORMAT, ...place, next, madeAtMs }))
  const block = new BlockBuilder()
  let records = 0
  for await (const batch of batches) {
    for (const record of batch) if (block.add(record)) await writer.write(block.take())
    records += batch.length
  }
  await writer.write(block.take())
  await writer.write(endBytes(records, writer.crc))
  return records
}

class Writer {
  readonly #file: FileHandle
  readonly #dir: string
  #room: number
  crc = 0

  constructor(file: FileHandle, dir: string, room: number) {
    this.#file = file
    this.#dir = dir
    this.#room = room
  }
  /** @throws if the cap is reached, or the disk is nearly full: the rest of the disk is reserved for payments and commits */
  async write(bytes: Uint8Array): Promise<void> {
    this.#room -= bytes.length
    if (this.#room < 0) throw new Error('the cap of the data directory (MINTFOLD_DATA_GB) is reached')
    if (!hasRoom(this.#dir, Math.max(BLOCK_BYTES, bytes.length))) throw new Error(`the disk of ${this.#dir} is full`)
    this.crc = crc32(bytes, this.crc)
    await this.#file.appendFile(bytes)
  }
}

/** Code of a failure of the file system; undefined for other failures. */
const codeOf = (failure: unknown): unknown => (failure instanceof Error && 'code' in failure ? failure.code : undefined)
