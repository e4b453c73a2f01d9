// `mintfold record --tape`: writes the demo's history as a tape file: hours of market in seconds.
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { handOver } from '../../../sources/hand-over.ts'
import { tapeTap } from '../../../sources/recording/tap.ts'
import { writeTape } from '../../../sources/recording/tape-file.ts'
import { type Io, UsageError } from '../../command.ts'
import { showProgress } from '../../output/progress.ts'
import { DEMO, sourceName } from '../../settings/source-name.ts'
import { checkSource, type SourceOptions } from '../../settings/source-options.ts'
import { openSource } from '../../wiring/open-source.ts'
import type { Edge } from './positions.ts'
import { type Batch, replayOf } from './replay-file.ts'

interface HistoryOptions extends SourceOptions {
  readonly out: string
  readonly from?: Edge
  readonly to?: Edge
}

const HISTORY_HOURS = 6

/** The file gets its name once it is complete. @throws UsageError for another source, and for options of frames */
export const recordHistory = async (options: HistoryOptions, io: Io): Promise<void> => {
  check(options)
  const { history = HISTORY_HOURS, out } = options
  const { chain, sources } = LAUNCH_RISK
  const { codec } = replayOf(chain.name)
  const batches = handOver<Batch>()
  const counts = { frames: 0, share: 0 }
  const log = tapeTap(sources.demo.writes.tape, chain.tape, async (batch) => void (await batches.give(batch)))
  const given = { chain: chain.name, options: { ...options, history } }
  const { source, words } = await openSource(log, given, { dataDir: null, stop: io.stop, folded: () => null })
  io.printNotice(`recording the history of ${words}`)
  const making = Promise.resolve(
    source.prepare?.(({ atS, ofS }) => {
      counts.share = atS / ofS
    }),
  ).then(
    () => batches.end(),
    (failure: unknown) => batches.end(failure),
  )
  const temporaryPath = `${out}.${process.pid}.part`
  try {
    await writeTape(temporaryPath, counted(batches.items, counts, io), codec)
    await rename(temporaryPath, out)
  } finally {
    batches.refuse()
    await making
    if (existsSync(temporaryPath)) await rm(temporaryPath)
  }
  io.printNotice(`${out}: ${counts.frames} frames of ${history} hours${io.stop.aborted ? ', stopped before the end' : ''}`)
}

const check = (options: HistoryOptions): void => {
  checkSource(options)
  const { kind, chain } = sourceName(options.source) ?? {}
  if (kind !== DEMO || (chain !== null && chain !== LAUNCH_RISK.chain.name))
    throw new UsageError(
      `--tape writes the history of --source demo, chain ${LAUNCH_RISK.chain.name}; for other sources use replay FILE --tape-out`,
    )
  if (options.frames !== undefined || options.from !== undefined || options.to !== undefined)
    throw new UsageError('--frames, --from and --to cannot be used with --tape, which writes no frames: use --history HOURS')
  if (options.history === 0) throw new UsageError('--history 0 has nothing to write: give a number of hours, such as 6')
}

async function* counted(items: AsyncIterable<Batch>, counts: { frames: number; readonly share: number }, io: Io): AsyncGenerator<Batch> {
  const progress = showProgress(io, { what: 'recording', unit: 'frames' })
  try {
    for await (const item of items) {
      progress.at(++counts.frames, counts.share)
      yield item
    }
  } finally {
    progress.hide()
  }
}
