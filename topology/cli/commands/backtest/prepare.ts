// The candidates of a backtest: shipped detectors and those of files, once per setting to try.

import { type DetectorFile, loadDetectorFile } from '../../../backtest/detector-file/load.ts'
import type { FlipExample } from '../../../backtest/look-ahead/report.ts'
import { type KeptMax, keptMaxOf, type Watched, watchDetector } from '../../../backtest/look-ahead/watch.ts'
import type { LookAhead } from '../../../backtest/report-types.ts'
import { type Candidate, candidatesOf, countOf, type Tunable } from '../../../backtest/trials/candidate.ts'
import type { SeenRows } from '../../../backtest/trials/market.ts'
import { UsageError } from '../../command.ts'
import type { BacktestChain } from './chains.ts'
import type { Heartbeat } from './heartbeat.ts'
import { checkCount, checkTried, type Options } from './options.ts'

export interface Prepared<Rows> {
  readonly candidates: readonly Candidate<Rows>[]
  /** Look-ahead checks of the detectors of files, by index of the candidate: call each once, when the run has ended. */
  readonly watched: ReadonlyMap<number, () => LookAhead>
}

const FILES_MAX = 50

/** A detector of a file, and its index on the command line. */
interface Own<Rows> {
  readonly loaded: DetectorFile
  readonly file: number
  /** The watched detectors, one per setting, in the order of creation. */
  readonly watches: { readonly watch: Watched<Rows>; readonly file: number }[]
}
type Work = Pick<Options, 'seed'> & { readonly keptMax: KeptMax; readonly heartbeat: Heartbeat }

/** @throws UsageError for an invalid detector file, one of another chain, a duplicate id, or a setting that no detector has */
export const preparedOf = async <Rows extends SeenRows>(
  of: BacktestChain<Rows>,
  options: Options,
  heartbeat: Heartbeat,
): Promise<Prepared<Rows>> => {
  const { set, seed } = options
  const files = await loadedFrom(options.detector ?? [], of, heartbeat)
  const facts = [...of.shipped, ...files.map((loaded) => ({ ...loaded, tier: 'yours' as const }))]
  const twice = facts.find(({ id }, at) => facts.findIndex((other) => other.id === id) !== at)
  if (twice !== undefined) {
    const advice = of.shipped.some(({ id }) => id === twice.id) ? '. It is shipped: leave --detector out to grade that one' : ''
    throw new UsageError(`two detectors have the id ${twice.id}: give yours another${advice}`)
  }
  checkTried(set, facts)
  const counts = facts.map((one) => countOf(one, set))
  checkCount(counts.reduce((sum, count) => sum + count, 0))
  const watchedCount = counts.slice(of.shipped.length).reduce((sum, count) => sum + count, 0)
  const work = { seed, keptMax: keptMaxOf(watchedCount), heartbeat }
  const watches: Own<Rows>['watches'] = []
  const shipped = of.shipped.flatMap((one) => candidatesOf(one, set))
  const own = files.flatMap((loaded, file) => candidatesOf(tunableOf<Rows>({ loaded, file, watches }, work), set))
  const again = ({ watch, file }: Own<Rows>['watches'][number]) => heartbeat.during('again', file, () => lookAheadOf(watch))
  const watched = new Map(watches.map((one, n) => [shipped.length + n, () => again(one)] as const))
  return { candidates: [...shipped, ...own], watched }
}

const loadedFrom = async <Rows extends SeenRows>(
  paths: readonly string[],
  of: BacktestChain<Rows>,
  heartbeat: Heartbeat,
): Promise<readonly DetectorFile[]> => {
  if (paths.length > FILES_MAX) throw new UsageError(`--detector takes at most ${FILES_MAX} files, not ${paths.length}`)
  const files: DetectorFile[] = []
  for (const [file, path] of paths.entries()) {
    heartbeat.enter('loaded', file)
    const loaded = await loadDetectorFile(path)
    heartbeat.leave()
    if (loaded.of !== of.of) throw new UsageError(`${path} is a detector of ${loaded.of}s, but the tape is of the chain ${of.chain}`)
    files.push(loaded)
  }
  return files
}

const tunableOf = <Rows extends SeenRows>({ loaded, file, watches }: Own<Rows>, { seed, keptMax, heartbeat }: Work): Tunable<Rows> => {
  const { id, version, flag, firesWhen, settings, hash } = loaded
  return {
    ...{ id, version, flag, firesWhen, settings, hash, tier: 'yours' },
    finderOf: (given) => {
      const numbers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Number(value)]))
      const watched = loaded as unknown as Parameters<typeof watchDetector>[0]
      const watch = watchDetector(watched, numbers, { seed, keptMax }) as unknown as Watched<Rows>
      watches.push({ watch, file })
      return (rows) => heartbeat.during('call', file, () => watch.find(rows), rows.position)
    },
  }
}

const lookAheadOf = <Rows>(watch: Watched<Rows>): LookAhead => {
  const { repeated, flipsTotal, examples } = watch.end()
  return { checked: repeated.all, flips: flipsTotal, examples: examples.map(wordsOf) }
}
const wordsOf = ({ kind, position, launch, was, is, failure }: FlipExample): string => {
  const said = (evidence: object | null): string => (evidence === null ? 'nothing' : JSON.stringify(evidence))
  return `${kind}: at ${position}, for the launch at ${launch}, it returned ${said(was)} and, called again, ${failure ?? said(is)}`
}
