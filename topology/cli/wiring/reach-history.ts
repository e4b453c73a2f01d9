// Reaches a history for reading: that of a running process, a server, or the engine started on an unused data directory.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import type { EngineUser } from '../../history/engine/access.ts'
import { ClickHouseServer } from '../../history/engine/clickhouse-server.ts'
import { PROBE_MS_MAX } from '../../history/engine/engine.ts'
import { historyDirOf, readerOf } from '../../history/engine/where.ts'
import type { HistoryTarget } from '../../history/target.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * Calls `use` with the address and user of the history; an engine started for it is stopped afterwards.
 * @param user see readerOf. @throws EngineError when there is none
 */
export const reachHistory = async <T>(
  { dataDir, clickhouse }: Settings,
  user: EngineUser,
  use: (target: HistoryTarget) => Promise<T>,
): Promise<T> => {
  const running = await readerOf(dataDir, clickhouse, user)
  if (running !== null) return use(running)
  const dir = historyDirOf(dataDir)
  if (!existsSync(join(dir, 'data')))
    throw new EngineError(
      'history_down',
      `${dataDir} has no history yet: run mintfold up to create one, or set MINTFOLD_DATA_DIR to another directory`,
    )
  const server = new ClickHouseServer({ dir, port: 0, database: clickhouse.database })
  try {
    await server.start()
    return await use(server.target(user))
  } catch (failure) {
    if (!hasCode(failure, 'data_dir_owned')) throw failure
    const words = `another mintfold has ${dataDir} open, but its history did not answer within ${PROBE_MS_MAX / 1_000} s: try again`
    throw new EngineError('history_busy', words, { retriable: true, cause: failure })
  } finally {
    await server.stop()
  }
}
