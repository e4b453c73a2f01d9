// `mintfold backtest`: detectors graded over a tape, ours and those of a file.
import { Option } from 'commander'
import { escapeHidden } from '../../../../processors/text.ts'
import { Backtest } from '../../../backtest/backtest.ts'
import type { Report } from '../../../backtest/report-types.ts'
import type { SeenRows } from '../../../backtest/trials/market.ts'
import { TOPOLOGIES } from '../../../launch-risk.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { Closing } from '../../start/closing.ts'
import { versionOf } from '../../version.ts'
import { assumptionsOf } from './assumptions.ts'
import { type BacktestChain, OF_CURVES, OF_MINTS } from './chains.ts'
import { type Input, openInput } from './input.ts'
import { lamportsIn, type Options, settingIn, timeIn, wholeIn } from './options.ts'
import { preparedOf } from './prepare.ts'
import { tableOf } from './table.ts'

const DAY_S = 86_400
const SEED_MAX = 0xffff_ffff
/** Of the launchpad's curves: protocol and creator. */
const FEE_BPS = 125n

export const register: Register = (command, io) => {
  command
    .description(
      'Grades detectors over a tape: all that are shipped, and those in files of your own, with every setting of their thresholds that you ask ' +
        'for, in one pass. Prints JSON lines: a summary, then a line for each setting (precision, recall, lead times, beside what chance would ' +
        'do). The folds are those of production; launches are judged by their outcomes, which may come after --to. Exit code 1 where a ' +
        'detector of yours knows the future.',
    )
    .option('--detector <files...>', 'detectors of your own, in TypeScript (see the guide backtest.md)')
    .option('--in <files...>', 'recordings or tape files, oldest first (default: the log)')
    .addOption(new Option('--chain <chain>', 'of the log').choices(TOPOLOGIES.map(({ chain }) => chain.name)).default(OF_MINTS.chain))
    .option('--from <time>', 'grade launches from then on: date, moment, or unix seconds (default: the first)', timeIn)
    .option('--to <time>', 'grade launches before then (default: the last)', timeIn)
    .option('--set <name=values>', 'try these values of a threshold; several times for several thresholds', settingIn, new Map())
    .option('--delay-s <n>', 'seconds from a flag to when somebody can act on it', wholeIn(0, DAY_S), 0)
    .option('--purge-s <n>', 'seconds that an outcome takes to be known, kept between learning and testing', wholeIn(0, 7 * DAY_S), 7_200)
    .option('--age-s <n>', 'the buyer of the profit column buys so many seconds after the launch', wholeIn(1, DAY_S), 120)
    .option('--hold-s <n>', 'and sells so many seconds later', wholeIn(1, DAY_S), 600)
    .option('--size <sol>', 'and spends so much, in SOL', lamportsIn, lamportsIn('0.5'))
    .option('--seed <n>', 'of everything drawn at random', wholeIn(0, SEED_MAX), 1)
    .option('--out <file>', 'also write the report as one HTML file (default: none)')
    .action((options: Options) => backtest(options, io))
}

const backtest = async (options: Options, io: Io): Promise<void> => {
  if (options.from !== undefined && options.to !== undefined && options.from >= options.to)
    throw new UsageError('--from is not before --to: there is nothing between them')
  await new Closing(io.say).after(async (closing) => {
    const input = await openInput(options, closing, io)
    const report = await (input.chain === OF_MINTS.chain ? graded(OF_MINTS, input, options, io) : graded(OF_CURVES, input, options, io))
    await print(report, io)
  })
}

const graded = async <Rows extends SeenRows>(of: BacktestChain<Rows>, input: Input, options: Options, io: Io): Promise<Report> => {
  const startedMs = performance.now()
  const { candidates, watched } = await preparedOf(of, options)
  const { from = 0, to = Number.MAX_SAFE_INTEGER, delayS, purgeS, seed, ageS, holdS, size: sizeUnits } = options
  const run = new Backtest<Rows, typeof input.batches extends AsyncIterable<infer Batch> ? Batch : never>({
    ...{ chain: of.chain, market: of.market, folds: of.folds, candidates, from, to, delayS, purgeS, seed },
    buyer: of.isBought ? { ageS, holdS, sizeUnits, feeBps: FEE_BPS } : null,
    explain: (findingId, mint) => commandOf(findingId, mint, options),
    lossTested: new Set(watched.keys()),
  })
  for await (const batch of input.batches) {
    run.take(batch)
    if (io.stop.aborted) break
  }
  const report = run.report(
    candidates.map((_, i) => watched.get(i)?.() ?? null),
    {
      ...{ program: `mintfold ${versionOf()}`, input: input.words, isPartial: io.stop.aborted },
      ...{ assumptions: assumptionsOf(of, options), tookS: (performance.now() - startedMs) / 1_000 },
    },
  )
  if (report.summary.launches === 0) throw new UsageError(emptyWords(report, options))
  return report
}

const emptyWords = ({ summary: { from, to, events } }: Report, options: Options): string => {
  if (events === 0) return 'there is not one event to read: name other files, or wait until something was captured'
  const read = `${new Date(from * 1_000).toISOString()} to ${new Date(to * 1_000).toISOString()}`
  const range = options.from === undefined && options.to === undefined ? '' : ' between --from and --to'
  return `no launch was seen${range}: what was read is of ${read}`
}

/** Findings of detectors that run in production are explained; of others the launch is. */
const commandOf = (findingId: string | null, mint: string, { in: files }: Options): string => {
  const where = files === undefined ? '' : ` --in ${files.join(' ')}`
  return findingId === null ? `mintfold why ${mint} flags${where}` : `mintfold explain ${findingId}${where}`
}

const print = async ({ summary, settings }: Report, io: Io): Promise<void> => {
  for (const line of [summary, ...settings]) await io.out(`${escapeHidden(JSON.stringify(line))}\n`)
  for (const line of tableOf({ summary, settings })) io.say(line)
  if (settings.some(({ lookAhead }) => lookAhead !== null && lookAhead.flips > 0)) io.setExitCode(1)
}
