// Where a rebuild makes what it makes.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openLmdbLog } from '../logs/lmdb.ts'
import { createMemoryLog } from '../logs/memory.ts'
import type { Log } from '../ports/log.ts'

export interface Scratches {
  /** An empty log; what one of that name held before is gone. */
  open(name: string, partitions: number): Promise<Log>
  /** Closes all and lets go of what they held. */
  drop(): Promise<void>
}

/** Bounded by nothing but memory: for tests and for logs that are in memory themselves. */
export const memoryScratches = (): Scratches => ({
  open: async (_name, partitions) => createMemoryLog({ partitions }),
  drop: async () => {},
})

/** On disk, under a directory that is theirs alone: of a process that was killed, what it left is taken away first. */
export const directoryScratches = (dir: string): Scratches => {
  const logs = new Map<string, Log>()
  const close = async (name: string): Promise<void> => {
    await logs.get(name)?.close()
    logs.delete(name)
  }
  return {
    open: async (name, partitions) => {
      await close(name)
      const path = join(dir, name)
      await rm(path, { recursive: true, force: true })
      const log = await openLmdbLog({ dir: path, partitions })
      logs.set(name, log)
      return log
    },
    drop: async () => {
      for (const name of logs.keys()) await close(name)
      await rm(dir, { recursive: true, force: true })
    },
  }
}
