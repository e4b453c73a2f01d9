// `mintfold import FILE... --out RECORDING`: recorded RPC answers to frames that can be folded and replayed; directories of day files to a tape.
import { stat } from 'node:fs/promises'
import { splitFrame } from '../../../../processors/chains/frame-parts.ts'
import type { OpenFile } from '../../../sources/recording/chain-files.ts'
import { writeRecording } from '../../../sources/recording/recording-file.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { showProgress } from '../../output/progress.ts'
import { type ImportDaysOptions, importDays } from '../days/import-days.ts'
import { openChainFile } from './decode.ts'

interface ImportOptions extends ImportDaysOptions {
  readonly assumeComplete?: boolean
}

const run = async (paths: readonly string[], options: ImportOptions, io: Io): Promise<void> => {
  const directories = await Promise.all(paths.map(isDirectory))
  const other = paths[directories.indexOf(!directories[0])]
  if (other !== undefined)
    throw new UsageError(`${other} and ${paths[0]} are a file and a directory: import files of chain data, or directories of day files`)
  if (directories[0] !== true) {
    if (options.chain !== undefined) throw new UsageError('--chain is for directories of day files: files of chain data tell their chain')
    return importFiles(paths, options, io)
  }
  if (options.assumeComplete) throw new UsageError('--assume-complete is for files of chain data: day files say what was captured')
  return importDays(paths, options, io)
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

const readFiles = async (paths: readonly string[], io: Io): Promise<OpenFile[]> => {
  const files: OpenFile[] = []
  const progress = showProgress(io, { what: 'reads', unit: 'files' })
  try {
    for (const [index, path] of paths.entries()) {
      const open = await openChainFile(path)
      const { events, notes } = open.file
      if (files.some(({ frames }) => frames !== open.frames))
        throw new UsageError(`${path} is of another chain than ${paths[0]}: import the files of each chain on their own.`)
      if (events.length > 0) throw new UsageError(`${path} holds events without their transactions: decode reads it, import cannot.`)
      if (notes.length > 0) progress.hide()
      for (const note of notes) io.say(note)
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
  const unread = blocks.flatMap(({ errors }) => errors)
  for (const { index, reason } of unread) io.say(`left out: transaction ${index ?? 'of unknown place'}: ${reason}`)
  if (frames.length === 0) throw new UsageError('The files hold no transaction that can be read.')
  await writeRecording(out, frames.flatMap(splitFrame))
  const unplaced = frames.filter(({ placed }) => !placed).length
  io.say(
    `${out}: ${frames.length} frames (${unplaced} of unknown slot) from ${transactions} transactions, ${kept} of them kept whole; ` +
      `${repeated} repeated, ${unread.length} unreadable${assumeComplete ? '; vouched complete' : ''}`,
  )
}

export const register: Register = (command, io) => {
  command
    .description(
      'Makes one frame per slot of the transactions in the files (what `decode` reads, except events on their own) and writes a recording. Of ' +
        'directories that `export` made it checks every file against the manifest (size, SHA-256), then joins the days of the tape to one tape ' +
        'file, which replay and verify-tape read and `export --tape` makes the same day files of. What is wrong with a directory is named, ' +
        'and nothing is written.',
    )
    .argument('<file...>', 'files of chain data, or directories of day files')
    .requiredOption('--out <recording>', 'where to write the recording, or the tape')
    .option('--chain <chain>', 'of directories with the tapes of several chains: which one (default: the only one)')
    .option('--assume-complete', 'you vouch that the files hold everything about their mints, so that their cards may be full')
    .action((files: string[], options: ImportOptions) => run(files, options, io))
}
