// `mintfold backtest`: detectors graded over a tape, ours and those of a file.
import { Option } from 'commander'
import { escapeHidden } from '../../../../processors/text.ts'
import type { Report } from '../../../backtest/report-types.ts'
import { TOPOLOGIES, topologyOf } from '../../../launch-risk.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { writeWhole } from '../../output/whole-file.ts'
import { wholeIn } from '../../whole-number.ts'
import { OF_MINTS } from './chains.ts'
import { Heartbeat } from './heartbeat.ts'
import { lamportsIn, type Options, settingIn, timeIn } from './options.ts'
import { reportOf } from './report-of.ts'
import { tableOf } from './table.ts'
import { reportInThread } from './thread.ts'

const DAY_S = 86_400
const SEED_MAX = 0xffff_ffff

export const register: Register = (command, io) => {
  command
    .description(
      'Grades detectors over a tape: all that are shipped, and those in files of your own, with every setting of their thresholds that you ask ' +
        'for, in one pass. Prints JSON lines: a summary, then a line for each setting (precision, recall, lead times, beside what chance would ' +
        'do). The folds are those of production; launches are judged by their outcomes, which may come after --to. Exit code 1 where a ' +
        'detector of yours knows the future.',
    )
    .option('--detector <files...>', 'detectors of your own, in TypeScript; see the guide backtest.md (default: none)')
    .option('--in <files...>', 'recordings or tape files, oldest first (default: the log)')
    .addOption(new Option('--chain <chain>', 'of the log').choices(TOPOLOGIES.map(({ chain }) => chain.name)).default(OF_MINTS.chain))
    .option('--from <time>', 'grade launches from then on: date, moment, or unix seconds (default: the first)', timeIn)
    .option('--to <time>', 'grade launches before then (default: the last)', timeIn)
    .addOption(
      new Option('--set <name=values>', 'try these values of a threshold; several times for several thresholds')
        .argParser(settingIn)
        .default(new Map(), 'the thresholds as they are'),
    )
    .option('--delay-s <n>', 'seconds from a flag to when somebody can act on it', wholeIn(0, DAY_S), 0)
    .option('--purge-s <n>', 'seconds that an outcome takes to be known, kept between learning and testing', wholeIn(0, 7 * DAY_S), 7_200)
    .option('--age-s <n>', 'the buyer of the profit column buys so many seconds after the launch', wholeIn(1, DAY_S), 120)
    .option('--hold-s <n>', 'and sells so many seconds later', wholeIn(1, DAY_S), 600)
    .addOption(new Option('--size <sol>', 'and spends so much, in SOL').argParser(lamportsIn).default(lamportsIn('0.5'), '0.5'))
    .option('--seed <n>', 'of everything drawn at random', wholeIn(0, SEED_MAX), 1)
    .option('--out <file>', 'also write the report as one HTML file (default: none)')
    .action((options: Options) => backtest(options, io))
}

const backtest = async (options: Options, io: Io): Promise<void> => {
  if (options.from !== undefined && options.to !== undefined && options.from >= options.to)
    throw new UsageError('--from is not before --to: there is nothing between them')
  const report = await (options.detector === undefined ? reportOf(options, io, new Heartbeat()) : reportInThread(options, io))
  await print(report, io)
  if (options.out !== undefined) {
    // The library that draws is loaded for a page alone.
    const { reportPage } = await import('../../../backtest/page/page.ts')
    writeWhole(options.out, reportPage(report, topologyOf(report.summary.chain).chain.quote))
    io.say(`the report is in ${options.out}`)
  }
}

const print = async ({ summary, settings }: Report, io: Io): Promise<void> => {
  for (const line of [summary, ...settings]) await io.out(`${escapeHidden(JSON.stringify(line))}\n`)
  for (const line of tableOf({ summary, settings })) io.say(line)
  if (settings.some(({ lookAhead }) => lookAhead !== null && lookAhead.flips > 0)) io.setExitCode(1)
}
