// Writes a file of an export: under a temporary name until it is complete and durable.
import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isOfFiles, unwritable } from '../../sources/recording/unreadable.ts'

const PART = '.part'
const GATHERED_BYTES = 1024 * 1024

export interface Written {
  readonly bytes: number
  readonly sha256: string
}

/** A renamed file is durable once its directory is synced. */
const syncDirectory = async (dir: string): Promise<void> => {
  const handle = await open(dir, 'r')
  await handle.sync().finally(() => handle.close())
}

export class DayFile {
  readonly #path: string
  readonly #file: FileHandle
  readonly #hash: Hash = createHash('sha256')
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #bytes = 0

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }
  /** Overwrites the temporary file of a killed export. @throws EngineError file_unreadable */
  static async create(path: string): Promise<DayFile> {
    return refusing(path, async () => {
      await mkdir(dirname(path), { recursive: true })
      return new DayFile(path, await open(path + PART, 'w'))
    })
  }
  /** Small writes are buffered: resolves once the bytes are buffered or passed to the file system. */
  async write(bytes: Buffer): Promise<void> {
    this.#gathered.push(bytes)
    this.#gatheredBytes += bytes.length
    if (this.#gatheredBytes >= GATHERED_BYTES) await this.#flush()
  }
  /** Syncs the file and gives it its final name; it survives a power failure then. @throws EngineError file_unreadable */
  async end(): Promise<Written> {
    await this.#flush()
    await refusing(this.#path, async () => {
      await this.#file.sync()
      await this.#file.close()
      await rename(this.#path + PART, this.#path)
      await syncDirectory(dirname(this.#path))
    })
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
  /** Keeps the temporary file; the next attempt overwrites it. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined)
  }
  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#gathered, this.#gatheredBytes)
    this.#gathered = []
    this.#gatheredBytes = 0
    this.#hash.update(bytes)
    this.#bytes += bytes.length
    await refusing(this.#path, () => this.#file.appendFile(bytes))
  }
}

/** Replaces a file atomically. @throws EngineError file_unreadable */
export const writeWhole = async (dir: string, name: string, text: string): Promise<Written> => {
  const file = await DayFile.create(join(dir, name))
  try {
    await file.write(Buffer.from(text))
    return await file.end()
  } catch (failure) {
    await file.abandon()
    throw failure
  }
}

/** @throws EngineError file_unreadable if the file system refuses */
const refusing = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    throw isOfFiles(cause) ? unwritable(path, cause) : cause
  }
}
