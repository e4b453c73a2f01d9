// Reads a backup one block at a time and reports where it is damaged.
import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { EngineError } from '../../../schemas/errors.ts'
import { unreadable } from '../../sources/recording/unreadable.ts'
import {
  ANY_VERSION,
  type BackupHeader,
  type BackupRow,
  BLOCK_BYTES_MAX,
  HEADER_BYTES_MAX,
  headerSchema,
  MAGIC,
  ROW_HEAD_BYTES,
  SUM_BYTES,
} from './backup-form.ts'

const torn = (path: string, why: string): EngineError =>
  new EngineError('backup_torn', `${path} is damaged: ${why}. Nothing was restored; use another backup.`, { facts: { path } })

const HINT = ' (mintfold backup writes backups)'

/** Reads a backup forward and hashes the bytes it has read. */
class BackupReader {
  readonly #path: string
  readonly #file: FileHandle
  readonly #hash: Hash = createHash('sha256')
  constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }
  async header(): Promise<BackupHeader> {
    const magic = await this.#read(MAGIC.length)
    if (!magic.equals(MAGIC)) throw this.#otherKind(magic)
    this.#hash.update(magic)
    try {
      return headerSchema.parse(JSON.parse((await this.#take(await this.#size(HEADER_BYTES_MAX))).toString('utf8')))
    } catch (cause) {
      if (cause instanceof EngineError) throw cause
      throw torn(this.#path, 'its header cannot be read')
    }
  }
  /** Undefined after the last block, if the checksum matches and the file ends there. */
  async block(): Promise<Buffer | undefined> {
    const size = await this.#size(BLOCK_BYTES_MAX)
    if (size > 0) return this.#take(size)
    const sum = this.#hash.digest()
    if (!(await this.#read(SUM_BYTES)).equals(sum)) throw torn(this.#path, 'its checksum does not match: it was truncated or modified')
    if ((await this.#read(1)).length > 0) throw torn(this.#path, 'it has bytes after its checksum')
    return undefined
  }
  #otherKind(magic: Buffer): EngineError {
    const version = ANY_VERSION.exec(magic.toString('latin1'))?.[1]
    if (version === undefined) {
      return new EngineError('not_a_backup', `${this.#path} is not a mintfold backup: name a file that mintfold backup wrote.`, {
        facts: { path: this.#path },
      })
    }
    const words = `${this.#path} has backup format ${version}, but this program reads format 1. Restore it with the program version that made it.`
    return new EngineError('backup_version', words, { facts: { path: this.#path, found: version } })
  }
  async #size(max: number): Promise<number> {
    const size = (await this.#take(4)).readUInt32BE()
    if (size > max) throw torn(this.#path, `it has a block of ${size} bytes, but the limit is ${max}`)
    return size
  }
  async #take(bytes: number): Promise<Buffer> {
    const taken = await this.#read(bytes)
    if (taken.length < bytes) throw torn(this.#path, 'it is truncated')
    this.#hash.update(taken)
    return taken
  }
  /** Returns fewer bytes only at the end of the file. */
  async #read(bytes: number): Promise<Buffer> {
    const into = Buffer.allocUnsafe(bytes)
    let filled = 0
    while (filled < bytes) {
      const { bytesRead } = await this.#file.read(into, filled, bytes - filled, null).catch((cause: unknown) => {
        throw unreadable(this.#path, cause, HINT)
      })
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return into.subarray(0, filled)
  }
}

const reading = async <T>(path: string, read: (reader: BackupReader) => Promise<T>): Promise<T> => {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  try {
    return await read(new BackupReader(path, file))
  } finally {
    await file.close()
  }
}

/** Reads and checks the whole file. @throws EngineError file_unreadable, not_a_backup, backup_version, backup_torn */
export const verifyBackup = (path: string, seen: (bytes: number) => void = () => {}): Promise<BackupHeader> =>
  reading(path, async (reader) => {
    const header = await reader.header()
    for (let block = await reader.block(); block !== undefined; block = await reader.block()) seen(block.length)
    return header
  })

/** Passes the rows of each block to `take`, in the order in which they were written. @throws as `verifyBackup` */
export const eachBlock = (path: string, take: (rows: readonly BackupRow[]) => Promise<void>): Promise<void> =>
  reading(path, async (reader) => {
    await reader.header()
    for (let block = await reader.block(); block !== undefined; block = await reader.block()) await take(rowsIn(path, block))
  })

const rowsIn = (path: string, block: Buffer): BackupRow[] => {
  const rows: BackupRow[] = []
  for (let at = 0; at < block.length; ) {
    if (at + ROW_HEAD_BYTES > block.length) throw torn(path, 'a row is truncated')
    const keyAt = at + ROW_HEAD_BYTES
    const valueAt = keyAt + block.readUInt16BE(at + 1)
    const end = valueAt + block.readUInt32BE(at + 3)
    if (end > block.length) throw torn(path, 'a row is truncated')
    rows.push({ table: block.readUInt8(at), key: block.subarray(keyAt, valueAt), value: block.subarray(valueAt, end) })
    at = end
  }
  return rows
}
