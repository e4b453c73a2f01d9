// Restores a backup: verifies the whole file, builds a temporary directory next to the target, then renames it to the target.
import { appendFile, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { FORMAT_VERSION } from '../../data-dir/data-dir-lock.ts'
import { tryDirectory } from '../../data-dir/directory.ts'
import type { BackupHeader, BackupRow } from './backup-form.ts'
import { eachBlock, verifyBackup } from './backup-reader.ts'
import { isRestorable, StoreRestore } from './restore-store.ts'
import { FILES } from './take.ts'

/** Stores need more space than their rows: pages are partly filled. */
const ROOM_FACTOR = 3
/** A file name without folders: the files of a backup belong directly into the data directory. */
const PLAIN_NAME = /^[^/\\\0]{1,255}$/

export interface RestoreOptions {
  readonly path: string
  readonly dataDir: string
  /** Called with the size of each block read. The file is read twice: to verify it and to restore it. */
  readonly progress: (bytes: number) => void
}

/**
 * Restores the backup into the data directory. Atomic: on failure the target is as it was before.
 * @throws EngineError directory_unusable, file_unreadable, not_a_backup, backup_version, backup_torn, restore_target, backup_failed
 */
export const restoreBackup = async ({ path, dataDir, progress }: RestoreOptions): Promise<BackupHeader> => {
  const target = resolve(dataDir)
  tryDirectory(target)
  await assertEmpty(target)
  let bytes = 0
  const header = await verifyBackup(path, (size) => {
    bytes += size
    progress(size)
  })
  assertKnown(path, header)
  const temporaryPath = join(dirname(target), `.${basename(target)}.${process.pid}.restore`)
  try {
    await mkdir(temporaryPath, { recursive: true, mode: 0o700 })
    await assertRoom(temporaryPath, bytes * ROOM_FACTOR)
    await fill(temporaryPath, path, header, progress)
    // Replaces an empty directory in one step (POSIX); removed first, it would be missing after a failure.
    await rename(temporaryPath, target)
    return header
  } catch (cause) {
    await rm(temporaryPath, { recursive: true, force: true })
    if (cause instanceof EngineError) throw cause
    const words = `${path} cannot be restored to ${dataDir}: ${messageOf(cause)}. The directory was not changed.`
    throw new EngineError('backup_failed', words, { facts: { path, dataDir }, cause })
  }
}

const assertEmpty = async (target: string): Promise<void> => {
  const found = await readdir(target).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return []
    throw new EngineError('restore_target', `${target} cannot be used as the target of a restore: ${cause.message}`, {
      facts: { target },
      cause,
    })
  })
  if (found.length === 0) return
  const words = `${target} is not empty (${found.slice(0, 3).join(', ')}${found.length > 3 ? ', ...' : ''}): set MINTFOLD_DATA_DIR to an empty or new directory.`
  throw new EngineError('restore_target', words, { facts: { target } })
}

const assertKnown = (path: string, { logFormat, tables, version }: BackupHeader): void => {
  const strange = tables.find(({ store, table }) => store !== FILES && !isRestorable(store, table))
  if (logFormat === FORMAT_VERSION && strange === undefined) return
  const what =
    strange === undefined
      ? `log format ${logFormat}, but this program reads ${FORMAT_VERSION}`
      : `an unknown store ${strange.store} ${strange.table}`
  throw new EngineError('backup_version', `${path} has ${what}. Restore it with mintfold ${version}, which made it.`, {
    facts: { path, version },
  })
}

const assertRoom = async (dir: string, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(dir)
  if (bavail * bsize >= bytes) return
  const words = `the disk of ${dirname(dir)} has ${Math.floor((bavail * bsize) / 1e6)} MB free, the restore may need ${Math.ceil(bytes / 1e6)} MB: free some space.`
  throw new EngineError('backup_failed', words, { facts: { dir } })
}

const fill = async (dir: string, path: string, header: BackupHeader, progress: (bytes: number) => void): Promise<void> => {
  const stores = new Map<string, StoreRestore>()
  try {
    for (const store of new Set(header.tables.map((table) => table.store))) {
      const tables = header.tables.filter((table) => table.store === store).map(({ table }) => table)
      if (store !== FILES) stores.set(store, await StoreRestore.create(dir, store, tables))
    }
    await eachBlock(path, async (rows) => {
      for (const [store, part] of byStore(header, rows)) {
        if (store === FILES) for (const { key, value } of part) await putFile(dir, key, value)
        else await stores.get(store)?.put(part)
      }
      progress(rows.reduce((sum, { key, value }) => sum + key.length + value.length, 0))
    })
  } finally {
    for (const store of stores.values()) await store.close()
  }
}

interface StoreRow {
  readonly table: string
  readonly key: Uint8Array
  readonly value: Uint8Array
}

const byStore = ({ tables }: BackupHeader, rows: readonly BackupRow[]): Map<string, StoreRow[]> => {
  const parts = new Map<string, StoreRow[]>()
  for (const { table: number, key, value } of rows) {
    const { store, table } = tables[number] as BackupHeader['tables'][number]
    const part = parts.get(store) ?? []
    part.push({ table, key, value })
    parts.set(store, part)
  }
  return parts
}

const putFile = async (dir: string, key: Uint8Array, value: Uint8Array): Promise<void> => {
  const name = Buffer.from(key).toString('utf8')
  if (!PLAIN_NAME.test(name) || name === '.' || name === '..')
    throw new EngineError('backup_torn', `the backup has a file with the invalid name ${JSON.stringify(name)}`)
  await appendFile(join(dir, name), value, { mode: 0o600 })
}
