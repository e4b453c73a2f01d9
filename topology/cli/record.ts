// `mintfold record --out RECORDING`: what a source sends, kept for replay. Touches no data directory.
import { type Command, InvalidArgumentError } from 'commander'
import type { RawFrame } from '../../schemas/types.ts'
import { handOver } from '../sources/hand-over.ts'
import { writeRecording } from '../sources/recording-file.ts'
import type { Source } from '../sources/source.ts'
import { createTap } from '../sources/tap.ts'
import type { Io, Register } from './command.ts'
import { checkSource, openSource, rateOf, type SourceOptions, seedOf, speedOf, startOf } from './open-source.ts'
import { showProgress } from './progress.ts'

const FRAMES_MAX = 1_000_000_000

interface Options extends SourceOptions {
  readonly out: string
  readonly frames?: number
}

const count = (text: string): number => {
  const value = Number(text)
  if (!(Number.isInteger(value) && value >= 1 && value <= FRAMES_MAX))
    throw new InvalidArgumentError(`a whole number from 1 to ${FRAMES_MAX}`)
  return value
}

export const registerRecord: Register = (program: Command, io: Io) => {
  program
    .command('record')
    .summary('what a source sends, kept for replay')
    .description(
      'Writes the frames of a source to a recording until N frames are there, the source ends, or Ctrl-C; what came until then is kept. The file ' +
        'appears under its name when it is whole.',
    )
    .requiredOption('--out <recording>', 'where to write the recording')
    .option('--source <source>', 'what to record: demo or recording:PATH', 'demo')
    .option('--speed <n>', 'stream seconds per second, or max (demo: 1, recording: max)', speedOf)
    .option('--seed <n>', 'of the demo: the same seed and start give the same market', seedOf)
    .option('--start <time>', 'of the demo: when its paced part begins, unix seconds or an ISO date', startOf)
    .option('--rate <n>', 'of the demo: 1 is a tenth of the load of today', rateOf)
    .option('--frames <n>', 'end after so many frames', count)
    .action((options: Options) => record(options, io))
}

const record = async (options: Options, io: Io): Promise<void> => {
  checkSource(options)
  const enough = new AbortController()
  const stop = AbortSignal.any([io.stop, enough.signal])
  const frames = handOver<RawFrame>()
  let taken: number | null = null
  const take = takerOf(frames, options.frames, enough)
  const tap = createTap(async (frame) => {
    await take(frame)
    taken = frame.number
  })
  const { source, words } = await openSource(tap, options, { dataDir: null, stop, folded: () => taken })
  io.say(`records ${words}`)
  const sending = send(source).then(
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
