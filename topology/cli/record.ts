// `mintfold record --out RECORDING`: what a source sends, kept for replay. Touches no data directory.
import type { Command } from 'commander'
import type { RawFrame } from '../../schemas/types.ts'
import { handOver } from '../sources/hand-over.ts'
import { writeRecording } from '../sources/recording-file.ts'
import type { Source } from '../sources/source.ts'
import { createTap } from '../sources/tap.ts'
import type { Io, Register } from './command.ts'
import { createLogger, noticesTo } from './logger.ts'
import { openSource } from './open-source.ts'
import { showProgress } from './progress.ts'
import { parseSettings, withoutApi } from './settings.ts'
import { addSourceOptions, checkSource, framesOf, LIVE, type SourceOptions } from './source-options.ts'

interface Options extends SourceOptions {
  readonly out: string
}

export const registerRecord: Register = (program: Command, io: Io) => {
  const command = program
    .command('record')
    .summary('what a source sends, kept for replay')
    .description(
      'Writes the frames of a source to a recording until N frames are there, the source ends, or Ctrl-C; what came until then is kept. What a ' +
        'fork takes back is left out: frames are written once the chain is sure of them. The file ' +
        'appears under its name when it is whole.',
    )
    .requiredOption('--out <recording>', 'where to write the recording')
    .option('--frames <n>', 'end after so many frames (default: when the source ends)', framesOf)
  addSourceOptions(command, 'record', 0).action((options: Options) => record(options, io))
}

const record = async (options: Options, io: Io): Promise<void> => {
  checkSource(options)
  const { frames: _living, ...rest } = options
  const enough = new AbortController()
  const stop = AbortSignal.any([io.stop, enough.signal])
  const frames = handOver<RawFrame>()
  let taken: number | null = null
  const take = takerOf(frames, options.frames, enough)
  const tap = createTap(async (frame) => {
    await take(frame)
    taken = frame.number
  })
  const ground = { dataDir: null, stop, folded: () => taken }
  const { source, words } = await (options.source === LIVE
    ? openSource(tap.log, rest, { ...ground, ...liveGround(io), waitsForChecks: true })
    : openSource(tap.log, { history: 0, ...rest }, ground))
  io.say(`records ${words}`)
  const sending = send(source)
    .then(() => tap.end())
    .then(
      () => frames.end(),
      (failure: unknown) => frames.end(failure),
    )
  const counts = { frames: 0 }
  try {
    await writeRecording(options.out, counted(frames.items, counts, options.frames, io))
  } finally {
    frames.refuse()
    enough.abort()
    await sending
  }
  io.say(`${options.out}: ${counts.frames} frames`)
}

/** The nodes to ask, and where their troubles are told. */
const liveGround = (io: Io) => {
  const { live, logLevel } = parseSettings(withoutApi(io.env), { source: LIVE })
  return { live, notice: noticesTo(createLogger({ logLevel, terminal: io.terminal })) }
}

/** What comes before the first frame (the history of the demo) goes nowhere. */
const send = async (source: Source): Promise<void> => {
  await source.prepare?.(() => {})
  await source.run()
}

/** A frame in parts counts with its last one; what comes after the last frame asked for is not wanted. */
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

async function* counted(
  items: AsyncIterable<RawFrame>,
  counts: { frames: number },
  framesMax: number | undefined,
  io: Io,
): AsyncIterable<RawFrame> {
  const progress = showProgress(io, { what: 'records', unit: 'frames' })
  try {
    for await (const frame of items) {
      if (frame.part === frame.parts - 1) counts.frames++
      progress.at(counts.frames, framesMax === undefined ? undefined : counts.frames / framesMax)
      yield frame
    }
  } finally {
    progress.hide()
  }
}
