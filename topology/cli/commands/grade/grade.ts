// `mintfold grade FILE`: grades anybody's predictions against outcomes.
import { grade, gradeWithCurve } from '../../../../processors/grading/grade.ts'
import { escapeHidden } from '../../../../processors/text.ts'
import { runInSlices } from '../../../waiting/waiting.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { showFileProgress } from '../../output/file-progress.ts'
import { type ProgressLine, showProgress } from '../../output/progress.ts'
import { wholeIn } from '../../whole-number.ts'
import { binLines, dayLine, type Graded, summaryLine, wordsOf } from './lines.ts'
import { byDay, type Predictions } from './predictions.ts'
import { ROWS_MAX, readPredictions } from './read.ts'

const SEED_MAX = 0xffff_ffff
/** With fewer, the 2.5 % quantile is just the minimum. */
const RESAMPLES_MIN = 40
const RESAMPLES_MAX = 10_000
const RESAMPLES = 1_000
/** Rows times resamples: about two minutes, and at most a few hundred MB for the bands. */
const DRAWS_MAX = 2_000_000_000
const SLICE_MS = 20

interface Options {
  readonly seed: number
  readonly resamples: number
}

export const register: Register = (command, io) => {
  command
    .description(
      'Grades the predictions in a CSV file with the columns mint, label (0, 1, false or true: what happened), probability (0 to 1) and time (unix ' +
        `seconds or ISO 8601, UTC unless it has a zone), in any order, other columns allowed, at most ${ROWS_MAX.toLocaleString('en')} rows, one per mint ` +
        'and time. Prints JSON lines: a summary (Brier score and skill against the base rate, its CORP parts, calibration error, PR-AUC, each with a ' +
        '95 % interval), the bins of the isotonic reliability curve with their bands, and the same figures per day. The output is identical on every run.',
    )
    .argument('<file>', 'predictions with their outcomes, as CSV with a header')
    .option('--seed <n>', 'seed of the resampling', wholeIn(0, SEED_MAX), 1)
    .option(
      '--resamples <n>',
      `resamples per interval, ${RESAMPLES_MIN} to ${RESAMPLES_MAX}`,
      wholeIn(RESAMPLES_MIN, RESAMPLES_MAX),
      RESAMPLES,
    )
    .action((file: string, options: Options) => run(file, options, io))
}

const run = async (path: string, { seed, resamples }: Options, io: Io): Promise<void> => {
  const predictions = await readFile(path, io)
  if (predictions === undefined) return io.printNotice('stopped: nothing was graded')
  const rows = predictions.labels.length
  const most = Math.floor(DRAWS_MAX / rows)
  if (resamples > most) throw new UsageError(`--resamples must be at most ${most} for ${rows} rows, not ${resamples}`)
  const work = new Work(io, rows * resamples)
  try {
    await printAll(predictions, { seed, resamples }, work, io)
  } finally {
    work.progress.hide()
  }
}

const readFile = async (path: string, io: Io): Promise<Predictions | undefined> => {
  const progress = await showFileProgress(io, { what: 'reading', unit: 'rows' }, [path])
  const seen = progress.file(path)
  try {
    return await readPredictions({
      path,
      seen,
      row: () => progress.one(),
      printNotice: io.printNotice,
      stop: io.stop,
    })
  } finally {
    progress.hide()
  }
}

const printAll = async (predictions: Predictions, { seed, resamples }: Options, work: Work, io: Io): Promise<void> => {
  const print = async (lines: readonly object[]): Promise<void> => {
    work.progress.hide()
    await io.out(lines.map((line) => `${escapeHidden(JSON.stringify(line))}\n`).join(''))
  }
  const { probabilities, labels } = predictions
  const days = byDay(predictions)
  const whole = await work.done(gradeWithCurve(probabilities, labels, { seed, stream: 0, resamples }), labels.length)
  if (whole === undefined) return
  const graded: Graded = { ...predictions, grade: whole, days: days.length, seed, resamples }
  await print([summaryLine(graded), ...binLines(whole)])
  for (const day of days) {
    const one = await work.done(grade(day.probabilities, day.labels, { seed, stream: day.number, resamples }), day.labels.length)
    if (one === undefined) return
    await print([dayLine(day.name, one)])
  }
  work.progress.hide()
  for (const words of wordsOf(graded)) io.printNotice(words)
}

/** Runs the grading and shows its progress. Each row is resampled twice: with all rows, and with those of its day. */
class Work {
  readonly progress: ProgressLine
  readonly #io: Io
  readonly #all: number
  #draws = 0
  #resamples = 0

  constructor(io: Io, draws: number) {
    this.#io = io
    this.#all = draws * 2
    this.progress = showProgress(io, { what: 'grading', unit: 'resamples' })
  }
  /** Runs the steps of grading `rows` rows. Undefined if it was stopped. */
  done<Result>(steps: Generator<void, Result, void>, rows: number): Promise<Result | undefined> {
    return runInSlices(this.#watched(steps, rows), SLICE_MS)
  }
  *#watched<Result>(steps: Generator<void, Result, void>, rows: number): Generator<void, Result | undefined, void> {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value
      if (this.#io.stop.aborted) {
        this.progress.hide()
        this.#io.printNotice('stopped: the output is incomplete')
        return undefined
      }
      this.#draws += rows
      this.progress.at(++this.#resamples, this.#draws / this.#all)
      yield
    }
  }
}
