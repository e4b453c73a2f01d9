// Where a rebuild makes what it makes. What one that was killed made is gone on with by the next of the same identity.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChainNames, ownName } from '../../../schemas/topics.ts'
import { openLmdbLog } from '../../logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../logs/memory/memory.ts'
import type { Log } from '../../ports/log.ts'

interface ScratchShape {
  readonly partitions: number
  /** Names what is made: contents of another identity are dropped. */
  readonly identity: string
}

export interface Scratches {
  /** The log of a name; empty unless its contents are of the same identity. One that is open is closed first. */
  open(name: string, shape: ScratchShape): Promise<Log>
  /** Closes all and keeps what they hold. */
  close(): Promise<void>
  /** Closes all and lets go of what they held. */
  drop(): Promise<void>
}

/** Bounded by nothing but memory: for tests and for logs that are in memory themselves. */
export const memoryScratches = (): Scratches => {
  const kept = new Map<string, { readonly identity: string; readonly log: Log }>()
  return {
    open: async (name, { partitions, identity }) => {
      const there = kept.get(name)
      if (there?.identity === identity) return there.log
      const log = createMemoryLog({ partitions })
      kept.set(name, { identity, log })
      return log
    },
    close: async () => {},
    drop: async () => kept.clear(),
  }
}

/** Those of a chain in a data directory; nobody else's. */
export const scratchesIn =
  (dataDir: string) =>
  (chain: ChainNames): Scratches =>
    directoryScratches(join(dataDir, ownName(chain, 'rebuild')))

/** On disk, under a directory that is theirs alone. */
export const directoryScratches = (dir: string): Scratches => {
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
        // Only once what was there is gone.
        await writeFile(label, identity)
      }
      const log = await openLmdbLog({ dir: path, partitions })
      logs.set(name, log)
      return log
    },
    close: closeAll,
    drop: async () => {
      await closeAll()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
