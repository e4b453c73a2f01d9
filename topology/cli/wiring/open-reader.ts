// Opens the log of the settings read-only: does not disturb the processes that use it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { watchLmdbLog } from '../../logs/lmdb/lmdb-reader.ts'
import type { LogReader } from '../../ports/log.ts'
import { type Io, UsageError } from '../command.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'

/** The folder of the embedded log. @throws UsageError if the data directory has none */
export const logFolderIn = (dataDir: string): string => {
  const dir = join(dataDir, 'log')
  if (!existsSync(dir)) throw new UsageError(`${dataDir} has no data of mintfold: set MINTFOLD_DATA_DIR`)
  return dir
}

/** True if the settings name an existing log. */
export const hasLogIn = ({ kafka, dataDir }: Pick<Settings, 'kafka' | 'dataDir'>): boolean =>
  kafka !== null || existsSync(join(dataDir, 'log'))

/** Reads everything committed before the call. @throws UsageError if the data directory has no log */
export const openReader = async (settings: Settings, closing: Closing, io: Io): Promise<LogReader> => {
  if (settings.kafka !== null) {
    const { openShared } = await import('./open-kafka.ts')
    const notice = noticesTo(createLogger({ logLevel: settings.logLevel, terminal: io.terminal }))
    const log = await openShared(settings, settings.kafka, closing, notice)
    await log.refresh()
    return log
  }
  const log = await watchLmdbLog(logFolderIn(settings.dataDir))
  closing.add('log', () => log.close())
  return log
}
