// `mintfold dev DETECTOR.ts`: runs a detector over the newest hours of a tape each time its file is saved.
import { resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { checkTypes } from '../../../backtest/detector-file/type-check.ts'
import { DetectorThread } from '../../../backtest/dev/detector-thread.ts'
import { KEPT_BYTES_MAX, Stretch } from '../../../backtest/dev/stretch.ts'
import type { SeenRows } from '../../../backtest/trials/market.ts'
import { TOPOLOGIES } from '../../../launch-risk.ts'
import { stopped, yieldToEventLoop } from '../../../waiting/waiting.ts'
import type { Io, Register } from '../../command.ts'
import { portOf } from '../../settings/settings-values.ts'
import { Closing } from '../../start/closing.ts'
import { DETECTOR_THREAD } from '../../threads/threads.ts'
import { type BacktestChain, OF_CURVES, OF_MINTS } from '../backtest/chains.ts'
import type { Batch } from '../recordings/replay-file.ts'
import { type Feed, type FeedOptions, openFeed } from './feed.ts'
import { documentOf, mainOf, type Read } from './page.ts'
import { Printer } from './printer.ts'
import { servePage } from './serve-page.ts'
import { Session } from './session.ts'
import { watchSources } from './watch.ts'

const PORT = 8405
const HOURS = 6
const HOURS_MAX = 48
const DAY_S = 86_400
const HOUR_S = 3_600
/** Time budget between two yields to the event loop while the tape is read. */
const SLICE_MS = 20
/** Interval of partial results while the tape is read. */
const PARTLY_MS = 2_000

interface Options extends FeedOptions {
  readonly port: number
  readonly delayS: number
}

export const register: Register = (command, io) => {
  command
    .description(
      'Shows what your own detector finds in the newest hours of a tape, and updates whenever you save its file (or one that it ' +
        'imports): in the terminal and on a local web page, with the changes since the previous save, type errors with file and line, and ' +
        'its precision and recall against the outcomes of the same launches. The folds run only once. Ctrl-C ends it.',
    )
    .argument('<detector>', 'the detector, a TypeScript file (see the guide backtest.md)')
    .option('--in <files...>', 'recordings or tape files, oldest first (default: the log, which it follows)')
    .addOption(
      new Option('--chain <chain>', 'the chain to read from the log')
        .choices(TOPOLOGIES.map(({ chain }) => chain.name))
        .default(OF_MINTS.chain),
    )
    .option(
      '--hours <n>',
      `launches of the last n hours of the tape; beyond ${KEPT_BYTES_MAX / 1_048_576} MiB of rows it drops the oldest, with a notice`,
      hoursOf,
      HOURS,
    )
    .option('--delay-s <n>', 'seconds from a finding until somebody can act on it: an earlier rug counts as late', delayOf, 0)
    .option('--port <port>', 'port of the page on 127.0.0.1; 0 picks a free one', portOf, PORT)
    .action((path: string, options: Options) => dev(resolve(path), options, io))
}

const hoursOf = (text: string): number => {
  const hours = Number(text)
  if (text.trim() === '' || !(hours > 0 && hours <= HOURS_MAX))
    throw new InvalidArgumentError(`a number of hours above 0, up to ${HOURS_MAX}`)
  return hours
}
const delayOf = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > DAY_S) throw new InvalidArgumentError(`a whole number from 0 to ${DAY_S}`)
  return Number(text)
}

const dev = (path: string, options: Options, io: Io): Promise<void> =>
  new Closing(io.printNotice).after(async (closing) => {
    const feed = await openFeed(options, closing, io)
    await (feed.chain === OF_MINTS.chain
      ? follow(OF_MINTS, feed, path, options, closing, io)
      : follow(OF_CURVES, feed, path, options, closing, io))
  })

const follow = async <Rows extends SeenRows>(
  of: BacktestChain<Rows>,
  feed: Feed,
  path: string,
  options: Options,
  closing: Closing,
  io: Io,
): Promise<void> => {
  const stretch = new Stretch<Rows, Batch>({ of: of.of, market: of.market, folds: of.folds, keptS: options.hours * HOUR_S })
  const read = { path, words: feed.words, doing: 'reading' as Read['doing'], look: commandOf(options, of) }
  const readNow = (): Read => ({ ...read, isShortened: stretch.isShortened })
  const printer = new Printer(io)
  const asker = new DetectorThread({
    ...{ entry: DETECTOR_THREAD, path, chain: feed.chain, delayS: options.delayS },
    receive: (told) => session.receive(told),
  })
  closing.add('detector', () => asker.end())
  const session: Session = new Session({
    ask: () => asker.evaluate(stretch.kept()),
    more: () => asker.extend(stretch.kept()),
    check: () => checkTypes(path, undefined, io.stop),
    changed: (view, why) => {
      page.changed()
      printer.show(view, why)
    },
  })
  const page = await servePage({
    port: options.port,
    document: () => documentOf(readNow(), session.view).toString(),
    main: () => mainOf(readNow(), session.view).toString(),
  })
  closing.add('page', () => page.close())
  const watching = watchSources(path, () => session.saved())
  closing.add('files', async () => watching.end())
  io.printNotice(`the page: ${page.url}`)
  session.saved()
  await readAll(
    feed,
    (batch) => stretch.take(batch),
    () => session.arrived(),
    io,
  )
  if (io.stop.aborted) return
  read.doing = feed.later === undefined ? 'read' : 'following'
  printer.wholeAt = stretch.kept().to
  if (stretch.isShortened) io.printNotice('the memory for rows is full: the oldest launches were dropped')
  session.arrived()
  for await (const bunch of feed.later ?? []) {
    for (const batch of bunch) stretch.take(batch)
    session.arrived()
  }
  await stopped(io.stop)
}

/** Calls `partly` every PARTLY_MS with the rows read so far. */
const readAll = async ({ batches }: Feed, take: (batch: Batch) => void, partly: () => void, { stop }: Io): Promise<void> => {
  let [sliceMs, partlyMs] = [performance.now(), performance.now()]
  for await (const batch of batches) {
    take(batch)
    const now = performance.now()
    if (now - sliceMs < SLICE_MS) continue
    if (now - partlyMs > PARTLY_MS) {
      partly()
      partlyMs = now
    }
    await yieldToEventLoop()
    if (stop.aborted) return
    sliceMs = performance.now()
  }
}

/** The command that shows a launch. */
const commandOf =
  <Rows extends SeenRows>({ in: files }: Pick<Options, 'in'>, { of }: Pick<BacktestChain<Rows>, 'of'>) =>
  (mint: string): string =>
    `mintfold why ${mint} ${of === 'mint' ? 'curve.rs_sol' : 'raised.quote_units'}${files === undefined ? '' : ` --in ${files.join(' ')}`}`
