// Folds the tape of a chain again, from the oldest row copies that the tape still covers, into a staging log.

import { EngineError } from '../../../schemas/errors.ts'
import { IN_MEMORY } from '../../engine/rows/memory-pages.ts'
import { TaskPages } from '../../engine/rows/task-pages.ts'
import { Task } from '../../engine/task.ts'
import type { Log } from '../../ports/log.ts'
import type { Topology } from '../../topology.ts'
import { type CorrectedTape, tapeOffset } from '../decoding/corrected-tape.ts'
import { type DecodedTape, type Fork, TapeInput } from '../decoding/tape-input.ts'
import { readNote, writeNote } from '../rebuild/note.ts'
import { OverlayLog } from '../rebuild/overlay-log.ts'
import { type Beginning, begin } from './fold-begin.ts'
import type { Making, OpenFoldThreads } from './making.ts'
import { limitsToEnd, runToEnd, tasksHere } from './run-to-end.ts'

/** Stores and outputs as the new versions would have produced them. */
export interface Folded extends Beginning {
  readonly scratch: Log
}

/** Folds everything available now, except what an earlier call folded. Undefined if it was stopped. */
export const foldAgain = async (
  tape: CorrectedTape,
  decoded: DecodedTape | undefined,
  making: Making,
  from: FoldFrom,
): Promise<Folded | undefined> => {
  const { topology, stop, staging, progress } = making
  const { partitions } = tape
  const topics = topology.operations.rebuild.reads
  for (;;) {
    const identity = `${making.identity} ${from.base} ${from.least} ${from.expired} ${from.forks.length}`
    const scratch = await staging.open('fold', { partitions, identity })
    let threads: OpenFoldThreads | undefined
    let starts: Beginning['starts'] = []
    try {
      const noted = await readNote<Beginning>(scratch, topics.stores)
      const beginning = noted ?? (await begin(tape, making, scratch, from))
      if (noted === undefined) await writeNote(scratch, topics.stores, beginning)
      starts = beginning.starts
      const input = new TapeInput({ topic: topics.tape, tape, starts, decoded, forks: from.forks })
      const log = new OverlayLog(input, scratch)
      threads = await openTasks(log, making, tape, starts)
      const isDone = await runToEnd(threads.tasks, stop, () => progress(log.share))
      return isDone ? { scratch, ...beginning } : undefined
    } catch (failure) {
      await from.moveOn(tape, failure, starts)
    } finally {
      await threads?.end()
    }
  }
}

/** A rebuild does not need copies of its own rows. */
export const withoutBases = (topology: Topology, partitions: number): Omit<ReturnType<Topology['folds']>, 'bases'> => {
  const { bases: _, ...definition } = topology.folds(partitions)
  return definition
}

const openTasks = async (log: Log, making: Making, tape: CorrectedTape, starts: Beginning['starts']): Promise<OpenFoldThreads> => {
  const { topology, limits, foldThreads, pages = IN_MEMORY } = making
  const { partitions } = tape
  const records = starts.reduce((sum, { place }, partition) => sum + tapeOffset(tape.end(partition)) - tapeOffset(place), 0)
  if (foldThreads !== undefined && records >= foldThreads.recordsMin) return foldThreads.open(log, topology, limitsToEnd(limits))
  const kept = new TaskPages(pages)
  const definition = withoutBases(topology, partitions)
  const tasks = tasksHere(
    log,
    (handOver) => Array.from({ length: partitions }, (_, at) => new Task(definition, at, limits, handOver, kept)),
    limits,
  )
  return { tasks, end: async () => kept.close() }
}

/** How often folding begins again because retention, which runs once a minute, trimmed the tape past the beginning. */
const EXPIRED_MAX = 10

/** Where folding begins: moved forward if the log lacks what an earlier beginning needs. */
export class FoldFrom {
  /** Index among the usable copies, oldest first; if a partition has fewer, no copy is used. */
  base = 0
  /** Sequence of the first frame to fold, if no copy is used. */
  least = 0
  /** Forks deeper than the undo limit: the frames that they rolled back are skipped. */
  readonly forks: Fork[] = []
  /** How often the tape was trimmed past the beginning. */
  expired = 0

  /** Rethrows failures that missing records do not explain. */
  async moveOn(tape: CorrectedTape, failure: unknown, starts: Beginning['starts']): Promise<void> {
    if (!(failure instanceof EngineError)) throw failure
    const { code, facts } = failure
    if (code === 'offset_expired' && this.expired < EXPIRED_MAX) this.expired++
    else if (code === 'exchange_torn') this.least = Math.max(this.least, Number(facts.closedBy) + 1)
    else if (code === 'undo_exhausted') {
      const fork = await forkOf(tape, failure)
      if (!starts.some((start) => isOnDeadBranch(start, fork))) return this.#pass(fork, failure)
      this.least = fork.sequence + 1
    } else throw failure
    if (code === 'offset_expired') this.base = 0
    else this.base++
  }
  #pass(fork: Fork, failure: EngineError): void {
    if (this.forks.some(({ sequence }) => sequence === fork.sequence)) throw failure
    this.forks.push(fork)
  }
}

/** True if a copy includes frames that a fork rolled back later. */
const isOnDeadBranch = ({ sequence, number }: Beginning['starts'][number], fork: Fork): boolean =>
  sequence >= 0 && sequence < fork.sequence && number > fork.number

/** The newest fork whose fork point is the frame of the failure, to which the folds could not roll back. */
const forkOf = async (tape: CorrectedTape, failure: EngineError): Promise<Fork> => {
  const { number, hash8 } = failure.facts
  let found: Fork | undefined
  for await (const record of tape.records(0, tape.start(0))) {
    const entry = tape.recordIn(record)
    if (entry?.type === 'revert' && entry.number === number && entry.hash8 === hash8) found = entry
  }
  if (found === undefined) throw failure
  return { number: found.number, sequence: found.sequence }
}
