// Checks of `doctor` for the data directory: writable, not in use by another process, and of a usable format.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { EngineError } from '../../../schemas/errors.ts'
import { tryContents, tryDirectory } from '../../data-dir/directory.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import { inspectDirectory } from '../../logs/lmdb/inspect.ts'
import { watchLmdbLog } from '../../logs/lmdb/lmdb-reader.ts'
import { askControl } from '../../operations/control/client.ts'
import { isCurrent, readStores, versionsOf } from '../../versions/stores-record.ts'
import type { Settings } from '../settings/settings.ts'
import { type Check, good, poor } from './check.ts'

/** The status of the running mintfold; undefined if none runs. */
export type Running = Readonly<Record<string, unknown>> | undefined

const ANSWER_MS_MAX = 5_000
/** About a day of raw frames at one tenth of today's load. */
const FREE_BYTES_WANTED = 1_000_000_000
const NAME = 'data directory'

export const runningIn = async (dataDir: string): Promise<Running> => {
  try {
    return await askControl({ dataDir, command: 'status', silentMsMax: ANSWER_MS_MAX })
  } catch (failure) {
    if (failure instanceof EngineError) return undefined
    throw failure
  }
}

/** Leaves no file behind. On Kafka the directory has no log to check. */
export const checkDirectory = async ({ dataDir, partitions, kafka }: Settings, running: Running): Promise<Check> => {
  const path = resolve(dataDir)
  if (running !== undefined) return good(NAME, `${path} is in use: process ${running.pid}, mintfold ${running.version}, ${running.url}`)
  try {
    tryDirectory(path)
    tryContents(path)
    return kafka === null ? await checkLog(path, partitions) : await checkHeld(path)
  } catch (failure) {
    if (failure instanceof EngineError) return poor(NAME, failure.message)
    throw failure
  }
}

const HELD = (path: string, owner: number): Check =>
  poor(NAME, `${path} is held by process ${owner}, which does not respond: stop it, or wait until it has started`)

const checkHeld = async (path: string): Promise<Check> => {
  const dir = join(path, 'held')
  const { owner } = existsSync(join(dir, 'data.mdb')) ? await inspectDirectory(dir) : { owner: null }
  return owner === null ? good(NAME, `${path} is writable`) : HELD(path, owner)
}

const checkLog = async (path: string, partitions: number): Promise<Check> => {
  const dir = join(path, 'log')
  if (!existsSync(dir)) return good(NAME, `${path} is writable and empty: the first start fills it`)
  const { owner, partitions: held, format } = await inspectDirectory(dir)
  if (owner !== null) return HELD(path, owner)
  if (held !== partitions) return poor(NAME, `${path} has ${held} partitions, MINTFOLD_PARTITIONS is ${partitions}: set it to ${held}`)
  const words = `${path} is free to use: format ${format}, ${held} partitions`
  return good(NAME, (await areStoresCurrent(dir)) ? words : `${words}; the next start rebuilds its stores, which are of an older version`)
}

/** @throws EngineError `stores_newer` */
const areStoresCurrent = async (dir: string): Promise<boolean> => {
  const log = await watchLmdbLog(dir)
  try {
    for (const topology of TOPOLOGIES) {
      const stores = await readStores(log, topology.operations.rebuild.reads.stores, topology.chain.name)
      if (stores !== undefined && !isCurrent(stores, versionsOf(topology))) return false
    }
    return true
  } finally {
    await log.close()
  }
}

export const checkRoom = async (dataDir: string): Promise<Check> => {
  let path = resolve(dataDir)
  while (!existsSync(path)) path = dirname(path)
  const { bavail, bsize } = await statfs(path)
  const free = bavail * bsize
  const words = `${(free / 1e9).toFixed(1)} GB free on the disk of ${path}`
  return free >= FREE_BYTES_WANTED
    ? good('disk', words)
    : poor('disk', `${words}: free some space, a day takes about ${FREE_BYTES_WANTED / 1e9} GB`)
}
