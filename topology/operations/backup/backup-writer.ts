// Writes a backup: blocks of rows as they arrive, then the checksum. The file gets its final name only when it is complete.
import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { type BackupHeader, BLOCK_BYTES, MAGIC, ROW_HEAD_BYTES } from './backup-form.ts'

const notWritten = (path: string, cause: unknown): EngineError =>
  new EngineError('backup_failed', `the backup ${path} cannot be written: ${messageOf(cause)}. Choose a directory with free space.`, {
    facts: { path },
    cause,
  })

const lengthPrefixed = (bytes: Uint8Array): Buffer => {
  const size = Buffer.allocUnsafe(4)
  size.writeUInt32BE(bytes.length)
  return Buffer.concat([size, bytes])
}

/** A block length of zero. */
const END_OF_BLOCKS = Buffer.alloc(4)

/** Writes one backup. The file appears under its final name, readable by its owner only, when `finish` resolves. */
export class BackupWriter {
  readonly #path: string
  readonly #temporaryPath: string
  readonly #file: FileHandle
  readonly #hash: Hash = createHash('sha256')
  #rows: Uint8Array[] = []
  #bytes = 0

  private constructor(path: string, temporaryPath: string, file: FileHandle) {
    this.#path = path
    this.#temporaryPath = temporaryPath
    this.#file = file
  }
  /** @throws EngineError backup_failed */
  static async create(path: string, header: BackupHeader): Promise<BackupWriter> {
    const temporaryPath = `${path}.${process.pid}.part`
    await rm(temporaryPath, { force: true })
    const file = await open(temporaryPath, 'wx', 0o600).catch((cause: unknown) => {
      throw notWritten(path, cause)
    })
    const writer = new BackupWriter(path, temporaryPath, file)
    await writer.#write(Buffer.concat([MAGIC, lengthPrefixed(Buffer.from(JSON.stringify(header)))]))
    return writer
  }
  /** Adds a row; returns true when `flush` is due. The bytes must not change until then. */
  add(table: number, key: Uint8Array, value: Uint8Array): boolean {
    const head = Buffer.allocUnsafe(ROW_HEAD_BYTES)
    head.writeUInt8(table)
    head.writeUInt16BE(key.length, 1)
    head.writeUInt32BE(value.length, 3)
    this.#rows.push(head, key, value)
    this.#bytes += ROW_HEAD_BYTES + key.length + value.length
    return this.#bytes >= BLOCK_BYTES
  }
  /** Writes the added rows as one block. */
  async flush(): Promise<void> {
    if (this.#bytes === 0) return
    const block = Buffer.concat(this.#rows, this.#bytes)
    this.#rows = []
    this.#bytes = 0
    await this.#write(lengthPrefixed(block))
  }
  /** Resolves to the file's size in bytes, once it is durable. @throws EngineError backup_failed */
  async finish(): Promise<number> {
    await this.flush()
    await this.#write(END_OF_BLOCKS)
    try {
      await this.#file.appendFile(this.#hash.digest())
      await this.#file.sync()
      const { size } = await this.#file.stat()
      await this.#file.close()
      await rename(this.#temporaryPath, this.#path)
      return size
    } catch (cause) {
      throw notWritten(this.#path, cause)
    }
  }
  /** Deletes the unfinished file. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => {})
    await rm(this.#temporaryPath, { force: true })
  }
  async #write(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes)
    await this.#file.appendFile(bytes).catch((cause: unknown) => {
      throw notWritten(this.#path, cause)
    })
  }
}
