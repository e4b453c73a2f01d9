// Up to which frame both versions have reported everything.
import type { TapeForm } from '../../../schemas/record-forms.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { Progress } from '../../../schemas/types.ts'
import type { LogReader } from '../../ports/log.ts'
import { progressIn } from '../../records/progress-in.ts'
import { recordsOf } from '../../records/records-of.ts'
import { tapeRecordIn } from '../decoding/corrected-tape.ts'

/** Records of the tape that are searched first for a frame. */
const LOOK_BACK = 1_024

/** The position of the task that folds a partition: each call reads only what is new. */
export class TaskPosition {
  readonly #log: LogReader
  readonly #topic: Topics['progress']
  readonly #partition: number
  #next: number | undefined
  #newest: Progress | undefined

  constructor(log: LogReader, topic: Topics['progress'], partition: number) {
    this.#log = log
    this.#topic = topic
    this.#partition = partition
  }
  /** Undefined before the task's first commit. */
  async newest(): Promise<Progress | undefined> {
    const from = this.#next ?? this.#log.start(this.#topic, this.#partition)
    for await (const record of recordsOf(this.#log, this.#topic, this.#partition, { from })) {
      this.#newest = progressIn(record) ?? this.#newest
      this.#next = record.offset + 1
    }
    return this.#newest
  }
}

/**
 * Number of the newest frame that both tasks have folded, and that no fork since has removed for one of them. Read the positions before
 * what is compared, and call this after it.
 */
export const commonFrame = async (
  log: LogReader,
  tape: Topics['tape'],
  form: TapeForm,
  partition: number,
  positions: readonly Progress[],
): Promise<number> => {
  const common = Math.min(...positions.map(({ number }) => number))
  for (let count = LOOK_BACK; ; count *= 4) {
    const start = log.start(tape, partition)
    const from = Math.max(start, log.end(tape, partition) - count)
    const { forkedTo, isWhole } = await forksSince(log, tape, form, partition, positions, from)
    if (isWhole || from === start) return Math.min(common, forkedTo)
  }
}

/** The lowest fork point after the first of the positions; `isWhole`: every position was found. */
const forksSince = async (
  log: LogReader,
  tape: Topics['tape'],
  { codec }: TapeForm,
  partition: number,
  positions: readonly Progress[],
  from: number,
): Promise<{ readonly forkedTo: number; readonly isWhole: boolean }> => {
  const missing = new Set(positions.map(({ number, hash8 }) => `${number}@${hash8}`))
  const { size } = missing
  let forkedTo = Number.POSITIVE_INFINITY
  for await (const record of recordsOf(log, tape, partition, { from })) {
    const entry = tapeRecordIn(codec, record)
    if (entry?.type === 'batch') missing.delete(`${entry.number}@${entry.hash8}`)
    else if (entry?.type === 'revert' && (missing.size < size || size === 0)) forkedTo = Math.min(forkedTo, entry.number)
  }
  return { forkedTo, isWhole: missing.size === 0 }
}
