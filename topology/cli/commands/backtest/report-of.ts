// Runs a backtest from its options to its report, in the main thread or a worker.
import { Backtest } from '../../../backtest/backtest.ts'
import type { Report } from '../../../backtest/report-types.ts'
import type { Candidate } from '../../../backtest/trials/candidate.ts'
import type { SeenRows } from '../../../backtest/trials/market.ts'
import { type Io, UsageError } from '../../command.ts'
import { Closing } from '../../start/closing.ts'
import { versionOf } from '../../version.ts'
import type { Batch } from '../recordings/replay-file.ts'
import { assumptionsOf } from './assumptions.ts'
import { type BacktestChain, OF_CURVES, OF_MINTS } from './chains.ts'
import type { Heartbeat } from './heartbeat.ts'
import { type Input, openInput } from './input.ts'
import type { Options } from './options.ts'
import { preparedOf } from './prepare.ts'
import { bothOf, UnfinishedFile } from './unfinished.ts'

/** Fees of the launchpad's curves: protocol and creator. */
const FEE_BPS = 125n

/** @throws UsageError for invalid detectors, settings or files, and for a range without launches; EngineError if the log cannot be read */
export const reportOf = (options: Options, io: Io, heartbeat: Heartbeat): Promise<Report> =>
  new Closing(io.printNotice).after(async (closing) => {
    const input = await openInput(options, closing, io)
    return await (input.chain === OF_MINTS.chain
      ? graded(OF_MINTS, input, options, io, heartbeat)
      : graded(OF_CURVES, input, options, io, heartbeat))
  })

const graded = async <Rows extends SeenRows>(
  of: BacktestChain<Rows>,
  input: Input,
  options: Options,
  io: Io,
  heartbeat: Heartbeat,
): Promise<Report> => {
  const startedMs = performance.now()
  const { candidates, watched } = await preparedOf(of, options, heartbeat)
  const { from = 0, to = Number.MAX_SAFE_INTEGER, delayS, purgeS, seed, ageS, holdS, size: sizeUnits } = options
  const run = new Backtest<Rows, Batch>({
    ...{ chain: of.chain, market: of.market, folds: of.folds, candidates, from, to, delayS, purgeS, seed },
    buyer: of.isBought ? { ageS, holdS, sizeUnits, feeBps: FEE_BPS } : null,
    explain: (findingId, mint) => commandOf(findingId, mint, options),
    lossTested: new Set(watched.keys()),
  })
  const file = options.out === undefined ? undefined : new UnfinishedFile(options.out, options, candidates.map(codeOf))
  const before = file?.read()
  if (before !== undefined) {
    run.restore(before.state)
    io.printNotice(`resumes after the frame ${before.state.number}, where the last run stopped`)
  }
  for await (const batch of input.batches) {
    run.take(batch)
    if (io.stop.aborted) break
  }
  const lookAhead = candidates.map((_, i) => bothOf(before?.lookAhead[i], watched.get(i)?.() ?? null))
  if (io.stop.aborted) {
    file?.write({ state: run.state, lookAhead })
    io.printNotice(
      file === undefined
        ? 'stopped: with --out, the same command would resume from here'
        : 'stopped: run the same command to resume from here',
    )
  } else file?.remove()
  const report = run.report(lookAhead, {
    ...{ program: `mintfold ${versionOf()}`, input: input.words, isPartial: io.stop.aborted },
    ...{ assumptions: assumptionsOf(of, options), tookS: (performance.now() - startedMs) / 1_000 },
  })
  if (report.summary.launches === 0) throw new UsageError(emptyWords(report, options))
  return report
}

/** Identifies the code and setting of a candidate. */
const codeOf = ({ name, detector: { version, hash }, settings }: Pick<Candidate<never>, 'name' | 'detector' | 'settings'>): string =>
  JSON.stringify([name, version, hash, settings])

const emptyWords = ({ summary: { from, to, events } }: Report, options: Options): string => {
  if (events === 0) return 'there are no events to read: give other files, or wait until mintfold has captured some'
  const read = `${new Date(from * 1_000).toISOString()} to ${new Date(to * 1_000).toISOString()}`
  const range = options.from === undefined && options.to === undefined ? '' : ' between --from and --to'
  return `no launch was seen${range}: the events read are of ${read}`
}

/** The command that explains a finding; for a finding without an id (of a detector not in production), the command for its launch. */
const commandOf = (findingId: string | null, mint: string, { in: files }: Options): string => {
  const where = files === undefined ? '' : ` --in ${files.join(' ')}`
  return findingId === null ? `mintfold why ${mint} flags${where}` : `mintfold explain ${findingId}${where}`
}
