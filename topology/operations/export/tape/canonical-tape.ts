// Merges the partitions of a log's tape into one sequence of frames, without frames that forks rolled back.
import { comparePositions } from '../../../../schemas/position.ts'
import type { BatchOf, ChainEvent, TapeRecordOf } from '../../../../schemas/record-forms.ts'
import type { CorrectedTape } from '../../../versions/decoding/corrected-tape.ts'

export type Batch = BatchOf<ChainEvent>
type TapeRecord = TapeRecordOf<ChainEvent>

/** A record of the tape cannot be read, or a partition lacks a frame that another has. */
export class TornTape extends Error {
  override readonly name = 'TornTape'
}

/** The next record of a partition. */
interface Head {
  readonly partition: number
  readonly records: AsyncGenerator<TapeRecord>
  record: TapeRecord | undefined
}

/** Records of one partition from an offset on. @throws TornTape for a record that cannot be read */
async function* recordsIn(tape: CorrectedTape, partition: number, place: number): AsyncGenerator<TapeRecord> {
  for await (const record of tape.records(partition, place)) {
    const entry = tape.recordIn(record)
    if (entry !== undefined) yield entry
    // A record without a value is one that a rebuild removed.
    else if (record.value !== null) throw new TornTape(`partition ${partition} of the tape has a record that cannot be read`)
  }
}

const joined = (parts: readonly Batch[]): Batch => {
  const [first] = parts as readonly [Batch]
  if (parts.length === 1) return first
  return {
    ...first,
    events: parts.flatMap(({ events }) => events).sort((a, b) => comparePositions({ ...first, ...a }, { ...first, ...b })),
  }
}

/** Frames, forks and finality of all partitions by sequence, from an offset of each partition on. @throws TornTape */
async function* joinedRecords(tape: CorrectedTape, places: readonly number[]): AsyncGenerator<TapeRecord> {
  const heads: Head[] = places.map((place, partition) => ({ partition, records: recordsIn(tape, partition, place), record: undefined }))
  const next = async (head: Head): Promise<void> => {
    const read = await head.records.next()
    head.record = read.done ? undefined : read.value
  }
  await Promise.all(heads.map(next))
  // Partitions are trimmed independently: frames that only some of them still have are skipped.
  const since = Math.max(...heads.map(({ record }) => record?.sequence ?? Number.POSITIVE_INFINITY))
  for (;;) {
    const sequences = heads.flatMap(({ record }) => record?.sequence ?? [])
    if (sequences.length === 0) return
    const sequence = Math.min(...sequences)
    const due = heads.filter(({ record }) => record?.sequence === sequence)
    const records = due.map(({ record }) => record as TapeRecord)
    const batches = records.filter((one): one is Batch => one.type === 'batch')
    // The end of the log: commits reach the partitions one after the other.
    if (due.length < heads.length && sequences.length < heads.length) return
    if (sequence >= since) {
      if (due.length < heads.length) throw new TornTape(`a partition of the tape lacks the frame with the sequence ${sequence}`)
      yield batches.length === records.length ? joined(batches) : (records[0] as TapeRecord)
    }
    await Promise.all(due.map(next))
  }
}

/**
 * Frames of the canonical branch that no fork can roll back, in the order of the chain: those that are final, or more than
 * `forkNumbersMax` numbers behind the newest. The remaining frames follow at the end of the log: the caller decides how many to use.
 * @throws TornTape
 */
export async function* canonicalFrames(tape: CorrectedTape, places: readonly number[], forkNumbersMax: number): AsyncGenerator<Batch> {
  let held: Batch[] = []
  let final = -1
  for await (const record of joinedRecords(tape, places)) {
    if (record.type === 'revert') {
      const at = held.findLastIndex(({ number, hash8 }) => number === record.number && hash8 === record.hash8)
      held = held.slice(0, at + 1)
      continue
    }
    if (record.type === 'finality') final = Math.max(final, record.finalized)
    else {
      held.push(record)
      final = Math.max(final, record.final ? record.number : record.number - forkNumbersMax - 1)
    }
    const open = held.findIndex(({ number }) => number > final)
    yield* held.splice(0, open < 0 ? held.length : open)
  }
  yield* held
}
