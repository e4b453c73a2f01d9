// The candidates of a backtest: shipped detectors and those of files, with every setting that is tried.

import type { Evidence } from '../../../../processors/mint/detectors/detector.ts'
import { type DetectorFile, loadDetectorFile } from '../../../backtest/detector-file/load.ts'
import type { FlipExample } from '../../../backtest/look-ahead/report.ts'
import { type Watched, watchDetector } from '../../../backtest/look-ahead/watch.ts'
import type { LookAhead } from '../../../backtest/report-types.ts'
import { type Candidate, candidatesOf, type Tunable } from '../../../backtest/trials/candidate.ts'
import type { SeenRows } from '../../../backtest/trials/market.ts'
import { UsageError } from '../../command.ts'
import type { BacktestChain } from './chains.ts'
import type { Heartbeat } from './heartbeat.ts'
import { checkCount, checkTried, type Options } from './options.ts'

export interface Prepared<Rows> {
  readonly candidates: readonly Candidate<Rows>[]
  /** The look-ahead tests of those of files, by candidate: called once, at the end. */
  readonly watched: ReadonlyMap<number, () => LookAhead>
}

const FILES_MAX = 50

/** @throws UsageError for a detector file that is none, of another chain, or with the id of another; for settings that nobody has */
export const preparedOf = async <Rows extends SeenRows>(
  of: BacktestChain<Rows>,
  options: Options,
  heartbeat: Heartbeat,
): Promise<Prepared<Rows>> => {
  const { detector: paths = [], set, seed } = options
  if (paths.length > FILES_MAX) throw new UsageError(`--detector takes ${FILES_MAX} files, not ${paths.length}`)
  const watches: { readonly watch: Watched<Rows>; readonly file: number }[] = []
  const own: Tunable<Rows>[] = []
  for (const [file, path] of paths.entries()) {
    heartbeat.enter('loaded', file)
    const loaded = await loadDetectorFile(path)
    heartbeat.leave()
    own.push(
      tunableOf(loaded, of, (watching) => {
        const watch = watching(seed)
        watches.push({ watch, file })
        return (rows) => {
          heartbeat.enter('asked', file, rows.position)
          const found = watch.find(rows)
          heartbeat.leave()
          return found
        }
      }),
    )
  }
  const all = [...of.shipped, ...own]
  const twice = all.find(({ id }, at) => all.findIndex((other) => other.id === id) !== at)
  if (twice !== undefined) throw new UsageError(`two detectors have the id ${twice.id}: give yours another`)
  checkTried(set, all)
  const shipped = of.shipped.flatMap((one) => candidatesOf(one, set))
  const ofFiles = own.flatMap((one) => candidatesOf(one, set))
  checkCount(shipped.length + ofFiles.length)
  const watched = new Map(
    watches.map(({ watch, file }, n): [number, () => LookAhead] => [
      shipped.length + n,
      () => {
        heartbeat.enter('again', file)
        const answer = lookAheadOf(watch)
        heartbeat.leave()
        return answer
      },
    ]),
  )
  return { candidates: [...shipped, ...ofFiles], watched }
}

const tunableOf = <Rows extends SeenRows>(
  file: DetectorFile,
  of: BacktestChain<Rows>,
  finderOf: (watching: (seed: number) => Watched<Rows>) => (rows: Rows) => Evidence | undefined,
): Tunable<Rows> => {
  if (file.of !== of.of) throw new UsageError(`${file.path} is a detector of ${file.of}s, and the tape is of the chain ${of.chain}`)
  const { id, version, flag, firesWhen, settings, hash } = file
  return {
    ...{ id, version, flag, firesWhen, settings, hash, tier: 'yours' },
    finderOf: (given) => {
      const numbers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Number(value)]))
      const asked = file as unknown as Parameters<typeof watchDetector>[0]
      return finderOf((seed) => watchDetector(asked, numbers, { seed }) as unknown as Watched<Rows>)
    },
  }
}

const lookAheadOf = <Rows>(watch: Watched<Rows>): LookAhead => {
  const { asked, flipsTotal, examples } = watch.end()
  return { checked: asked.all, flips: flipsTotal, examples: examples.map(wordsOf) }
}
const wordsOf = ({ kind, position, launch, was, is, failure }: FlipExample): string => {
  const said = (evidence: object | null): string => (evidence === null ? 'nothing' : JSON.stringify(evidence))
  return `${kind}: at ${position}, of the launch at ${launch}, it said ${said(was)} and, asked again, ${failure ?? said(is)}`
}
