// Watches the files that a detector is made of, however an editor writes them: in place, or as another file under the same name.
import { type FSWatcher, readFileSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** After an event so long passes without another before the files are read. */
const QUIET_MS = 50
/** A file that is gone may be about to be written anew; so many times it is looked for. */
const GONE_LOOKS_MAX = 10
/** Where the system tells of no change (some mounts, a folder that was not there), files are looked at so often. */
const LOOK_MS = 1_000
const FILES_MAX = 64
const IMPORT = /(?:\bfrom|\bimport)\s*['"](\.{1,2}\/[^'"\n]{1,200}\.ts)['"]/g

export interface SourceWatch {
  end(): void
}

/** Text by path; null for a file that cannot be read: it may come. */
type Texts = ReadonlyMap<string, string | null>

/** `changed` is called when the detector's file, or one that it imports, has another text, is gone or is there. */
export const watchSources = (entry: string, changed: () => void): SourceWatch => {
  const watchers = new Map<string, FSWatcher>()
  let texts = textsFrom(entry)
  let goneLooks = 0
  let timer: NodeJS.Timeout | undefined
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(look, QUIET_MS)
  }
  const look = (): void => {
    const newer = textsFrom(entry)
    const isGone = [...texts].some(([path, text]) => text !== null && newer.get(path) === null)
    if (isGone && goneLooks++ < GONE_LOOKS_MAX) soon()
    else use(newer)
  }
  const use = (newer: Texts): void => {
    goneLooks = 0
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
      // There is no such folder, or the system has no watcher left: the files are looked at all the same.
    }
  }
  const looks = setInterval(look, LOOK_MS)
  watchFolders()
  return {
    end: () => {
      clearInterval(looks)
      clearTimeout(timer)
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}

/** The file and those that it imports, as their texts name them. */
const textsFrom = (entry: string): Texts => {
  const texts = new Map<string, string | null>([[entry, null]])
  // A map goes on with what is added meanwhile.
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
