// `mintfold export --out DIR`: writes tape and tables as day files, with a manifest and the schemas.
import { resolve } from 'node:path'
import { dayOf, dayText, momentOf } from '../../../operations/export/days.ts'
import { FORMAT, type Manifest, type RangeEntry } from '../../../operations/export/manifest.ts'
import { type Identity, OutDirectory } from '../../../operations/export/out-directory.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { showProgress } from '../../output/progress.ts'
import { settingsWithoutApi } from '../../settings/settings.ts'
import { versionOf } from '../../version.ts'
import { exportHistory } from './export-history.ts'
import type { ExportRun } from './export-run.ts'
import { exportTapes } from './export-tapes.ts'

interface Options {
  readonly out: string
  readonly from?: number
  readonly to?: number
  readonly tape?: readonly string[]
}

const dayIn = (text: string): number => {
  const moment = momentOf(text)
  if (moment === undefined)
    throw new UsageError(`${text} is not a time: write a day such as 2026-10-15, a time such as 2026-10-15T12:00:00Z, or unix seconds`)
  return dayOf(moment)
}

export const register: Register = (command, io) => {
  command
    .description(
      'Writes the tape (Avro, as replay reads it) and the tables launches, trades, flags and outcomes (Parquet) of every chain as files of one UTC day each, ' +
        'with manifest.json (rows, bytes, SHA-256, schema, positions of each file) and the schemas. The tape comes from the log, or from the history for days ' +
        'the log no longer has; retracted rows are not included. The newest day ends where the history is complete and final; the manifest ' +
        'has that time. Exit code 1 when a day is incomplete: the manifest lists which and why. An export that was stopped or killed resumes with the ' +
        'same command. mintfold import checks such a directory and joins it into one tape.',
    )
    .requiredOption('--out <dir>', 'an empty or new directory, or one of the same export that did not finish')
    .option(
      '--from <time>',
      'the first day, or a time in it: 2026-10-15, 2026-10-15T12:00:00Z or unix seconds (default: the first available)',
      dayIn,
    )
    .option('--to <time>', 'the last day, written as for --from (default: the newest)', dayIn)
    .option('--tape <file...>', 'export these tape files instead, oldest first, without tables (default: log and history)')
    .action((options: Options) => run(options, io))
}

const run = async ({ out: dir, from, to, tape }: Options, io: Io): Promise<void> => {
  if (from !== undefined && to !== undefined && to < from) throw new UsageError('--to is before --from: swap them')
  const settings = settingsWithoutApi(io.env)
  const range: RangeEntry = { from: from === undefined ? null : dayText(from), to: to === undefined ? null : dayText(to) }
  const version = versionOf()
  const progress = showProgress(io, { what: 'exports', unit: 'rows' })
  const open = async (of: string, cuts: Parameters<typeof OutDirectory.open>[2]): Promise<OutDirectory> => {
    const identity: Identity = { format: FORMAT, version, range, of }
    const opened = await OutDirectory.open(resolve(dir), identity, cuts)
    if (!opened.ok) throw new UsageError(opened.reason)
    return opened.value
  }
  const exported: ExportRun = {
    ...{ range, version, open, io },
    days: { from: from ?? null, to: to ?? null },
    progress: (done, share) => progress.at(done, share),
  }
  try {
    const manifest = tape === undefined ? await exportHistory(settings, exported) : await exportTapes(tape, exported)
    progress.hide()
    if (manifest === undefined) stopped(dir, io)
    else printMissing(dir, manifest, io)
  } finally {
    progress.hide()
  }
}

const stopped = (dir: string, io: Io): void => {
  io.printNotice(`stopped: ${dir} is incomplete; run the same command to resume`)
  io.setExitCode(1)
}

const printMissing = (dir: string, { files, missing, chains }: Manifest, io: Io): void => {
  for (const { chain, table, day, reason } of missing) io.printNotice(`missing: ${chain} ${table} of ${day}: ${reason}`)
  for (const { chain, up_to: upTo } of chains) {
    const own = files.filter((file) => file.chain === chain)
    const days = new Set(own.map(({ day }) => day)).size
    const rows = own.reduce((sum, file) => sum + file.rows, 0)
    const bytes = own.reduce((sum, file) => sum + file.bytes, 0)
    io.printNotice(
      `${dir}: ${chain}: ${own.length} files of ${days} days, ${rows} rows and frames, ${(bytes / 1e6).toFixed(1)} MB; up to ${upTo ?? '-'}`,
    )
  }
  if (missing.length > 0) io.setExitCode(1)
}
