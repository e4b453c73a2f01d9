// `mintfold replay`: the production folds over recordings or tapes, as JSON lines ordered by position.
import { Option } from 'commander'
import { escapeHidden } from '../../../../processors/text.ts'
import { comparePositions, formatPosition, type Position, tickOf } from '../../../../schemas/position.ts'
import { printFields, printPlaced } from '../../../../schemas/print.ts'
import type { Conclusion, TapeBatch } from '../../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { Replay, type ReplayedFrame } from '../../../runtime/replay.ts'
import { readRecording } from '../../../sources/recording/recording-file.ts'
import { isTapeFile, readTape, writeTape } from '../../../sources/recording/tape-file.ts'
import type { Io, Register } from '../../command.ts'
import { type FileProgress, showFileProgress } from '../../output/file-progress.ts'
import { fromPosition, toPosition } from './positions.ts'

interface Options {
  readonly print: 'tape' | 'cards' | 'flags' | 'outcomes'
  readonly from?: Position
  readonly to?: Position
  readonly tapeOut?: string
}

/** Where a replay shows what it does. */
interface Shown {
  readonly io: Io
  readonly progress: FileProgress
}

export const register: Register = (command, io) => {
  command
    .description('the production folds over recordings (or tape files): JSON lines ordered by position, the same bytes on every run')
    .argument('<files...>', 'recordings or tape files, oldest first')
    .addOption(new Option('--print <what>', 'what to print').choices(['tape', 'cards', 'flags', 'outcomes']).default('flags'))
    .option('--from <position>', 'print from this position on; everything is folded all the same (default: the first)', fromPosition)
    .option('--to <position>', 'fold and print up to this position; cards are those of that moment (default: the last)', toPosition)
    .option('--tape-out <file>', 'also write the tape to a file (default: none)')
    .action((files: string[], options: Options) => replay(files, options, io))
}

const replay = async (files: readonly string[], options: Options, io: Io): Promise<void> => {
  const folds = new Replay(LAUNCH_RISK)
  const progress = await showFileProgress(io, { what: 'replays', unit: 'frames' }, files)
  let frames = 0
  try {
    const tape = counted(printed(folds, files, options, { io, progress }), () => frames++)
    if (options.tapeOut !== undefined) await writeTape(options.tapeOut, tape)
    else for await (const _ of tape);
  } finally {
    progress.hide()
  }
  if (options.print === 'cards') for (const { evidence } of folds.cards()) await io.out(`${escapeHidden(JSON.stringify(evidence))}\n`)
  io.say(`${frames} frames folded, ${folds.deadLetters} records not understood`)
}

async function* counted<Item>(items: AsyncIterable<Item>, count: () => void): AsyncIterable<Item> {
  for await (const item of items) {
    count()
    yield item
  }
}

/** Prints each frame and passes its tape on. */
async function* printed(folds: Replay, files: readonly string[], options: Options, { io, progress }: Shown): AsyncIterable<TapeBatch> {
  for await (const replayed of foldAll(folds, files, options, progress)) {
    progress.one()
    const lines = linesOf(replayed, options)
    if (lines.length > 0) progress.hide()
    for (const line of lines) await io.out(`${escapeHidden(JSON.stringify(line))}\n`)
    if (io.stop.aborted) return
    yield replayed.tape
  }
}

async function* foldAll(folds: Replay, files: readonly string[], { to }: Options, progress: FileProgress): AsyncIterable<ReplayedFrame> {
  for (const file of files) {
    const seen = progress.file(file)
    if (await isTapeFile(file)) {
      for await (const batch of readTape(file, seen)) {
        if (isAfter(batch, to)) return
        yield folds.batch(upTo(batch, to))
      }
    } else
      for await (const frame of readRecording(file, seen)) {
        if (to !== undefined && frame.number > to.number) return
        const replayed = folds.frame(frame)
        if (replayed !== undefined) yield replayed
      }
  }
}

const isAfter = (batch: TapeBatch, to: Position | undefined): boolean => to !== undefined && batch.number > to.number
const upTo = (batch: TapeBatch, to: Position | undefined): TapeBatch =>
  to === undefined ? batch : { ...batch, events: batch.events.filter((event) => comparePositions({ ...batch, ...event }, to) <= 0) }

const linesOf = ({ tape, conclusions }: ReplayedFrame, { print, from, to }: Options): readonly object[] => {
  const within = (at: Position): boolean =>
    (from === undefined || comparePositions(at, from) >= 0) && (to === undefined || comparePositions(at, to) <= 0)
  if (print === 'tape') {
    const events = tape.events.filter((event) => within({ ...tape, ...event })).map((event) => printPlaced(tape, event))
    const tick = tickOf(tape.chain, tape.number)
    return within(tick) ? [...events, { position: formatPosition(tick), hash8: tape.hash8, type: 'tick', time: tape.time }] : events
  }
  const wanted = print === 'flags' ? 'finding' : 'outcome'
  return conclusions.filter((one) => one.body.type === wanted && within(one)).map(conclusionLine)
}

const conclusionLine = (conclusion: Conclusion): object => {
  const { id, at, body } = conclusion
  const fields = printFields(body)
  return {
    position: formatPosition(conclusion),
    id,
    at,
    ...fields,
    ...('evidence' in body && { evidence: JSON.parse(body.evidence) as unknown }),
  }
}
