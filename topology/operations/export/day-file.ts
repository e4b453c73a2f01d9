// A file of an export while it is written: beside its name until it is whole and on the disk.
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

/** Names in a directory are durable once the directory is. */
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
  /** What a killed export left under the name beside is written over. @throws EngineError file_unreadable */
  static async create(path: string): Promise<DayFile> {
    return refusing(path, async () => {
      await mkdir(dirname(path), { recursive: true })
      return new DayFile(path, await open(path + PART, 'w'))
    })
  }
  /** Resolves once the file system has them, or some of them: small writes are gathered. */
  async write(bytes: Buffer): Promise<void> {
    this.#gathered.push(bytes)
    this.#gatheredBytes += bytes.length
    if (this.#gatheredBytes >= GATHERED_BYTES) await this.#flush()
  }
  /** Under its name from now on, through a power cut too. @throws EngineError file_unreadable */
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
  /** Leaves what is beside the name to the next try. */
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

/** Writes a file whole, or leaves the one of before. @throws EngineError file_unreadable */
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

/** @throws EngineError file_unreadable where the disk refuses */
const refusing = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    throw isOfFiles(cause) ? unwritable(path, cause) : cause
  }
}
