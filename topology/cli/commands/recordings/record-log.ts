// `mintfold record --source log`: records the frames that the log of the data directory, or Kafka, still keeps.
import { formatPosition, tickOf } from '../../../../schemas/position.ts'
import type { Chain, RawFrame } from '../../../../schemas/types.ts'
import { LAUNCH_RISK, topologyOf } from '../../../launch-risk.ts'
import type { LogReader } from '../../../ports/log.ts'
import { type Bound, framesOfLog, type Kept, keptFrames, type Range, type Stamp } from '../../../sources/recording/log-frames.ts'
import { writeRecording } from '../../../sources/recording/recording-file.ts'
import { type Io, UsageError } from '../../command.ts'
import { parseSettings, withoutApi } from '../../settings/settings.ts'
import { DEMO, LOG, sourceName } from '../../settings/source-name.ts'
import { checkSource, type SourceOptions } from '../../settings/source-options.ts'
import { Closing } from '../../start/closing.ts'
import { openReader } from '../../wiring/open-reader.ts'
import type { Edge } from './positions.ts'
import { counted } from './recorded-frames.ts'

export interface RecordLogOptions extends SourceOptions {
  readonly out: string
  readonly from?: Edge
  readonly to?: Edge
}

interface KeptOf extends Kept {
  readonly chain: Chain
}

export const recordLog = async (options: RecordLogOptions, io: Io): Promise<void> => {
  checkSource(options, [LOG])
  const settings = parseSettings(withoutApi(io.env), { source: DEMO })
  await new Closing(io.printNotice).after(async (closing) => {
    const log = await openReader(settings, closing, io)
    const name = settings.kafka === null ? settings.dataDir : 'the log on Kafka'
    await write(log, name, options, io)
  })
}

const write = async (log: LogReader, name: string, options: RecordLogOptions, io: Io): Promise<void> => {
  const { chain, operations } = topologyOf(sourceName(options.source)?.chain ?? LAUNCH_RISK.chain.name)
  const { raw } = operations.record.reads
  const frames = await keptFrames(log, raw)
  if (frames === undefined)
    throw new UsageError(`${name} has no frames: run mintfold up or capture; MINTFOLD_RAW_HOURS sets how long frames are kept`)
  const kept = { chain: chain.name, ...frames }
  const range = rangeOf(options, kept)
  io.printNotice(`recording frames of ${name}, which keeps ${wordsOf(kept)}`)
  const counts = { frames: 0 }
  let share = 0
  const read = framesOfLog(log, raw, range, (done) => {
    share = done
  })
  await writeRecording(
    options.out,
    counted(wanted(read, options, io), counts, () => share, io),
  )
  io.printNotice(`${options.out}: ${counts.frames} frames`)
}

/** Stops after `options.frames` whole frames, or at the stop signal. @throws UsageError if there is no frame */
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
  const limits = [from && ` from ${from.text}`, to && ` to ${to.text}`].filter((one) => one !== undefined).join('')
  if (whole === 0)
    throw new UsageError(
      `no frame of the canonical branch is kept${limits}: the chain skipped these slots, or they are a gap; widen the range`,
    )
}

/** @throws UsageError for a bound outside the kept range, and for an end before the start */
const rangeOf = ({ from, to }: RecordLogOptions, kept: KeptOf): Range => {
  const bounds = { ...(from && { from: boundOf('--from', from, kept) }), ...(to && { to: boundOf('--to', to, kept) }) }
  if (from && to && bounds.from && bounds.to && isBefore(bounds.to, bounds.from))
    throw new UsageError(`--to ${to.text} is before --from ${from.text}: swap them`)
  return bounds
}

/** Bounds of different kinds can only be compared once the frames are read. */
const isBefore = (a: Bound, b: Bound): boolean => a.by === b.by && a.at < b.at

const boundOf = (option: string, { text, at }: Edge, kept: KeptOf): Bound => {
  if ('position' in at && at.position.chain !== kept.chain)
    throw new UsageError(`${option} ${text} is a position of the chain ${at.position.chain}: use --source log:${at.position.chain}`)
  const bound = 'position' in at ? ({ by: 'number', at: at.position.number } as const) : agoOf(option, text, at.agoS, kept)
  const { oldest, newest } = kept
  const isKept = bound.at >= (oldest[bound.by] ?? bound.at) && bound.at <= (newest[bound.by] ?? bound.at)
  if (isKept) return bound
  throw new UsageError(`${option} ${text} is outside the kept range, ${wordsOf(kept)}: use a position in it, or omit ${option}`)
}

const agoOf = (option: string, text: string, agoS: number, { chain, newest }: KeptOf): Bound => {
  if (newest.time !== null) return { by: 'time', at: newest.time - agoS }
  throw new UsageError(`${option} ${text} is a time, but the newest frame has none: use a position, such as ${placeOf(chain, newest)}`)
}

const wordsOf = ({ chain, oldest, newest }: KeptOf): string => `${stampWords(chain, oldest)} to ${stampWords(chain, newest)}`
const stampWords = (chain: Chain, stamp: Stamp): string =>
  stamp.time === null
    ? placeOf(chain, stamp)
    : `${placeOf(chain, stamp)} (${new Date(stamp.time * 1_000).toISOString().replace('.000', '')})`
const placeOf = (chain: Chain, { number }: Stamp): string => formatPosition(tickOf(chain, number))
