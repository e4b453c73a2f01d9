// Takes a backup: the stores as of one moment, and the files next to them.
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { FORMAT_VERSION } from '../../data-dir/data-dir-lock.ts'
import type { StoreSnapshot } from '../../ports/snapshot.ts'
import type { BackupHeader } from './backup-form.ts'
import { BackupWriter } from './backup-writer.ts'

/** The API shares the process: rows are read for this long between yields to the event loop. */
const SLICE_MS = 2
const CHUNK_BYTES = 256 * 1024
/** Unfinished files that a killed process may have left behind. */
const UNFINISHED = /\.(part|tmp)$/
/** Pseudo-store for the files directly in the data directory. */
export const FILES = 'files'

export interface BackupOptions {
  readonly dataDir: string
  /** Absolute. */
  readonly out: string
  /** Version of the program. */
  readonly version: string
  /** Wall ms. */
  readonly now: () => number
  /** All taken in one turn of the event loop; released by the caller. */
  readonly snapshots: readonly StoreSnapshot[]
  /** Called with the number of rows copied and the total. */
  readonly progress: (done: number, total: number) => void
  readonly stop: AbortSignal
}

export interface BackupReport {
  readonly out: string
  readonly bytes: number
  readonly rows: number
  readonly files: readonly string[]
  /** Folders of the data directory that no snapshot covers. */
  readonly leftOut: readonly string[]
}

/** Undefined when stopped; no file is left then. @throws EngineError backup_failed */
export const takeBackup = async (options: BackupOptions): Promise<BackupReport | undefined> => {
  const { dataDir, out, snapshots } = options
  const { files, folders } = await contentsOf(dataDir, out)
  const leftOut = folders.filter((name) => snapshots.every(({ store }) => store !== name))
  const writer = await BackupWriter.create(out, headerOf(options, leftOut))
  try {
    const rows = await copyStores(options, writer)
    for (const name of options.stop.aborted ? [] : files) await copyFile(join(dataDir, name), name, writer, tablesOf(snapshots).length)
    if (options.stop.aborted) {
      await writer.abandon()
      return undefined
    }
    return { out, bytes: await writer.finish(), rows, files, leftOut }
  } catch (failure) {
    await writer.abandon()
    throw failure
  }
}

const tablesOf = (snapshots: readonly StoreSnapshot[]) =>
  snapshots.flatMap(({ store, tables }) => tables.map((table) => ({ store, table })))

const headerOf = ({ version, now, snapshots }: BackupOptions, leftOut: readonly string[]): BackupHeader => ({
  version,
  logFormat: FORMAT_VERSION,
  madeAt: new Date(now()).toISOString(),
  tables: [...tablesOf(snapshots).map(({ store, table }) => ({ store, table: table.name })), { store: FILES, table: '' }],
  leftOut: [...leftOut],
})

const copyStores = async ({ snapshots, progress, stop }: BackupOptions, writer: BackupWriter): Promise<number> => {
  const tables = tablesOf(snapshots)
  const total = tables.reduce((sum, { table }) => sum + table.count, 0)
  let done = 0
  let sliceAt = performance.now()
  for (const [number, { table }] of tables.entries())
    for (const [key, value] of table.rows()) {
      if (writer.add(number, key, value)) await writer.flush()
      done++
      if (performance.now() - sliceAt < SLICE_MS) continue
      if (stop.aborted) return done
      progress(done, total)
      await new Promise<void>((resume) => setImmediate(resume))
      sliceAt = performance.now()
    }
  progress(done, total)
  return done
}

const contentsOf = async (dataDir: string, out: string): Promise<{ readonly files: string[]; readonly folders: string[] }> => {
  const entries = await readdir(dataDir, { withFileTypes: true })
  const isKept = (name: string): boolean => !UNFINISHED.test(name) && resolve(dataDir, name) !== out
  return {
    files: entries
      .filter((entry) => entry.isFile() && isKept(entry.name))
      .map(({ name }) => name)
      .sort(),
    folders: entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  }
}

/** Copies a file up to its size at the start, in consecutive rows whose key is its name. */
const copyFile = async (path: string, name: string, writer: BackupWriter, table: number): Promise<void> => {
  const { size } = await stat(path)
  const file: FileHandle = await open(path, 'r')
  try {
    for (let at = 0; at < size || at === 0; at += CHUNK_BYTES) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - at))
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
      if (writer.add(table, Buffer.from(name), chunk.subarray(0, bytesRead))) await writer.flush()
    }
  } finally {
    await file.close()
  }
}
