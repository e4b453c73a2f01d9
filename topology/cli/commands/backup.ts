// `mintfold backup --out FILE`: writes the data directory to one file, also while mintfold runs.
import { resolve } from 'node:path'
import * as z from 'zod'
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import { openLmdbLog } from '../../logs/lmdb/lmdb.ts'
import { dataDirBackup } from '../../operations/backup/data-dir.ts'
import { askControl } from '../../operations/control/client.ts'
import type { Io, Register } from '../command.ts'
import { type ProgressLine, showProgress } from '../output/progress.ts'
import { type Settings, settingsWithoutApi } from '../settings/settings.ts'
import { versionOf } from '../version.ts'
import { logFolderIn } from '../wiring/open-reader.ts'

const progressSchema = z.object({ rows: z.number(), rowsAll: z.number() })
const reportSchema = z.object({ bytes: z.number(), rows: z.number(), files: z.array(z.string()), leftOut: z.array(z.string()) })

export const register: Register = (command, io) => {
  command
    .description(
      'Writes log, stores, payments, sandbox ledger, wallet and keys of MINTFOLD_DATA_DIR to one file that only you can read. A mintfold that runs on it ' +
        'makes the backup itself, without stopping. The history is not included: it is rebuilt from the log.',
    )
    .requiredOption('--out <file>', 'the file to write')
    .action(({ out }: { out: string }) => backup(out, io))
}

const backup = async (path: string, io: Io): Promise<void> => {
  const settings = settingsWithoutApi(io.env)
  const out = resolve(path)
  const progress = showProgress(io, { what: `backing up ${settings.dataDir}`, unit: 'rows' })
  try {
    const report = reportSchema.parse(await run(settings, out, io, progress))
    const left = report.leftOut.length === 0 ? '' : `; left out: ${report.leftOut.join(', ')}`
    io.printNotice(
      `${path}: ${report.rows} rows and ${report.files.length} files of ${settings.dataDir}, ${(report.bytes / 1e6).toFixed(1)} MB${left}`,
    )
  } finally {
    progress.hide()
  }
}

const run = async (settings: Settings, out: string, io: Io, progress: ProgressLine): Promise<unknown> => {
  const { dataDir } = settings
  try {
    const report = (what: Readonly<Record<string, unknown>>): void => {
      const { rows, rowsAll } = progressSchema.parse(what)
      progress.at(rows, rows / Math.max(1, rowsAll))
    }
    return await askControl({ dataDir, command: 'backup', args: { out }, progress: report, stop: io.stop })
  } catch (failure) {
    if (!hasCode(failure, 'control_unreachable')) throw failure
  }
  const log = await openLmdbLog({ dir: logFolderIn(dataDir), partitions: settings.partitions })
  try {
    const report = await dataDirBackup({ dataDir, version: versionOf(), now: Date.now, live: () => [log.snapshot()] })({
      out,
      progress: (done, all) => progress.at(done, done / Math.max(1, all)),
      stop: io.stop,
    })
    if (report === undefined) throw new EngineError('control_failed', 'the backup was stopped; no file was written')
    return report
  } finally {
    await log.close()
  }
}
