// Opens the log of the settings: the embedded one, or Kafka with its consumer group.
import { join } from 'node:path'
import { openDataDir } from '../../data-dir/directory.ts'
import { holdDirectory } from '../../data-dir/hold-directory.ts'
import { type DurableLog, openLmdbLog } from '../../logs/lmdb/lmdb.ts'
import { type Assignment, everything } from '../../ports/assignment.ts'
import type { PageStore } from '../../ports/keyed-pages.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { StoreSnapshot } from '../../ports/snapshot.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'
import { openPages } from './open-pages.ts'

/** A log as commands use it. */
export interface OpenLog {
  readonly log: Log
  /** The same log, if it is embedded. */
  readonly embedded: DurableLog | null
  readonly assignment: Assignment
  /** For rows that this thread evicts. */
  readonly pages: PageStore
  /** Snapshots of the stores in the data directory. */
  readonly live: readonly (() => StoreSnapshot)[]
}

/** For a role that needs the data directory alone. @throws EngineErrors of the logs, also if another process uses the directory */
export const openLog = async (settings: Settings, closing: Closing, notice: Notice, stop: AbortSignal): Promise<OpenLog> => {
  openDataDir(settings.dataDir)
  if (settings.kafka === null) {
    const log = await openLmdbLog({ dir: join(settings.dataDir, 'log'), partitions: settings.partitions })
    closing.add('log', () => log.close())
    return { log, embedded: log, assignment: everything(), pages: openPages(settings, closing), live: [() => log.snapshot()] }
  }
  closing.add('directory', await holdDirectory(join(settings.dataDir, 'held')))
  const { assignmentOf } = await import('./open-kafka.ts')
  const { openWithDirectory } = await import('./open-kafka-directory.ts')
  const { openSnapshots } = await import('./open-snapshots.ts')
  const log = await openSnapshots(await openWithDirectory(settings, settings.kafka, closing, notice, stop), settings, closing, notice)
  const pages = openPages(settings, closing)
  return { log, embedded: null, assignment: await assignmentOf(settings, settings.kafka, closing, notice), pages, live: [] }
}

/** For the line that a start prints; empty for the embedded log. */
export const logWords = ({ kafka }: Settings): string => (kafka === null ? '' : `; log: Kafka ${kafka.brokers.join(',')}`)
