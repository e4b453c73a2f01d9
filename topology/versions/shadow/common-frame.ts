// Up to which frame both versions have reported everything.
import { progressCodec } from '../../../schemas/codecs.ts'
import type { TapeForm } from '../../../schemas/record-forms.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { Progress } from '../../../schemas/types.ts'
import type { LogReader } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { tapeRecordIn } from '../decoding/corrected-tape.ts'

/** Records of the tape that are searched first for a frame. */
const LOOK_BACK = 1_024

/** Position of the task that folds a partition; undefined before its first commit. */
export const progressIn = async (log: LogReader, topic: Topics['progress'], partition: number): Promise<Progress | undefined> => {
  let newest: Progress | undefined
  for await (const { value } of recordsOf(log, topic, partition)) {
    const read = value === null ? undefined : progressCodec.decode(value)
    if (read?.ok === true) newest = read.value
  }
  return newest
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
