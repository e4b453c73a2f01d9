// Reads an Avro object container block by block, and reports where it is corrupt.
import { type FileHandle, open } from 'node:fs/promises'
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { unreadable } from './unreadable.ts'

/** Size limit of a block. The part of a frame has at most 512 KB, but blocks of other writers may have whole frames. */
const BLOCK_BYTES_MAX = 65 * 1024 * 1024
/** Size limit of a header entry, such as the schema. */
const ENTRY_BYTES_MAX = 1024 * 1024
const ENTRIES_MAX = 64
const SYNC_BYTES = 16
const CHUNK_BYTES = 256 * 1024
const VARINT_BYTES_MAX = 8
/** How recordings are made. */
export const RECORDING_HINT =
  ' (mintfold record makes recordings of a source or, with --source log, of your own log; mintfold import makes them from RPC responses)'

/** Magic bytes of a container. */
export const MAGIC = Buffer.from('Obj\x01', 'latin1')

/** A block: where it starts in the file, its declared number of values, and their bytes. */
export interface ContainerBlock {
  readonly offset: number
  readonly count: number
  readonly data: Buffer
}

/** Reads a file forward. */
export class ContainerReader {
  readonly #file: FileHandle
  readonly #path: string
  #buffered = Buffer.alloc(0)
  #offset = 0
  #sync: Buffer | undefined

  private constructor(file: FileHandle, path: string) {
    this.#file = file
    this.#path = path
  }

  /** @throws EngineError `file_unreadable` */
  static async open(path: string): Promise<ContainerReader> {
    const file = await open(path, 'r').catch((cause: unknown) => {
      throw unreadable(path, cause)
    })
    return new ContainerReader(file, path)
  }

  /** Bytes of the file taken so far. */
  get offset(): number {
    return this.#offset
  }
  close(): Promise<void> {
    return this.#file.close()
  }

  notARecording(why: string, cause?: unknown): EngineError {
    return new EngineError('not_a_recording', `${this.#path} is not a recording: ${why}${RECORDING_HINT}`, {
      facts: { path: this.#path, offset: this.#offset },
      cause,
    })
  }
  torn(why: string): EngineError {
    return this.#tornAt({ offset: this.#offset }, why)
  }
  /** The result of `decode`, which reads a value (from 0) of the block: what it throws is damage of the file. @throws EngineError `torn_recording` */
  valueIn<Value>({ offset }: ContainerBlock, value: number, decode: () => Value): Value {
    try {
      return decode()
    } catch (cause) {
      throw this.#tornAt({ offset, value }, `value ${value} of the block there cannot be decoded (${messageOf(cause)})`, cause)
    }
  }
  #tornAt(at: { readonly offset: number; readonly value?: number }, why: string, cause?: unknown): EngineError {
    const facts = { path: this.#path, ...at }
    return new EngineError('torn_recording', `${this.#path} is corrupt or truncated at byte ${at.offset}: ${why}`, { facts, cause })
  }

  /** The next `size` bytes; undefined if fewer are left. */
  async take(size: number): Promise<Buffer | undefined> {
    while (this.#buffered.length < size) {
      const chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, size - this.#buffered.length))
      const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, null).catch((cause: unknown) => {
        throw unreadable(this.#path, cause, RECORDING_HINT)
      })
      if (bytesRead === 0) return undefined
      this.#buffered = Buffer.concat([this.#buffered, chunk.subarray(0, bytesRead)])
    }
    const taken = this.#buffered.subarray(0, size)
    this.#buffered = this.#buffered.subarray(size)
    this.#offset += size
    return taken
  }

  /** The header's metadata map, as text. */
  async takeMap(): Promise<Map<string, string>> {
    const entries = new Map<string, string>()
    for (let count = await this.#header(this.#long()); count !== 0; count = await this.#header(this.#long())) {
      if (count < 0) await this.#header(this.#long())
      for (let i = 0; i < Math.abs(count); i++) {
        if (entries.size >= ENTRIES_MAX) throw this.notARecording(`its header has more than ${ENTRIES_MAX} entries`)
        const name = await this.#header(this.#text())
        entries.set(name, await this.#header(this.#text()))
      }
    }
    return entries
  }

  /** Takes the sync marker from the header: every block must end with it. */
  async takeSync(): Promise<void> {
    this.#sync = await this.#header(this.take(SYNC_BYTES))
  }

  /** The next block; undefined at the end of the file. @throws EngineError `torn_recording` */
  async takeBlock(): Promise<ContainerBlock | undefined> {
    if (await this.#isAtEnd()) return undefined
    const offset = this.#offset
    const count = await this.#long()
    const size = await this.#long()
    if (count === undefined || size === undefined) throw this.torn('the file ends within a block')
    if (count < 0 || size < 0 || size > BLOCK_BYTES_MAX) throw this.torn(`a block of ${size} bytes, at most ${BLOCK_BYTES_MAX} are allowed`)
    const data = await this.take(size)
    const sync = await this.take(SYNC_BYTES)
    if (data === undefined || sync === undefined) throw this.torn('the file ends within a block')
    if (this.#sync === undefined || !sync.equals(this.#sync)) throw this.torn('a block does not end with the sync marker of the file')
    return { offset, count, data }
  }

  async #isAtEnd(): Promise<boolean> {
    if (this.#buffered.length > 0) return false
    const byte = await this.take(1)
    if (byte === undefined) return true
    this.#buffered = Buffer.concat([byte, this.#buffered])
    this.#offset--
    return false
  }

  async #header<T>(read: Promise<T | undefined>): Promise<T> {
    const value = await read
    if (value === undefined) throw this.notARecording('its header is incomplete')
    return value
  }

  /** Zigzag varint; undefined if truncated or larger than any valid size. */
  async #long(): Promise<number | undefined> {
    let value = 0
    for (let i = 0, factor = 1; i < VARINT_BYTES_MAX; i++, factor *= 128) {
      const [byte] = (await this.take(1)) ?? []
      if (byte === undefined) return undefined
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return Number.isSafeInteger(value) ? (value % 2 === 0 ? value / 2 : -(value + 1) / 2) : undefined
    }
    return undefined
  }

  async #text(): Promise<string | undefined> {
    const size = await this.#long()
    if (size === undefined || size < 0 || size > ENTRY_BYTES_MAX) return undefined
    return (await this.take(size))?.toString('utf8')
  }
}

/** True if the file starts as an Avro object container. @throws EngineError `file_unreadable` */
export const isContainer = async (path: string): Promise<boolean> => {
  const reader = await ContainerReader.open(path)
  try {
    return (await reader.take(MAGIC.length))?.equals(MAGIC) === true
  } finally {
    await reader.close()
  }
}
