// `mintfold import FILE... --out RECORDING`: turns recorded RPC responses into a recording, or directories of day files into a tape.
import { stat } from 'node:fs/promises'
import { splitFrame } from '../../../../processors/chains/frame-parts.ts'
import { type OpenFile, problemsOf } from '../../../sources/recording/chain-files.ts'
import { writeRecording } from '../../../sources/recording/recording-file.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { showProgress } from '../../output/progress.ts'
import { type ImportDaysOptions, importDays } from '../days/import-days.ts'
import { openChainFile } from './decode.ts'
import { replayOf } from './replay-file.ts'

interface ImportOptions extends ImportDaysOptions {
  readonly assumeComplete?: boolean
}

const run = async (paths: readonly string[], options: ImportOptions, io: Io): Promise<void> => {
  const directories = await Promise.all(paths.map(isDirectory))
  const other = paths[directories.indexOf(!directories[0])]
  if (other !== undefined)
    throw new UsageError(
      `${other} and ${paths[0]} are a file and a directory: import either files of chain data or directories of day files`,
    )
  if (directories[0] !== true) {
    if (options.chain !== undefined)
      throw new UsageError('--chain can only be used with directories of day files: files of chain data identify their chain')
    return importFiles(paths, options, io)
  }
  if (options.assumeComplete)
    throw new UsageError('--assume-complete can only be used with files of chain data: day files record what was captured')
  return importDays(paths, options, io)
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

const readFiles = async (paths: readonly string[], io: Io): Promise<OpenFile[]> => {
  const files: OpenFile[] = []
  const progress = showProgress(io, { what: 'reading', unit: 'files' })
  try {
    for (const [index, path] of paths.entries()) {
      const open = await openChainFile(path)
      const { events, notes } = open.file
      if (files.some(({ frames }) => frames !== open.frames))
        throw new UsageError(`${path} is of another chain than ${paths[0]}: import the files of each chain separately.`)
      if (events.length > 0) throw new UsageError(`${path} has events without their transactions: decode can read it, import cannot.`)
      if (notes.length > 0) progress.hide()
      for (const note of notes) io.printNotice(note)
      files.push(open)
      progress.at(index + 1, (index + 1) / paths.length)
    }
  } finally {
    progress.hide()
  }
  return files
}

const importFiles = async (paths: readonly string[], { out, assumeComplete = false }: ImportOptions, io: Io): Promise<void> => {
  const files = await readFiles(paths, io)
  const blocks = files.flatMap(({ file }) => file.blocks)
  const made = (files[0] as OpenFile).frames(blocks, assumeComplete)
  if (!made.ok) throw new UsageError(made.reason)
  const { frames, transactions, kept, repeated } = made.value
  const unread = problemsOf(files)
  for (const line of unread) io.printNotice(line)
  if (frames.length === 0) throw new UsageError('The files have no readable transaction.')
  await writeRecording(out, frames.flatMap(splitFrame))
  const folds = replayOf((files[0] as OpenFile).chain).folds()
  for (const frame of frames) folds.decode(frame)
  if (folds.deadLetters > 0)
    io.printNotice(`${folds.deadLetters} records could not be decoded: mintfold decode names them, and verify-tape what is missing`)
  const unplaced = frames.filter(({ placed }) => !placed).length
  io.printNotice(
    `${out}: ${frames.length} frames (${unplaced} of unknown slot) from ${transactions} transactions, ${kept} of them stored in full; ` +
      `${repeated} repeated, ${unread.length} unreadable${assumeComplete ? '; declared complete' : ''}`,
  )
}

export const register: Register = (command, io) => {
  command
    .description(
      'Writes a recording with one frame per slot from the transactions in the files (formats of `decode`, except bare events). For ' +
        'directories written by `export` it checks every file against the manifest (size, SHA-256), then joins the days of the tape into one tape ' +
        'file for replay and verify-tape, from which `export --tape` writes the same day files again. If a directory is invalid, it prints why ' +
        'and writes nothing.',
    )
    .argument('<file...>', 'files of chain data, or directories of day files')
    .requiredOption('--out <recording>', 'the recording or tape to write')
    .option('--chain <chain>', 'the chain to import, if the directories have tapes of several chains (default: the only one)')
    .option('--assume-complete', 'declare that the files have everything about their mints, so that their cards may be full')
    .action((files: string[], options: ImportOptions) => run(files, options, io))
}
