// The decoder of a chain over the raw frames that are still kept, into a scratch log.
import { EngineError } from '../../schemas/errors.ts'
import { parsePosition } from '../../schemas/position.ts'
import { TOPICS } from '../../schemas/topics.ts'
import type { DeadLetter } from '../../schemas/types.ts'
import { Task } from '../engine/task.ts'
import type { Log, TaskOwner } from '../ports/log.ts'
import { BesideLog } from './beside-log.ts'
import type { CorrectedTape } from './corrected-tape.ts'
import { seedOf } from './decode-seed.ts'
import type { Making } from './fold-again.ts'
import { Letters } from './letters.ts'
import { type RawRange, rawRangeOf, revertTo } from './raw-range.ts'
import { runToEnd } from './run-to-end.ts'

/** Tape, dead letters and rows as a clean run would have made them, from a frame on. */
export interface Decoded {
  readonly scratch: Log
  readonly range: RawRange
}

/** Undefined when it was stopped, or when no frame is kept that was decoded. */
export const decodeAgain = async (log: Log, tape: CorrectedTape, decoder: TaskOwner, making: Making): Promise<Decoded | undefined> => {
  const { wiring, limits, stop, openScratch, progress } = making
  for (let least = 0; ; ) {
    const range = await rawRangeOf(log, decoder, least)
    if (range === undefined) return undefined
    const definition = wiring.decode(tape.partitions)
    const isDecoded = isDecodedIn(definition.name, range)
    const letters = await (await Letters.open(log)).countOf((letter) => isDecoded(letter) && parsePosition(letter.position) !== undefined)
    const seed = await seedOf(log, tape, range, letters)
    const scratch = await openScratch('decode')
    if (seed !== undefined) await (await scratch.own('seed')).commit({ outputs: [seed], inputs: new Map() })
    const beside = new BesideLog(
      {
        topic: TOPICS.rawSolana,
        start: () => range.from,
        end: () => range.to,
        read: async (partition, offset, read) => {
          if (offset >= range.to) return []
          return (await log.read(TOPICS.rawSolana, partition, offset, read)).filter((record) => record.offset < range.to)
        },
      },
      scratch,
    )
    try {
      const isDone = await runToEnd(
        beside,
        () => [new Task(definition, 0, limits)],
        limits,
        stop,
        () => progress(beside.share),
      )
      return isDone ? { scratch, range } : undefined
    } catch (failure) {
      // The frames kept begin on a branch that a fork took back whole.
      const isDeep = failure instanceof EngineError && failure.code === 'undo_exhausted'
      const past = isDeep ? await revertTo(log, range, Number(failure.facts.number)) : undefined
      if (past === undefined) throw failure
      least = past + 1
    }
  }
}

/** True for a letter that the decoder wrote of a frame or a raw record of the range. */
export const isDecodedIn =
  (name: string, { from, to, frame }: RawRange) =>
  ({ processor, position }: DeadLetter): boolean => {
    if (processor !== name) return false
    const offset = rejectedAt(name, position)
    if (offset !== undefined) return offset >= from && offset < to
    return (parsePosition(position)?.number ?? -1) >= frame.number
  }

/** Offset of the input record that a processor could not read; undefined for a letter of something in a frame. */
export const rejectedAt = (name: string, position: string): number | undefined =>
  position.startsWith(`${name}/`) ? Number(position.slice(name.length + 1)) : undefined
