// `mintfold restore FILE`: a backup becomes the data directory.
import { stat } from 'node:fs/promises'
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import { restoreBackup } from '../../operations/backup/restore.ts'
import { askControl } from '../../operations/control/client.ts'
import type { Io, Register } from '../command.ts'
import { showProgress } from '../output/progress.ts'
import { settingsWithoutApi } from '../settings/settings.ts'

/** The file is checked to its end, then read again. */
const READS = 2

export const register: Register = (command, io) => {
  command
    .description(
      'Checks the backup to its end, then makes MINTFOLD_DATA_DIR of it, whole or not at all. The place must be empty or not there, and no ' +
        'mintfold may run in it. What happened after the backup is not in it: payments settled since then are not remembered.',
    )
    .argument('<file>', 'what `mintfold backup` wrote')
    .action((path: string) => restore(path, io))
}

const restore = async (path: string, io: Io): Promise<void> => {
  const { dataDir } = settingsWithoutApi(io.env)
  await refuseRunning(dataDir)
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  const progress = showProgress(io, { what: `restores ${path}`, unit: 'MB' })
  let bytes = 0
  try {
    const header = await restoreBackup({
      path,
      dataDir,
      progress: (more) => {
        bytes += more
        progress.at(Math.round(bytes / 1e6), size > 0 ? bytes / (size * READS) : undefined)
      },
    })
    const left = header.leftOut.length === 0 ? '' : `; not in it: ${header.leftOut.join(', ')}`
    io.say(`${dataDir} is as it was at ${header.madeAt} (mintfold ${header.version})${left}`)
  } finally {
    progress.hide()
  }
}

/** A running product answers on its control socket. @throws EngineError restore_target */
const refuseRunning = async (dataDir: string): Promise<void> => {
  const status = await askControl({ dataDir, command: 'status' }).catch((failure: unknown) => {
    if (hasCode(failure, 'control_unreachable')) return undefined
    throw failure
  })
  if (status === undefined) return
  const words = `a mintfold runs in ${dataDir} (process ${status.pid}): stop it, or set MINTFOLD_DATA_DIR to an empty directory.`
  throw new EngineError('restore_target', words, { facts: { dataDir } })
}
