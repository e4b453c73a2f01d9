// An lmdb file for data that may be lost with the process: nothing is flushed, and the file is deleted when it is closed.
import { rmSync } from 'node:fs'
import { type Database, open, type RootDatabase } from 'lmdb'
import { EngineError, messageOf } from '../../schemas/errors.ts'
import { hasRoom } from './disk-room.ts'
import { makeScratchDir } from './scratch-dir.ts'

const BYTES = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const
/** Tables open at once: about four for each task, if one process has all partitions of a broker. */
const TABLES_MAX = 1_024
/** Upper bound of the growth by one row: two pages of the tree are copied. */
const ROW_ROOM_BYTES = 8_192

export type ScratchTable = Database<Uint8Array, Uint8Array>

/** lmdb's statistics of the file. */
interface FileStats {
  readonly pageSize: number
  readonly lastPageNumber: number
}

/** Tables in one file, which is created with the first table. For one thread. Throws EngineError `scratch_io` or `directory_unusable`. */
export class ScratchFile {
  readonly #dataDir: string
  readonly #bytesMax: number
  #env: RootDatabase | undefined
  #dir = ''
  #tables = 0
  readonly #free: ScratchTable[] = []

  /** `bytesMax`: limit of the file. The address space is reserved at once, because remapping a grown file counts its pages twice. */
  constructor(dataDir: string, bytesMax: number) {
    this.#dataDir = dataDir
    this.#bytesMax = bytesMax
  }
  /** An empty table. */
  take(): ScratchTable {
    return this.guarded(
      'open',
      () => this.#free.pop() ?? this.#opened().openDB<Uint8Array, Uint8Array>({ name: `${this.#tables++}`, ...BYTES }),
    )
  }
  /** Empties a table that is not used any more, and keeps it for the next `take`. */
  give(table: ScratchTable): void {
    if (this.#env === undefined) return
    this.guarded('clear', () => table.clearSync())
    this.#free.push(table)
  }
  /** False if the disk or the file has no room for this many rows of this total size: lmdb must never hit a full disk (disk-room). */
  hasRoom(rows: number, bytes: number): boolean {
    const { pageSize, lastPageNumber } = this.#opened().getStats() as FileStats
    const roomBytes = 2 * bytes + rows * ROW_ROOM_BYTES
    return pageSize * lastPageNumber + roomBytes <= this.#bytesMax && hasRoom(this.#dir, roomBytes)
  }
  /** Runs the writes of `run` as one transaction, visible at once. */
  write(run: () => void): void {
    this.guarded('write', () => void this.#opened().transactionSync(run))
  }
  guarded<T>(operation: string, run: () => T): T {
    try {
      return run()
    } catch (cause) {
      if (cause instanceof EngineError) throw cause
      const message = `${operation} of the scratch file in ${this.#dataDir} failed: ${messageOf(cause)}. Make sure that the disk has space and the directory is writable.`
      throw new EngineError('scratch_io', message, { facts: { dir: this.#dataDir, operation }, cause })
    }
  }
  /** The failure to throw once rows fit neither in memory nor on disk. */
  full(): EngineError {
    const words = `the disk of ${this.#dataDir} is full, or the scratch file has reached ${Math.round(this.#bytesMax / 2 ** 30)} GB: rows that are seldom used do not fit in memory. Free some space, then start again: nothing is lost.`
    return new EngineError('scratch_full', words, { facts: { dir: this.#dataDir } })
  }
  async close(): Promise<void> {
    const env = this.#env
    this.#env = undefined
    await env?.close()
    if (env !== undefined) rmSync(this.#dir, { recursive: true, force: true })
  }

  #opened(): RootDatabase {
    if (this.#env !== undefined) return this.#env
    this.#dir = makeScratchDir(this.#dataDir)
    const options = { path: this.#dir, noSubdir: false, noSync: true, overlappingSync: false, maxDbs: TABLES_MAX, mapSize: this.#bytesMax }
    this.#env = this.guarded('open', () => open({ ...options, ...BYTES }))
    return this.#env
  }
}
