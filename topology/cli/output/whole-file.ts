// Writes a file atomically.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { isOfFiles, unwritable } from '../../sources/recording/unreadable.ts'

/** @throws EngineError `file_unreadable` if the disk refuses; the previous file then stays */
export const writeWhole = (path: string, content: string | Uint8Array): void => {
  const fresh = `${path}.${process.pid}`
  try {
    writeFileSync(fresh, content)
    renameSync(fresh, path)
  } catch (cause) {
    rmSync(fresh, { force: true })
    throw isOfFiles(cause) ? unwritable(path, cause) : cause
  }
}
