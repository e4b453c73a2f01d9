// Locks a data directory without a log, in which one process stores its payments.
import { mkdirSync } from 'node:fs'
import { open } from 'lmdb'
import { leaveDirectory, takeDirectory } from './data-dir-lock.ts'

const BYTES = { encoding: 'binary', keyEncoding: 'binary' } as const

/** Returns a function that releases it. @throws EngineError `data_dir_owned` while another process holds it. */
export const holdDirectory = async (dir: string): Promise<() => Promise<void>> => {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const env = open({ path: dir, noSubdir: false, maxDbs: 2, ...BYTES })
  try {
    const owners = env.openDB<Uint8Array, Uint8Array>({ name: 'owner', useVersions: true, ...BYTES })
    const rows = env.openDB<Uint8Array, Uint8Array>({ name: 'rows', ...BYTES })
    const generation = takeDirectory(env, owners, rows, dir, 1)
    return async () => {
      await leaveDirectory(owners, generation)
      await env.close()
    }
  } catch (failure) {
    await env.close()
    throw failure
  }
}
