// `mintfold record --source log`: frames that the log of the data directory, or the one on Kafka, still keeps.
import { formatPosition, tickOf } from '../../../../schemas/position.ts'
import type { RawFrame } from '../../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import type { LogReader } from '../../../ports/log.ts'
import { type Bound, framesOfLog, type Kept, keptFrames, type Range, type Stamp } from '../../../sources/recording/log-frames.ts'
import { writeRecording } from '../../../sources/recording/recording-file.ts'
import { type Io, UsageError } from '../../command.ts'
import { parseSettings, withoutApi } from '../../settings/settings.ts'
import { checkSource, DEMO, LOG, type SourceOptions } from '../../settings/source-options.ts'
import { Closing } from '../../start/closing.ts'
import { openReader } from '../../wiring/open-reader.ts'
import type { Edge } from './positions.ts'
import { counted } from './recorded-frames.ts'

export interface RecordLogOptions extends SourceOptions {
  readonly out: string
  readonly from?: Edge
  readonly to?: Edge
}

export const recordLog = async (options: RecordLogOptions, io: Io): Promise<void> => {
  checkSource(options, [LOG])
  const settings = parseSettings(withoutApi(io.env), { source: DEMO })
  await new Closing(io.say).after(async (closing) => {
    const log = await openReader(settings, closing, io)
    const name = settings.kafka === null ? settings.dataDir : 'the log on Kafka'
    await write(log, name, options, io)
  })
}

const write = async (log: LogReader, name: string, options: RecordLogOptions, io: Io): Promise<void> => {
  const { raw } = LAUNCH_RISK.operations.record.reads
  const kept = await keptFrames(log, raw)
  if (kept === undefined)
    throw new UsageError(`${name} keeps no frame: mintfold up or capture brings some, and MINTFOLD_RAW_HOURS says for how long`)
  const range = rangeOf(options, kept)
  io.say(`records frames of ${name}, which keeps ${wordsOf(kept)}`)
  const counts = { frames: 0 }
  let share = 0
  const frames = framesOfLog(log, raw, range, (done) => {
    share = done
  })
  await writeRecording(
    options.out,
    counted(wanted(frames, options, io), counts, () => share, io),
  )
  io.say(`${options.out}: ${counts.frames} frames`)
}

/** The first `options.frames` of them, until a stop. @throws UsageError where there is none */
async function* wanted(
  frames: AsyncIterable<RawFrame>,
  { from, to, frames: framesMax }: RecordLogOptions,
  io: Io,
): AsyncIterable<RawFrame> {
  let whole = 0
  for await (const frame of frames) {
    if (io.stop.aborted) return
    yield frame
    if (frame.part === frame.parts - 1) whole++
    if (whole === framesMax) return
  }
  const limits = [from && `from ${from.text}`, to && `to ${to.text}`].filter((one) => one !== undefined).join(' ')
  if (whole === 0)
    throw new UsageError(`no living frame is kept ${limits}: the chain skipped these slots, or they are a gap; ask for more of them`)
}

/** @throws UsageError for what is not kept, and for an end before the beginning */
const rangeOf = ({ from, to }: RecordLogOptions, kept: Kept): Range => {
  const bounds = { ...(from && { from: boundOf('--from', from, kept) }), ...(to && { to: boundOf('--to', to, kept) }) }
  if (from && to && bounds.from && bounds.to && isBefore(bounds.to, bounds.from))
    throw new UsageError(`--to ${to.text} comes before --from ${from.text}: exchange them`)
  return bounds
}

/** Of two bounds of different kinds it is not known before the frames are read. */
const isBefore = (a: Bound, b: Bound): boolean => a.by === b.by && a.at < b.at

const boundOf = (option: string, { text, at }: Edge, kept: Kept): Bound => {
  const bound = 'position' in at ? ({ by: 'number', at: at.position.number } as const) : agoOf(option, text, at.agoS, kept)
  const { oldest, newest } = kept
  const isKept = bound.at >= (oldest[bound.by] ?? bound.at) && bound.at <= (newest[bound.by] ?? bound.at)
  if (isKept) return bound
  throw new UsageError(`${option} ${text} is outside of what the log keeps, ${wordsOf(kept)}: name a place in it, or leave ${option} out`)
}

const agoOf = (option: string, text: string, agoS: number, { newest }: Kept): Bound => {
  if (newest.time !== null) return { by: 'time', at: newest.time - agoS }
  throw new UsageError(`${option} ${text} is a time, and the newest frame has none: name a position, such as ${placeOf(newest)}`)
}

const wordsOf = ({ oldest, newest }: Kept): string => `${stampWords(oldest)} to ${stampWords(newest)}`
const stampWords = (stamp: Stamp): string =>
  stamp.time === null ? placeOf(stamp) : `${placeOf(stamp)} (${new Date(stamp.time * 1_000).toISOString().replace('.000', '')})`
const placeOf = ({ number }: Stamp): string => formatPosition(tickOf(LAUNCH_RISK.chain.name, number))
