// `mintfold replay`: runs the production folds over recordings or tapes and prints JSON lines ordered by position.
import { Option } from 'commander'
import { escapeHidden } from '../../../../processors/text.ts'
import { comparePositions, formatPosition, type Position, tickOf } from '../../../../schemas/position.ts'
import { printFields, printWithPosition } from '../../../../schemas/print.ts'
import type { ChainEvent } from '../../../../schemas/record-forms.ts'
import type { Chain, Conclusion } from '../../../../schemas/types.ts'
import type { ReplayedFrame } from '../../../runtime/replay.ts'
import { writeTape } from '../../../sources/recording/tape-file.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { type FileProgress, showFileProgress } from '../../output/file-progress.ts'
import { type OddsPrinter, openOddsPrinter } from './odds-printer.ts'
import { fromPosition, toPosition } from './positions.ts'
import { type Batch, type Folds, openReplayFile, type ReplayFile, replayOf } from './replay-file.ts'

interface Options {
  readonly print: 'tape' | 'cards' | 'flags' | 'outcomes' | 'odds'
  readonly model?: string
  readonly from?: Position
  readonly to?: Position
  readonly tapeOut?: string
  readonly assumeComplete?: boolean
}

interface Printing extends Options {
  readonly odds: OddsPrinter | undefined
}

/** The outputs of a replay. */
interface Shown {
  readonly io: Io
  readonly progress: FileProgress
}

export const register: Register = (command, io) => {
  command
    .description(
      'Runs the production folds over recordings (or tape files, or node responses in the formats of import) and prints JSON lines ordered by position; ' +
        'the output is identical on every run.',
    )
    .argument('<files...>', 'recordings, tape files or node responses, oldest first; all of one chain')
    .addOption(new Option('--print <what>', 'what to print').choices(['tape', 'cards', 'flags', 'outcomes', 'odds']).default('flags'))
    .option('--model <file>', 'with --print odds: the model file to score with, as written by train (default: none)')
    .option('--from <position>', 'print from this position on; earlier events are folded too (default: from the first)', fromPosition)
    .option('--to <position>', 'fold and print up to this position; cards show the state there (default: up to the last)', toPosition)
    .option('--assume-complete', 'declare that node responses have everything about their launches, so that their cards may be full')
    .option('--tape-out <file>', 'also write the tape to a file (default: none)')
    .action((files: string[], options: Options) => replay(files, options, io))
}

const replay = async (files: readonly string[], options: Options, io: Io): Promise<void> => {
  const odds = await openOddsPrinter(options)
  const progress = await showFileProgress(io, { what: 'replaying', unit: 'frames' }, files)
  let [frames, unread] = [0, 0]
  const opened = counted(openEach(files, options, { io, progress }), (file) => {
    unread += file.unread
  })
  try {
    const first = await opened.next()
    const { chain } = first.value as ReplayFile
    odds?.check(chain)
    const { codec, folds: make } = replayOf(chain)
    const folds = make()
    const tape = counted(printed(folds, inTurn(first.value as ReplayFile, opened), { ...options, odds }, { io, progress }), () => frames++)
    if (options.tapeOut !== undefined) await writeTape(options.tapeOut, tape, codec)
    else for await (const _ of tape);
    if (options.print === 'cards') {
      progress.hide()
      for (const { evidence } of folds.cards()) await io.out(`${escapeHidden(JSON.stringify(evidence))}\n`)
    }
    io.printNotice(`${frames} frames folded, ${folds.deadLetters + unread} records not decoded`)
  } finally {
    progress.hide()
  }
}

/** Opens each file when it is needed. @throws UsageError if its chain differs from the first file's */
async function* openEach(
  paths: readonly string[],
  { assumeComplete = false }: Options,
  { io, progress }: Shown,
): AsyncGenerator<ReplayFile> {
  let chain: Chain | undefined
  for (const path of paths) {
    const file = await openReplayFile(path, { seen: progress.file(path), printNotice: io.printNotice, assumeComplete })
    chain ??= file.chain
    if (file.chain !== chain)
      throw new UsageError(`${path} is of another chain than ${paths[0]}: replay the files of each chain separately.`)
    yield file
  }
}
async function* inTurn<Item>(first: Item, rest: AsyncIterable<Item>): AsyncIterable<Item> {
  yield first
  yield* rest
}

async function* counted<Item>(items: AsyncIterable<Item>, count: (item: Item) => void): AsyncGenerator<Item> {
  for await (const item of items) {
    count(item)
    yield item
  }
}

/** Prints each frame and yields its tape. */
async function* printed(folds: Folds, files: AsyncIterable<ReplayFile>, options: Printing, { io, progress }: Shown): AsyncIterable<Batch> {
  for await (const replayed of foldAll(folds, files, options)) {
    progress.one()
    const lines = linesOf(replayed, options)
    if (lines.length > 0) progress.hide()
    for (const line of lines) await io.out(`${escapeHidden(JSON.stringify(line))}\n`)
    if (io.stop.aborted) return
    yield replayed.tape
  }
}

async function* foldAll(folds: Folds, files: AsyncIterable<ReplayFile>, { to }: Options): AsyncIterable<ReplayedFrame<ChainEvent>> {
  for await (const file of files) {
    if ('batches' in file)
      for await (const batch of file.batches) {
        if (isAfter(batch, to)) return
        yield folds.batch(upTo(batch, to))
      }
    else
      for await (const frame of file.frames) {
        if (to !== undefined && frame.number > to.number) return
        const replayed = folds.frame(frame)
        if (replayed !== undefined) yield replayed
      }
  }
}

const isAfter = (batch: Batch, to: Position | undefined): boolean => to !== undefined && batch.number > to.number
const upTo = (batch: Batch, to: Position | undefined): Batch =>
  to === undefined ? batch : { ...batch, events: batch.events.filter((event) => comparePositions({ ...batch, ...event }, to) <= 0) }

const linesOf = ({ tape, conclusions }: ReplayedFrame<ChainEvent>, { print, from, to, odds }: Printing): readonly object[] => {
  const within = (at: Position): boolean =>
    (from === undefined || comparePositions(at, from) >= 0) && (to === undefined || comparePositions(at, to) <= 0)
  if (print === 'tape') {
    const events = tape.events.filter((event) => within({ ...tape, ...event })).map((event) => printWithPosition(tape, event))
    const tick = tickOf(tape.chain, tape.number)
    return within(tick) ? [...events, { position: formatPosition(tick), hash8: tape.hash8, type: 'tick', time: tape.time }] : events
  }
  if (odds !== undefined) return odds.of(conclusions).filter(within).map(conclusionLine)
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
