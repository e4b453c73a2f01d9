// The folds of a chain over its tape, from the first frame that every partition has, into a scratch log.
import { tapeRecordCodec } from '../../schemas/codecs.ts'
import { EngineError } from '../../schemas/errors.ts'
import { TOPICS } from '../../schemas/topics.ts'
import type { TapeRecord } from '../../schemas/types.ts'
import type { EngineLimits } from '../engine/limits.ts'
import { Task } from '../engine/task.ts'
import type { Wiring } from '../launch-risk.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import { BesideLog } from './beside-log.ts'
import type { CorrectedTape } from './corrected-tape.ts'
import type { FirstFrame } from './revise.ts'
import { runToEnd } from './run-to-end.ts'

/** What a rebuild of a kind needs. */
export interface Making {
  readonly wiring: Wiring
  readonly limits: EngineLimits
  readonly stop: AbortSignal
  /** An empty scratch log: what one of that name held before is gone. */
  readonly openScratch: (name: 'decode' | 'fold') => Promise<Log>
  /** How much of the input is done, 0 to 1. */
  readonly progress: (share: number) => void
}

/** Stores and outputs as a clean run would have made them. */
export interface Folded {
  readonly scratch: Log
  readonly first: FirstFrame
  /** The places of each partition where the tasks began. */
  readonly starts: readonly number[]
}

/** Undefined when it was stopped. */
export const foldAgain = async (tape: CorrectedTape, making: Making): Promise<Folded | undefined> => {
  const { wiring, limits, stop, openScratch, progress } = making
  const { partitions } = tape
  for (let least = 0; ; ) {
    const { first, starts } = await beginning(tape, least)
    const scratch = await openScratch('fold')
    const log = new BesideLog(
      {
        topic: TOPICS.tapeSolana,
        start: (partition) => starts[partition] as number,
        end: (partition) => tape.end(partition),
        read: (partition, offset, read) => tape.read(partition, offset, read),
      },
      scratch,
    )
    try {
      const isDone = await runToEnd(
        log,
        (handOver) => Array.from({ length: partitions }, (_, partition) => new Task(wiring.folds(partitions), partition, limits, handOver)),
        limits,
        stop,
        () => progress(log.share),
      )
      return isDone ? { scratch, first, starts } : undefined
    } catch (failure) {
      least = await pastWhatIsMissing(tape, failure, starts, least)
    }
  }
}

/** What a tape record says; undefined for bytes that are none. */
export const tapeRecordIn = ({ value, fault }: Pick<LogRecord, 'value' | 'fault'>): TapeRecord | undefined => {
  const read = value === null || fault !== undefined ? undefined : tapeRecordCodec.decode(value)
  return read?.ok === true ? read.value : undefined
}

/** The first frame from a sequence on that every partition has, and where it lies in each; a partition without it is at its end. */
const beginning = async (
  tape: CorrectedTape,
  least: number,
): Promise<{ readonly first: FirstFrame; readonly starts: readonly number[] }> => {
  const all = Array.from({ length: tape.partitions }, (_, partition) => partition)
  const heads = await Promise.all(all.map((partition) => frameFrom(tape, partition, least)))
  const sequence = Math.max(least, ...heads.map(({ head }) => head?.sequence ?? 0))
  const found = await Promise.all(all.map((partition) => frameFrom(tape, partition, sequence)))
  const first = found.find(({ head }) => head !== undefined)?.head
  return { first: first ?? { number: 0, time: 0 }, starts: found.map(({ place }) => place) }
}

interface Found {
  readonly place: number
  readonly head?: FirstFrame & { readonly sequence: number }
}
const frameFrom = async (tape: CorrectedTape, partition: number, least: number): Promise<Found> => {
  for await (const record of tape.records(partition, tape.start(partition))) {
    const said = tapeRecordIn(record)
    if (said?.type === 'batch' && said.sequence >= least) return { place: record.offset, head: said }
  }
  return { place: tape.end(partition) }
}

/**
 * The sequence from which to begin, where the tape does not hold what an earlier beginning needs: an epoch's facts that a partition lost,
 * or the frame that a fork went back to. Rethrows any other failure.
 */
const pastWhatIsMissing = async (tape: CorrectedTape, failure: unknown, starts: readonly number[], least: number): Promise<number> => {
  if (!(failure instanceof EngineError)) throw failure
  // Retention let go of where it began.
  if (failure.code === 'offset_expired') return least
  if (failure.code === 'exchange_torn') return Number(failure.facts.closedBy) + 1
  if (failure.code !== 'undo_exhausted') throw failure
  const { number, hash8 } = failure.facts
  for await (const record of tape.records(0, starts[0] as number)) {
    const said = tapeRecordIn(record)
    if (said?.type === 'revert' && said.number === number && said.hash8 === hash8) return said.sequence + 1
  }
  throw failure
}
