// `mintfold record --out RECORDING`: records a source, or the frames that mintfold's log keeps, for replay. Changes no data directory.
import type { RawFrame } from '../../../../schemas/types.ts'
import { DEMO_BOUNDS, LAUNCH_RISK, topologyOf } from '../../../launch-risk.ts'
import { handOver } from '../../../sources/hand-over.ts'
import { writeRecording } from '../../../sources/recording/recording-file.ts'
import { createTap } from '../../../sources/recording/tap.ts'
import type { Source } from '../../../sources/source.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { createLogger, noticesTo } from '../../output/logger.ts'
import { parseSettings, withoutApi } from '../../settings/settings.ts'
import { DEMO, LIVE, LOG, sourceName } from '../../settings/source-name.ts'
import { addSourceOptions, checkSource, framesOf, type SourceOptions } from '../../settings/source-options.ts'
import { chainsPlayed, openSource } from '../../wiring/open-source.ts'
import { type Edge, fromEdge, toEdge } from './positions.ts'
import { recordHistory } from './record-history.ts'
import { recordLog } from './record-log.ts'
import { counted } from './recorded-frames.ts'

interface Options extends SourceOptions {
  readonly out: string
  readonly tape?: boolean
  readonly from?: Edge
  readonly to?: Edge
}

/** Recordings are repeatable: the same options give the same frames. */
const FIXED_START = new Date(DEMO_BOUNDS.PACED_FROM_MS).toISOString().replace('.000', '')
/** Sources that `up` does not accept. */
const MORE = [LOG]

export const register: Register = (command, io) => {
  command
    .description(
      'Writes the frames of a source to a recording until it has N frames, the source ends, or Ctrl-C; the frames so far are kept. Frames ' +
        'are written once they are final, so those of orphaned forks are not included. The file ' +
        'gets its name once it is complete. --source log records the frames that the log of the data directory (or Kafka) keeps, ' +
        'also while mintfold runs. --tape writes the history of the demo as a tape file: hours of market in seconds.',
    )
    .requiredOption('--out <recording>', 'the recording to write')
    .option('--frames <n>', 'end after n frames (default: when the source ends)', framesOf)
    .option(
      '--from <position>',
      `with --source log: begin with this frame, such as ${LAUNCH_RISK.chain.name}:332254908, or this long before the newest frame, such as -1h or -30m (default: the oldest)`,
      fromEdge,
    )
    .option('--to <position>', 'with --source log: end with this frame, written as for --from (default: the newest)', toEdge)
    .option('--tape', 'with --source demo: write its history (--history, by default 6 hours) as a tape file instead of frames')
  addSourceOptions(command, { verb: 'record', historyHours: 0, startDefault: FIXED_START, more: MORE }).action((options: Options) => {
    if (options.tape === true) return recordHistory(options, io)
    return sourceName(options.source)?.kind === LOG ? recordLog(options, io) : record(options, io)
  })
}

const record = async (options: Options, io: Io): Promise<void> => {
  checkSource(options, MORE)
  if (options.from !== undefined || options.to !== undefined) throw new UsageError('--from and --to can only be used with --source log')
  const { frames: _living, ...rest } = options
  const enough = new AbortController()
  const stop = AbortSignal.any([io.stop, enough.signal])
  const frames = handOver<RawFrame>()
  let taken: number | null = null
  const take = takerOf(frames, options.frames, enough)
  const { nodes, notice } = nodesOf(options.source, io)
  const [chain = LAUNCH_RISK.chain.name] = await chainsPlayed(options, nodes)
  const { raw } = topologyOf(chain).operations.record.reads
  const tap = createTap(raw, async (frame) => {
    await take(frame)
    taken = frame.number
  })
  const ground = { dataDir: null, stop, folded: () => taken, notice, waitsForChecks: true }
  const { source, words } = await openSource(tap.log, { ...nodes, chain, options: { history: 0, ...rest } }, ground)
  io.printNotice(`recording ${words}`)
  const sending = send(source)
    .then(() => tap.end())
    .then(
      () => frames.end(),
      (failure: unknown) => frames.end(failure),
    )
  const counts = { frames: 0 }
  try {
    await writeRecording(
      options.out,
      counted(frames.items, counts, (count) => (options.frames === undefined ? undefined : count / options.frames), io),
    )
  } finally {
    frames.refuse()
    enough.abort()
    await sending
  }
  io.printNotice(`${options.out}: ${counts.frames} frames`)
}

/** The nodes of the settings and the notices about their failures; a demo and a recording need no node. */
const nodesOf = (source: string, io: Io) => {
  const settings = parseSettings(withoutApi(io.env), { source: sourceName(source)?.kind === LIVE ? source : DEMO })
  const notice = noticesTo(createLogger({ logLevel: settings.logLevel, terminal: io.terminal }))
  return { nodes: settings, notice }
}

/** Everything before the first frame (the history of the demo) is discarded. */
const send = async (source: Source): Promise<void> => {
  await source.prepare?.(() => {})
  await source.run()
}

/** A frame in parts counts with its last part; frames after the last requested one are dropped. */
const takerOf = (frames: ReturnType<typeof handOver<RawFrame>>, framesMax = Number.POSITIVE_INFINITY, enough: AbortController) => {
  let whole = 0
  return async (frame: RawFrame): Promise<void> => {
    if (whole >= framesMax) return
    if (frame.part === frame.parts - 1) whole++
    const isWanted = await frames.give(frame)
    if (isWanted && whole < framesMax) return
    enough.abort()
    frames.end()
  }
}
