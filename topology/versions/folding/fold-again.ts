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
import { limitsToEnd, OpenTasks, tasksHere } from './run-to-end.ts'

/** Stores and outputs as the new versions would have produced them. */
export interface Folded extends Beginning {
  readonly scratch: Log
}

/** Tasks that have folded all input of the newest pass. */
interface OpenFold {
  readonly folded: Folded
  readonly log: OverlayLog
  readonly tasks: OpenTasks
  /** True if the tasks run in other threads, which end after one pass. */
  readonly isElsewhere: boolean
  end(): Promise<void>
}

/** Folds in passes. The tasks stay open between two passes, so that a pass costs only what it folds. */
export class FoldPasses {
  readonly #making: Making
  readonly #from = new FoldFrom()
  #open: OpenFold | undefined
  /** True after the first pass: starting threads takes longer than what later ones fold. */
  #isHere = false

  constructor(making: Making) {
    this.#making = making
  }
  /** True if the next pass restores no rows. */
  get isOpen(): boolean {
    return this.#open !== undefined
  }
  /** Folds everything on the tape now, except what an earlier pass folded. Undefined if it was stopped. */
  async next(tape: CorrectedTape, decoded: DecodedTape | undefined): Promise<Folded | undefined> {
    const { topology, stop, progress } = this.#making
    const topic = topology.operations.rebuild.reads.tape
    for (;;) {
      let starts: Beginning['starts'] = []
      try {
        const folded = this.#open?.folded ?? (await this.#begin(tape))
        starts = folded.starts
        const input = new TapeInput({ topic, tape, starts, decoded, forks: this.#from.forks })
        this.#open?.log.extend(input)
        const making = { ...this.#making, foldThreads: this.#isHere ? undefined : this.#making.foldThreads }
        this.#open ??= await openFold(making, folded, tape, input)
        const open = this.#open
        const isDone = await open.tasks.toEnd(stop, () => progress(open.log.share))
        this.#isHere = true
        if (open.isElsewhere) await this.end()
        return isDone ? folded : undefined
      } catch (failure) {
        // The failure that ended a task is the one that is handled here.
        await this.end().catch(() => {})
        await this.#from.moveOn(tape, failure, starts)
      }
    }
  }
  /** Ends the tasks, which then have committed all that they folded. The next pass restores their rows. */
  async end(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await open?.end()
  }
  /** The staging log with the tasks' initial rows. */
  async #begin(tape: CorrectedTape): Promise<Folded> {
    const { identity, staging, topology } = this.#making
    const { base, least, expired, forks } = this.#from
    const name = `${identity} ${base} ${least} ${expired} ${forks.length}`
    const scratch = await staging.open('fold', { partitions: tape.partitions, identity: name })
    const { stores } = topology.operations.rebuild.reads
    const noted = await readNote<Beginning>(scratch, stores)
    const beginning = noted ?? (await begin(tape, this.#making, scratch, this.#from))
    if (noted === undefined) await writeNote(scratch, stores, beginning)
    return { scratch, ...beginning }
  }
}

/** A rebuild does not need copies of its own rows. */
export const withoutBases = (topology: Topology, partitions: number): Omit<ReturnType<Topology['folds']>, 'bases'> => {
  const { bases: _, ...definition } = topology.folds(partitions)
  return definition
}

const openFold = async (making: Making, folded: Folded, tape: CorrectedTape, input: TapeInput): Promise<OpenFold> => {
  const { topology, limits, foldThreads } = making
  const log = new OverlayLog(input, folded.scratch)
  const records = folded.starts.reduce((sum, { place }, partition) => sum + tapeOffset(tape.end(partition)) - tapeOffset(place), 0)
  const isElsewhere = foldThreads !== undefined && records >= foldThreads.recordsMin
  const threads = isElsewhere ? await foldThreads.open(log, topology, limitsToEnd(limits)) : foldsHere(log, making, tape.partitions)
  const tasks = new OpenTasks(threads.tasks)
  const end = (): Promise<void> => tasks.end().finally(() => threads.end())
  try {
    await tasks.start()
  } catch (failure) {
    await end()
    throw failure
  }
  return { folded, log, tasks, isElsewhere, end }
}

const foldsHere = (log: Log, { topology, limits, pages = IN_MEMORY }: Making, partitions: number): OpenFoldThreads => {
  const kept = new TaskPages(pages)
  const definition = withoutBases(topology, partitions)
  const tasks = tasksHere(
    log,
    (outlet) => Array.from({ length: partitions }, (_, at) => new Task(definition, at, limits, outlet, kept)),
    limits,
  )
  return { tasks, end: async () => kept.close() }
}

/** How often folding begins again because retention, which runs once a minute, trimmed the tape past the beginning. */
const EXPIRED_MAX = 10

/** Where folding begins: moved forward if the log lacks what an earlier beginning needs. */
class FoldFrom {
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
