// Watches the files of a detector, whether an editor writes them in place or replaces them.
import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The files are read after this long without a further event (debounce). */
const QUIET_MS = 50
/** A missing file may be about to be replaced: it is polled this many times before it counts as gone. */
const GONE_CHECKS_MAX = 10
/** Poll interval, for systems without change events (some mounts, a folder that did not exist). */
const CHECK_MS = 1_000
const FILES_MAX = 64
const IMPORT = /(?:\bfrom|\bimport)\s*['"](\.{1,2}\/[^'"\n]{1,200}\.ts)['"]/g

export interface SourceWatch {
  end(): void
}

/** Text by path; null for a file that cannot be read yet. */
type Texts = ReadonlyMap<string, string | null>

/** Calls `changed` when the detector's file, or one that it imports, changes, disappears or appears. */
export const watchSources = (entry: string, changed: () => void): SourceWatch => {
  const watchers = new Map<string, FSWatcher>()
  let texts = textsFrom(entry)
  let goneChecks = 0
  let timer: NodeJS.Timeout | undefined
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(check, QUIET_MS)
  }
  const check = (): void => {
    const newer = textsFrom(entry)
    const isGone = [...texts].some(([path, text]) => text !== null && newer.get(path) === null)
    if (isGone && goneChecks++ < GONE_CHECKS_MAX) soon()
    else use(newer)
  }
  const use = (newer: Texts): void => {
    goneChecks = 0
    const isOther = newer.size !== texts.size || [...newer].some(([path, text]) => texts.get(path) !== text)
    texts = newer
    watchFolders()
    if (isOther) changed()
  }
  const watchFolders = (): void => {
    const folders = new Set([...texts.keys()].map((path) => dirname(path)))
    for (const folder of [...watchers.keys()]) if (!folders.has(folder)) drop(folder)
    for (const folder of folders) if (!watchers.has(folder)) watchFolder(folder)
  }
  const drop = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const watchFolder = (folder: string): void => {
    try {
      const watcher = watch(folder, soon)
      watcher.on('error', () => drop(folder))
      watchers.set(folder, watcher)
    } catch {
      // The folder does not exist, or the system has no watcher left: polling covers it.
    }
  }
  const checks = setInterval(check, CHECK_MS)
  watchFolders()
  return {
    end: () => {
      clearInterval(checks)
      clearTimeout(timer)
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}

/** The file and its transitive relative imports. */
const textsFrom = (entry: string): Texts => {
  const texts = new Map<string, string | null>([[entry, null]])
  // Iterating a Map also visits entries added meanwhile.
  for (const path of texts.keys()) {
    const text = textOf(path)
    texts.set(path, text)
    for (const [, name = ''] of text?.matchAll(IMPORT) ?? []) {
      const imported = resolve(dirname(path), name)
      if (texts.size < FILES_MAX && !texts.has(imported)) texts.set(imported, null)
    }
  }
  return texts
}

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
