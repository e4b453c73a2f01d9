// `mintfold train`: trains an odds model on settled launches.
import { readModel } from '../../../../processors/odds/model.ts'
import { type ModelBody, modelFileOf } from '../../../../processors/odds/model-file.ts'
import { TrainingRows } from '../../../../processors/odds/train/rows.ts'
import { LAUNCHES_MIN, POSITIVES_MIN, type Training, trainModel } from '../../../../processors/odds/train/train.ts'
import { isRetriable } from '../../../../schemas/errors.ts'
import { pause, yieldToEventLoop } from '../../../waiting/waiting.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { writeWhole } from '../../output/whole-file.ts'
import { wholeIn } from '../../whole-number.ts'
import { timeIn } from '../backtest/options.ts'
import { deliver } from './deliver.ts'
import { rowsOfFiles, rowsOfHistory } from './sources.ts'
import { wordsOf } from './words.ts'

const HOURS_MAX = 30 * 24
const HOUR_MS = 3_600_000

interface Options {
  readonly in?: readonly string[]
  readonly until?: number
  readonly every?: number
  readonly out?: string
}

export const register: Register = (command, io) => {
  command
    .description(
      'Trains a model of the odds rug_within_300s and true_graduation on settled launches, calibrates it on later ones, tests it on ' +
        'still later ones, and publishes it to the running mintfold (or the log of the data directory, or Kafka), where the first model is in force at once and ' +
        `a further one is on trial. Prints its figures as a JSON line. Exit code 1 when too few launches have settled: each of the three windows needs ` +
        `${LAUNCHES_MIN} launches, and ${POSITIVES_MIN} with and without each outcome.`,
    )
    .option('--in <files...>', 'recordings or tape files, oldest first (default: the history of the data directory or of CLICKHOUSE_URL)')
    .option('--until <time>', 'train on data known at this time: date, time, or unix seconds (default: all)', timeIn)
    .option('--every <hours>', 'train again every n hours until stopped (default: once)', wholeIn(1, HOURS_MAX))
    .option('--out <file>', 'write the model to this file instead of publishing it (default: none)')
    .action((options: Options) => train(options, io))
}

const train = async (options: Options, io: Io): Promise<void> => {
  const { every } = options
  if (every === undefined) return void (await trainOnce(options, io, () => io.setExitCode(1)))
  if (options.in !== undefined || options.until !== undefined)
    throw new UsageError('--every trains on the current history and cannot be used with --in or --until')
  while (!io.stop.aborted) {
    const next = `the next run is in ${every} hours`
    try {
      await trainOnce(options, io, () => io.printNotice(next))
    } catch (failure) {
      if (!isRetriable(failure)) throw failure
      io.printNotice(`${failure.message}; ${next}`)
    }
    await pause(every * HOUR_MS, io.stop)
  }
}

const trainOnce = async (options: Options, io: Io, tooFew: () => void): Promise<void> => {
  const training = await trainingOf(options, io)
  if (training === undefined) return io.printNotice('stopped: no model was trained')
  if (!training.ok) {
    io.printNotice(`no model was trained: ${training.reason}`)
    return tooFew()
  }
  const file = modelFileOf(training.body)
  await print(file, training.body, io)
  if (options.out === undefined) return deliver(file, io)
  writeWhole(options.out, file)
  io.printNotice(`${options.out}: ${file.length} bytes`)
}

/** Undefined if the command was stopped. */
const trainingOf = async (options: Options, io: Io): Promise<Training | undefined> => {
  const set = new TrainingRows()
  const untilS = options.until ?? Number.MAX_SAFE_INTEGER
  const read = await (options.in === undefined ? rowsOfHistory(set, untilS, io) : rowsOfFiles(options.in, set, untilS, io))
  if (io.stop.aborted) return undefined
  io.printNotice(`${set.length} judgements of settled launches`)
  const steps = trainModel(set, read?.untilS ?? 0, { ...read?.left })
  for (let step = steps.next(); !io.stop.aborted; step = steps.next()) {
    if (step.done) return step.value
    await yieldToEventLoop()
  }
  return undefined
}

const print = async (file: Uint8Array, { data, heads }: ModelBody, io: Io): Promise<void> => {
  const metrics = Object.fromEntries(Object.entries(heads).map(([head, { metrics }]) => [head, metrics]))
  await io.out(`${JSON.stringify({ type: 'model', id: readModel(file).id, bytes: file.length, data, heads: metrics })}\n`)
  for (const line of wordsOf(heads)) io.printNotice(line)
}
