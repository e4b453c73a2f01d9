// Staging stores of rebuilds. A rebuild with the same identity continues with the contents left by a killed one.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChainNames, ownName } from '../../../schemas/topics.ts'
import { openLmdbLog } from '../../logs/lmdb/lmdb.ts'
import { type WatchedLog, watchLmdbLog } from '../../logs/lmdb/lmdb-reader.ts'
import { createMemoryLog } from '../../logs/memory/memory.ts'
import type { Log } from '../../ports/log.ts'

interface ScratchShape {
  readonly partitions: number
  /** Identity of the contents: contents with another identity are dropped. */
  readonly identity: string
}

export interface StagingStores {
  /** Opens the log of a name; empty unless its contents have the same identity. If it is open, it is closed first. */
  open(name: string, shape: ScratchShape): Promise<Log>
  /** Notes the name of the process that works here. It is the only one: a process with another name has ended. */
  noteUser(by: string): Promise<void>
  /** The newest note; undefined if there is none. */
  user(): Promise<string | undefined>
  /** Closes all logs and keeps their contents. */
  close(): Promise<void>
  /** Closes all logs and deletes their contents. */
  drop(): Promise<void>
}

/** Limited only by memory: for tests, and for logs that are in memory themselves. */
export const memoryStaging = (): StagingStores => {
  const kept = new Map<string, { readonly identity: string; readonly log: Log }>()
  let user: string | undefined
  return {
    open: async (name, { partitions, identity }) => {
      const there = kept.get(name)
      if (there?.identity === identity) return there.log
      const log = createMemoryLog({ partitions })
      kept.set(name, { identity, log })
      return log
    },
    noteUser: async (by) => {
      user = by
    },
    user: async () => user,
    close: async () => {},
    drop: async () => {
      user = undefined
      kept.clear()
    },
  }
}

/** The staging stores of a chain in a data directory, used by nothing else. */
export const stagingIn =
  (dataDir: string) =>
  (chain: ChainNames): StagingStores =>
    directoryStaging(stagingFolder(dataDir, chain))

/**
 * Reads the log of a name in such a directory, which another process may be writing; undefined if it has none with that identity.
 * @throws EngineError like `watchLmdbLog`
 */
export const watchStaging = async (dir: string, name: string, isWanted: (identity: string) => boolean): Promise<WatchedLog | undefined> => {
  const identity = await readFile(join(dir, `${name}.identity`), 'utf8').catch(() => undefined)
  return identity !== undefined && isWanted(identity) && existsSync(join(dir, name)) ? watchLmdbLog(join(dir, name)) : undefined
}

/** The folder of `stagingIn`. */
export const stagingFolder = (dataDir: string, chain: Pick<ChainNames, 'prefix'>): string => join(dataDir, ownName(chain, 'rebuild'))

const USER = 'user'

/** On disk, in a directory used by nothing else. */
export const directoryStaging = (dir: string): StagingStores => {
  const logs = new Map<string, Log>()
  const close = async (name: string): Promise<void> => {
    await logs.get(name)?.close()
    logs.delete(name)
  }
  const closeAll = async (): Promise<void> => {
    for (const name of [...logs.keys()]) await close(name)
  }
  return {
    open: async (name, { partitions, identity }) => {
      await close(name)
      const path = join(dir, name)
      const label = join(dir, `${name}.identity`)
      if ((await readFile(label, 'utf8').catch(() => undefined)) !== identity) {
        await rm(path, { recursive: true, force: true })
        await mkdir(dir, { recursive: true })
        // Only after the old contents are deleted: a kill in between must not leave them under the new identity.
        await writeFile(label, identity)
      }
      const log = await openLmdbLog({ dir: path, partitions })
      logs.set(name, log)
      return log
    },
    noteUser: async (by) => {
      await mkdir(dir, { recursive: true })
      await writeFile(join(dir, USER), by)
    },
    user: () => readFile(join(dir, USER), 'utf8').catch(() => undefined),
    close: closeAll,
    drop: async () => {
      await closeAll()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
