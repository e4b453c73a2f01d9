// `mintfold backtest`: grades shipped detectors and detectors of files over a tape.
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
      'Grades detectors over a tape: all shipped ones and those in your own files, with every requested setting of their thresholds, ' +
        'in one pass. Prints JSON lines: a summary, then one line per setting (precision, recall and lead times, compared with chance). ' +
        'Runs the production folds; launches are judged by their outcomes, which may come after --to. Exit code 1 when one of your ' +
        'detectors uses future data (look-ahead).',
    )
    .option('--detector <files...>', 'your own detectors, in TypeScript; see the guide backtest.md (default: none)')
    .option('--in <files...>', 'recordings or tape files, oldest first (default: the log)')
    .addOption(
      new Option('--chain <chain>', 'the chain to read from the log')
        .choices(TOPOLOGIES.map(({ chain }) => chain.name))
        .default(OF_MINTS.chain),
    )
    .option('--from <time>', 'grade launches from this time on: date, time, or unix seconds (default: from the first launch)', timeIn)
    .option('--to <time>', 'grade launches before this time (default: up to the last launch)', timeIn)
    .addOption(
      new Option('--set <name=values>', 'values to try for a threshold; repeat it for several thresholds')
        .argParser(settingIn)
        .default(new Map(), 'the shipped thresholds'),
    )
    .option('--delay-s <n>', 'seconds from a flag until somebody can act on it', wholeIn(0, DAY_S), 0)
    .option('--purge-s <n>', 'seconds until an outcome is known: the gap kept between learning and testing', wholeIn(0, 7 * DAY_S), 7_200)
    .option('--age-s <n>', 'the simulated buyer buys this many seconds after the launch', wholeIn(1, DAY_S), 120)
    .option('--hold-s <n>', 'the simulated buyer sells this many seconds after buying', wholeIn(1, DAY_S), 600)
    .addOption(
      new Option('--size <sol>', 'the simulated buyer spends this much, in SOL').argParser(lamportsIn).default(lamportsIn('0.5'), '0.5'),
    )
    .option('--seed <n>', 'seed of all random choices', wholeIn(0, SEED_MAX), 1)
    .option('--out <file>', 'also write the report as one HTML file (default: none)')
    .action((options: Options) => backtest(options, io))
}

const backtest = async (options: Options, io: Io): Promise<void> => {
  if (options.from !== undefined && options.to !== undefined && options.from >= options.to)
    throw new UsageError('--from must be before --to')
  const report = await (options.detector === undefined ? reportOf(options, io, new Heartbeat()) : reportInThread(options, io))
  await print(report, io)
  if (options.out !== undefined) {
    // The drawing library is loaded only when a page is written.
    const { reportPage } = await import('../../../backtest/page/page.ts')
    writeWhole(options.out, reportPage(report, topologyOf(report.summary.chain).chain.quote))
    io.printNotice(`wrote the report to ${options.out}`)
  }
}

const print = async ({ summary, settings }: Report, io: Io): Promise<void> => {
  for (const line of [summary, ...settings]) await io.out(`${escapeHidden(JSON.stringify(line))}\n`)
  for (const line of tableOf({ summary, settings })) io.printNotice(line)
  if (settings.some(({ lookAhead }) => lookAhead !== null && lookAhead.flips > 0)) io.setExitCode(1)
}
