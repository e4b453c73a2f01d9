// Failures that a task meets again after every restart: the stores are then rebuilt, once per cause.
import { EngineError } from '../../schemas/errors.ts'
import type { TapeForm } from '../../schemas/record-forms.ts'
import type { LogReader } from '../ports/log.ts'
import { CorrectedTape, type TapeTopics } from './decoding/corrected-tape.ts'

/** Why a task is stuck. */
export interface Cause {
  /** Equal for all tasks with this cause, and different for any other cause. */
  readonly mark: string
  /** Text for people. */
  readonly reason: string
}

const codes = ['undo_exhausted', 'exchange_torn', 'offset_expired', 'time_fell', 'tape_torn', 'rows_torn'] as const
const PLACES: Readonly<Record<(typeof codes)[number], readonly string[]>> = {
  undo_exhausted: ['chain', 'number', 'hash8', 'newest', 'newestHash8'],
  exchange_torn: ['writer', 'closedBy'],
  offset_expired: ['topic', 'partition', 'offset'],
  time_fell: ['chain', 'number'],
  tape_torn: ['chain', 'number', 'hash8'],
  rows_torn: ['topic', 'partition', 'key', 'page', 'records', 'expected'],
}

/** Undefined for a failure that a rebuild would not fix. */
export const causeOf = (failure: unknown): Cause | undefined => {
  const code = failure instanceof EngineError ? codes.find((one) => one === failure.code) : undefined
  if (code === undefined || !(failure instanceof EngineError)) return undefined
  const mark = [code, ...PLACES[code].map((name) => failure.facts[name])].join(' ')
  return { mark, reason: `${mark}: ${failure.message}` }
}

/** Number of the frame to which a decoder could not roll back: all frames decoded after it are orphaned. Undefined: another cause. */
export const deadAfterOf = (reason: string): number | undefined => {
  const [, number] = /^undo_exhausted \w+ (\d+) /.exec(reason) ?? []
  return number === undefined ? undefined : Number(number)
}

/** True if the tape itself has to be decoded again, because it is at fault rather than the stores. */
export const isOfTape = async ({ code, facts }: EngineError, log: LogReader, topics: TapeTopics, form: TapeForm): Promise<boolean> => {
  if (code !== 'exchange_torn') return code === 'time_fell' || code === 'tape_torn'
  return !(await hasFrame(await CorrectedTape.open(log, topics, form), Number(facts.writer), Number(facts.closedBy)))
}

/** True if a partition of the tape has the frame with a sequence. */
const hasFrame = async (tape: CorrectedTape, partition: number, sequence: number): Promise<boolean> => {
  for await (const record of tape.records(partition, tape.start(partition))) {
    const entry = tape.recordIn(record)
    if (entry?.type === 'batch' && entry.sequence >= sequence) return entry.sequence === sequence
  }
  return false
}
