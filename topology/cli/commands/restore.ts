// `mintfold restore FILE`: restores a backup as the data directory.
import { stat } from 'node:fs/promises'
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import { restoreBackup } from '../../operations/backup/restore.ts'
import { askControl } from '../../operations/control/client.ts'
import type { Io, Register } from '../command.ts'
import { showProgress } from '../output/progress.ts'
import { settingsWithoutApi } from '../settings/settings.ts'

/** The file is read twice: once to check it, once to restore. */
const READS = 2

export const register: Register = (command, io) => {
  command
    .description(
      'Checks the whole backup, then restores it to MINTFOLD_DATA_DIR, completely or not at all. The directory must be empty or absent, and no ' +
        'mintfold may run on it. Everything after the backup is lost, including the record of payments settled since.',
    )
    .argument('<file>', 'a file written by `mintfold backup`')
    .action((path: string) => restore(path, io))
}

const restore = async (path: string, io: Io): Promise<void> => {
  const { dataDir } = settingsWithoutApi(io.env)
  await refuseRunning(dataDir)
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  const progress = showProgress(io, { what: `restoring ${path}`, unit: 'MB' })
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
    const left = header.leftOut.length === 0 ? '' : `; not in the backup: ${header.leftOut.join(', ')}`
    io.printNotice(`${dataDir} is restored to its state of ${header.madeAt} (mintfold ${header.version})${left}`)
  } finally {
    progress.hide()
  }
}

/** A running mintfold responds on its control socket. @throws EngineError `restore_target` */
const refuseRunning = async (dataDir: string): Promise<void> => {
  const status = await askControl({ dataDir, command: 'status' }).catch((failure: unknown) => {
    if (hasCode(failure, 'control_unreachable')) return undefined
    throw failure
  })
  if (status === undefined) return
  const words = `a mintfold runs in ${dataDir} (process ${status.pid}): stop it, or set MINTFOLD_DATA_DIR to an empty directory.`
  throw new EngineError('restore_target', words, { facts: { dataDir } })
}
