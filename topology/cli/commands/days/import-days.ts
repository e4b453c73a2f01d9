// `mintfold import DIR... --out TAPE`: checks directories of day files and joins them into one tape file.
import { rename, rm } from 'node:fs/promises'
import { hasCode, type Parsed } from '../../../../schemas/errors.ts'
import type { Chain } from '../../../../schemas/types.ts'
import { type CheckedDirectory, checkFiles, readManifest } from '../../../operations/export/check.ts'
import { joinTapes, tapeChains } from '../../../operations/export/join-tapes.ts'
import type { Batch } from '../../../operations/export/tape/canonical-tape.ts'
import { readTape, writeTape } from '../../../sources/recording/tape-file.ts'
import { unwritable } from '../../../sources/recording/unreadable.ts'
import { type Io, UsageError } from '../../command.ts'
import { showProgress } from '../../output/progress.ts'
import { replayOf, tapeFileOf } from '../recordings/replay-file.ts'

export interface ImportDaysOptions {
  readonly out: string
  readonly chain?: string
}

/** @throws UsageError for an invalid directory, EngineError `file_unreadable` */
export const importDays = async (dirs: readonly string[], { out, chain: asked }: ImportDaysOptions, io: Io): Promise<void> => {
  const directories = await checked(dirs, io)
  if (directories === undefined) return stopped(out, io)
  const chain = chainOf(directories, asked)
  const days = must(joinTapes(directories, chain))
  const counts = { frames: 0, events: 0 }
  const files = days.map(({ file }) => file)
  const progress = showProgress(io, { what: `writes ${out}`, unit: 'frames' })
  const temporaryPath = `${out}.${process.pid}.part`
  try {
    for (const file of files) if ((await tapeFileOf(file))?.chain !== chain) throw new UsageError(`${file} is not a tape of ${chain}`)
    const all = days.reduce((sum, { rows }) => sum + rows, 0)
    const seen = (): void => progress.at(counts.frames, all === 0 ? undefined : counts.frames / all)
    await writeTape(temporaryPath, framesIn(files, chain, counts, seen, io.stop), replayOf(chain).codec)
    if (io.stop.aborted) return stopped(out, io)
    await rename(temporaryPath, out).catch((cause: unknown) => {
      throw unwritable(out, cause)
    })
  } catch (failure) {
    throw hasCode(failure, 'torn_recording', 'not_a_recording') ? new UsageError(failure.message) : failure
  } finally {
    progress.hide()
    await rm(temporaryPath, { force: true })
  }
  io.printNotice(
    `${out}: ${counts.frames} frames, ${counts.events} events of ${days.length} days of ${chain}; all files of ${dirs.join(', ')} match their manifests`,
  )
}

const stopped = (out: string, io: Io): void => {
  io.printNotice(`stopped: ${out} was not written`)
  io.setExitCode(1)
}

const must = <T>(parsed: Parsed<T>): T => {
  if (parsed.ok) return parsed.value
  throw new UsageError(parsed.reason)
}

/** Checks every directory; undefined if the command was stopped. */
const checked = async (dirs: readonly string[], io: Io): Promise<readonly CheckedDirectory[] | undefined> => {
  const directories: CheckedDirectory[] = []
  for (const dir of dirs) directories.push(must(await readManifest(dir)))
  const progress = showProgress(io, { what: 'checks', unit: 'MB' })
  const all = directories.flatMap(({ manifest }) => manifest.files).reduce((sum, { bytes }) => sum + bytes, 0)
  let bytes = 0
  try {
    for (const directory of directories)
      must(
        await checkFiles(
          directory,
          (more) => {
            bytes += more
            progress.at(Math.round(bytes / 1e6), all === 0 ? undefined : bytes / all)
          },
          io.stop,
        ),
      )
  } finally {
    progress.hide()
  }
  return io.stop.aborted ? undefined : directories
}

const chainOf = (directories: readonly CheckedDirectory[], asked: string | undefined): Chain => {
  const chains = tapeChains(directories)
  const [only] = chains
  if (only === undefined) throw new UsageError('the directories have no tape')
  const chain = asked === undefined ? only : chains.find((one) => one === asked)
  if (chain === undefined) throw new UsageError(`--chain ${asked}: the directories have only the tape of ${chains.join(' and ')}`)
  if (asked === undefined && chains.length > 1)
    throw new UsageError(`the directories have the tapes of ${chains.join(' and ')}: choose one with --chain`)
  return chain
}

/** @throws UsageError if frames are out of order */
async function* framesIn(
  files: readonly string[],
  chain: Chain,
  counts: { frames: number; events: number },
  seen: () => void,
  stop: AbortSignal,
): AsyncGenerator<Batch> {
  let last = -1
  for (const file of files)
    for await (const batch of readTape(file, replayOf(chain).codec)) {
      if (stop.aborted) return
      if (batch.number <= last)
        throw new UsageError(`${file} has frame ${batch.number} after frame ${last}: it belongs to another branch or chain`)
      last = batch.number
      counts.frames++
      counts.events += batch.events.length
      seen()
      yield batch
    }
}
