// Decodes the retained raw frames of a chain again, into a staging log.
import { assert, hasCode } from '../../../schemas/errors.ts'
import { numberIn } from '../../../schemas/position.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { DeadLetter } from '../../../schemas/types.ts'
import { Task } from '../../engine/task.ts'
import type { Log, TaskOwner } from '../../ports/log.ts'
import { offsetAt } from '../../records/records.ts'
import type { Making } from '../folding/making.ts'
import { OpenTasks, tasksHere } from '../folding/run-to-end.ts'
import { readNote, writeNote } from '../rebuild/note.ts'
import { type FixedInput, OverlayLog } from '../rebuild/overlay-log.ts'
import { CorrectedTape } from './corrected-tape.ts'
import { DeadLetterIndex } from './dead-letter-index.ts'
import { seedOf } from './decode-seed.ts'
import { deadRangeOf, decodedTo, type RawRange, rawRangeOf, revertTo } from './raw-range.ts'

/** Tape, dead letters and rows as a clean run would have produced them, from a frame on. */
export interface Decoded {
  readonly scratch: Log
  readonly range: RawRange
}

/** Input of a decoding pass. */
export interface DecodeTo {
  /** Takes over the decoder's id, which fences the running decoder for a moment: it takes the id over again and continues. */
  own(): Promise<TaskOwner>
  /** The decoder's owner if it was taken over permanently; absent while tasks continue. */
  readonly decoder: TaskOwner | undefined
}

interface Note extends Omit<RawRange, 'to'> {
  /** True if no retained frame was decoded before. */
  readonly isNone?: boolean
}

/** A decoder that has decoded all input of the newest pass. */
interface OpenDecode {
  readonly scratch: Log
  readonly note: Note
  readonly overlay: OverlayLog
  readonly tasks: OpenTasks
}

/** Decodes in passes. The decoder's rows stay in memory between two passes. */
export class DecodePasses {
  readonly #making: Making
  /** The least sequence at which decoding begins: raised past a fork that rolled back every retained frame before it. */
  #least = 0
  #open: OpenDecode | undefined

  constructor(making: Making) {
    this.#making = making
  }
  /**
   * Decodes again everything decoded so far, except what an earlier pass decoded. Undefined if it was stopped, or if no retained frame was
   * decoded before.
   */
  async next(upTo: DecodeTo): Promise<Decoded | undefined> {
    const { log, topology, stop, progress } = this.#making
    const topics = topology.operations.rebuild.reads
    for (;;) {
      const { scratch, note } = this.#open ?? (await this.#begin(upTo))
      if (note.isNone) return undefined
      const range = { ...note, to: await decodedTo(log, topics, topology.chain.tape, upTo.decoder) }
      try {
        const input = inputOf(log, topics.raw, range)
        this.#open?.overlay.extend(input)
        this.#open ??= await this.#start(scratch, note, input)
        const open = this.#open
        const isDone = await open.tasks.toEnd(stop, () => progress(open.overlay.share))
        return isDone ? { scratch, range } : undefined
      } catch (failure) {
        await this.end().catch(() => {})
        // The retained frames begin on a branch that a fork rolled back completely.
        const isDeep = hasCode(failure, 'undo_exhausted')
        const past = isDeep ? await revertTo(log, topics.raw, range, Number(failure.facts.number)) : undefined
        if (past === undefined) throw failure
        this.#least = past + 1
      }
    }
  }
  /** Ends the decoder, which then has committed all that it decoded. */
  async end(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await open?.tasks.end()
  }
  async #begin(upTo: DecodeTo): Promise<Pick<OpenDecode, 'scratch' | 'note'>> {
    const { log, topology, staging, identity } = this.#making
    const topics = topology.operations.rebuild.reads
    const partitions = log.partitions(topics.tape)
    const scratch = await staging.open('decode', { partitions, identity: `${identity} ${this.#least}` })
    const noted = await readNote<Note>(scratch, topics.stores)
    return { scratch, note: noted ?? (await begin(this.#making, scratch, this.#least, await upTo.own())) }
  }
  async #start(scratch: Log, note: Note, input: FixedInput): Promise<OpenDecode> {
    const { topology, limits } = this.#making
    const overlay = new OverlayLog(input, scratch)
    const definition = topology.decode(scratch.partitions(topology.operations.rebuild.reads.tape))
    const tasks = new OpenTasks(tasksHere(overlay, () => [new Task(definition, 0, limits)], limits))
    await tasks.start()
    return { scratch, note, overlay, tasks }
  }
}

/** Writes the decoder's rows as of the first retained frame. The decoder pauses meanwhile, so that rows and tape are of the same moment. */
const begin = async ({ log, topology, deadAfter }: Making, scratch: Log, least: number, decoder: TaskOwner): Promise<Note> => {
  await log.refresh()
  const topics = topology.operations.rebuild.reads
  const tape = await CorrectedTape.open(log, topics, topology.chain.tape)
  const range =
    deadAfter === undefined ? await rawRangeOf(log, topics.raw, decoder, least) : await deadRangeOf(log, topics.raw, decoder, deadAfter)
  const { name, folds } = topology.decode(tape.partitions)
  const [fold] = folds
  assert(fold !== undefined, 'the task of the decoder has one fold')
  const isDecoded = range && isDecodedIn(name, topics.raw, range)
  const deadLetters =
    isDecoded &&
    (await (
      await DeadLetterIndex.open(log, topics.deadLetters)
    ).countOf((deadLetter) => isDecoded(deadLetter) && numberIn(deadLetter.position) !== undefined))
  const rows = { topic: topics.decodeChangelog, state: fold.state }
  const seed = range === undefined ? [] : await seedOf(log, topology.chain.name, rows, tape, range, deadLetters ?? 0)
  if (seed.length > 0) await (await scratch.own('seed')).commit({ outputs: seed, inputs: new Map() })
  const note = range === undefined ? { from: 0, sequence: 0, number: 0, isNone: true } : noteOf(range)
  await writeNote(scratch, topics.stores, note)
  return note
}

const noteOf = ({ from, sequence, number }: RawRange): Note => ({ from, sequence, number })

const inputOf = (log: Log, topic: Topics['raw'], { from, to }: RawRange): FixedInput => ({
  topic,
  start: () => from,
  end: () => to,
  position: (offset) => offset,
  read: async (partition, offset, read) => {
    if (offset >= to) return []
    return (await log.read(topic, partition, offset, read)).filter((record) => record.offset < to)
  },
})

/** True for dead letters that the decoder wrote about a frame or a raw record of the range. */
export const isDecodedIn =
  (name: string, topic: Topics['raw'], { from, to, number }: RawRange) =>
  ({ processor, position }: DeadLetter): boolean => {
    if (processor !== name) return false
    const offset = offsetAt({ topic, partition: 0 }, position) ?? formerOffsetAt(name, position)
    if (offset !== undefined) return offset >= from && offset < to
    return (numberIn(position) ?? -1) >= number
  }

/** Offset in dead letters of older versions, whose positions name the processor instead of topic and partition. */
export const formerOffsetAt = (name: string, position: string): number | undefined =>
  position.startsWith(`${name}/`) ? Number(position.slice(name.length + 1)) : undefined
