// Samples the calls of a detector during a run, and repeats them when the run has ended.
import type { Of } from '../../../processors/detector-kit/fields.ts'
import type { Evidence } from '../../../processors/mint/detectors/detector.ts'
import type { PositionInChain } from '../../../schemas/position.ts'
import type { Instance } from '../detector-file/instance.ts'
import type { CurveDetectorFile, DetectorFile, MintDetectorFile } from '../detector-file/load.ts'
import { repeatCalls } from './repeat-calls.ts'
import type { LookAheadReport } from './report.ts'
import { type AnyRows, copyRows } from './rows.ts'
import { mixed, Sample } from './sample.ts'

/**
 * Limits of the three samples of a detector's calls: calls that fired; of each mint the newest call that did not fire; other calls. A
 * sample (sample.ts) that would exceed its limit keeps the calls with the lowest hashes. A copy of a call takes about 2 kB.
 */
export interface KeptMax {
  readonly firings: number
  readonly mints: number
  readonly others: number
}
export const KEPT_MAX: KeptMax = { firings: 4_096, mints: 2_048, others: 2_048 }

/** The limits when one run watches several detectors or settings: together they keep about as many copies as one alone (16 MB). */
export const keptMaxOf = (watched: number): KeptMax => {
  const share = (max: number): number => Math.max(KEPT_MIN, Math.floor(max / Math.max(1, watched)))
  return { firings: share(KEPT_MAX.firings), mints: share(KEPT_MAX.mints), others: share(KEPT_MAX.others) }
}
const KEPT_MIN = 16

/** A call and its answer. */
export interface Call<Rows> {
  readonly rows: Rows
  readonly answer: Evidence | undefined
}

/** The part of a detector file that the look-ahead test needs. */
export interface WatchedDetector<Rows> extends Pick<DetectorFile, 'id' | 'version' | 'hash'> {
  readonly of: Of
  make(given?: Readonly<Record<string, number>>): Instance<Rows>
}

export interface Watched<Rows> extends Instance<Rows> {
  /** Repeats the kept calls; call it once, when the run has ended. Takes about 0.2 ms a call. */
  end(): LookAheadReport
}
interface Options {
  /** Seed of the sample, the labels and the shifts: the same seed gives the same report. */
  readonly seed: number
  readonly keptMax?: KeptMax
}

const nameOf = ({ number, tx, outer, inner }: PositionInChain): string => `${number}.${tx}.${outer}.${inner}`
const hashOf = (hash: number, { number, tx, outer, inner }: PositionInChain): number =>
  mixed(mixed(mixed(mixed(hash, number), tx), outer), inner)

class Watch<Rows extends AnyRows> implements Watched<Rows> {
  readonly #file: WatchedDetector<Rows>
  readonly #settings: Readonly<Record<string, number>>
  readonly #seed: number
  readonly #instance: Instance<Rows>
  readonly #firings: Sample<Call<Rows>>
  readonly #mints: Sample<Call<Rows>>
  readonly #others: Sample<Call<Rows>>
  #calls = 0
  #fired = 0

  constructor(file: WatchedDetector<Rows>, settings: Readonly<Record<string, number>>, { seed, keptMax = KEPT_MAX }: Options) {
    this.#file = file
    this.#settings = settings
    this.#seed = seed
    this.#instance = file.make(settings)
    this.#firings = new Sample(keptMax.firings)
    this.#mints = new Sample(keptMax.mints)
    this.#others = new Sample(keptMax.others)
  }
  find(rows: Rows): Evidence | undefined {
    const { launch, position } = rows
    const mint = hashOf(this.#seed, launch)
    const call = hashOf(mint, position)
    const answer = this.#instance.find(rows)
    this.#calls++
    if (answer !== undefined) {
      this.#fired++
      if (this.#firings.takes(call)) this.#firings.put(this.#callName(rows), call, { rows: copyRows(this.#file.of, rows), answer })
      return answer
    }
    const [isMint, isOther] = [this.#mints.takes(mint), this.#others.takes(call)]
    if (isMint || isOther) this.#keep(rows, mint, call, isMint, isOther)
    return undefined
  }
  notJudged(rows: Partial<Rows>): string | undefined {
    return this.#instance.notJudged(rows)
  }
  end(): LookAheadReport {
    const [firings, lastCalls, others] = [this.#firings, this.#mints, this.#others].map(({ entries }) => entries.map(([, call]) => call))
    const kept = { firings: firings ?? [], lastCalls: lastCalls ?? [], others: others ?? [] }
    const counts = { calls: this.#calls, firings: this.#fired }
    return repeatCalls(this.#file, this.#settings, this.#seed, kept, counts)
  }
  #keep(rows: Rows, mint: number, call: number, isMint: boolean, isOther: boolean): void {
    const kept = { rows: copyRows(this.#file.of, rows), answer: undefined }
    if (isMint) this.#mints.put(nameOf(rows.launch), mint, kept)
    if (isOther) this.#others.put(this.#callName(rows), call, kept)
  }
  #callName({ launch, position }: Rows): string {
    return `${nameOf(launch)} ${nameOf(position)}`
  }
}

type RowsOf<File> = File extends WatchedDetector<infer Rows> ? Rows : never

/**
 * Wraps a detector of a file and watches its calls; settings as in `make`. A call costs two more hashes and two
 * comparisons, and a copy of its rows if it is kept. @throws UsageError for settings that the file does not have
 */
export function watchDetector(
  file: MintDetectorFile,
  settings: Readonly<Record<string, number>>,
  options: Options,
): Watched<RowsOf<MintDetectorFile>>
export function watchDetector(
  file: CurveDetectorFile,
  settings: Readonly<Record<string, number>>,
  options: Options,
): Watched<RowsOf<CurveDetectorFile>>
export function watchDetector<Rows extends AnyRows>(
  file: WatchedDetector<Rows>,
  settings: Readonly<Record<string, number>>,
  options: Options,
): Watched<Rows> {
  return new Watch(file, settings, options)
}
