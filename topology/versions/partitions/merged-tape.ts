// The corrected tape of all partitions as one sequence of records, each with the events of all partitions.
import { assert } from '../../../schemas/errors.ts'
import { compareWithin } from '../../../schemas/position.ts'
import type { BatchOf, ChainEvent, TapeRecordOf } from '../../../schemas/record-forms.ts'
import type { CorrectedTape } from '../decoding/corrected-tape.ts'
import { nextOf } from './next-of.ts'

type TapeRecord = TapeRecordOf<ChainEvent>

/** Frames, forks and finality in the order of their sequence, from the first one that every partition still has. */
export async function* mergedTape(tape: CorrectedTape): AsyncGenerator<TapeRecord> {
  const readers = Array.from({ length: tape.partitions }, (_, partition) => entriesOf(tape, partition))
  const heads = await Promise.all(readers.map(nextOf))
  const first = Math.max(...heads.map((head) => head?.sequence ?? -1))
  for (;;) {
    const sequence = Math.min(...heads.map((head) => head?.sequence ?? Number.POSITIVE_INFINITY))
    if (sequence === Number.POSITIVE_INFINITY) return
    const parts: TapeRecord[] = []
    for (const [partition, reader] of readers.entries())
      for (let head = heads[partition]; head?.sequence === sequence; head = heads[partition]) {
        parts.push(head)
        heads[partition] = await nextOf(reader)
      }
    if (sequence >= first) yield merged(parts)
  }
}

/** The readable records of a partition. */
async function* entriesOf(tape: CorrectedTape, partition: number): AsyncGenerator<TapeRecord> {
  for await (const record of tape.records(partition, tape.start(partition))) {
    const entry = tape.recordIn(record)
    if (entry !== undefined) yield entry
  }
}

const isBatch = (record: TapeRecord): record is BatchOf<ChainEvent> => record.type === 'batch'

const merged = (parts: readonly TapeRecord[]): TapeRecord => {
  const [first] = parts
  assert(first !== undefined && parts.every(({ type }) => type === first.type), 'a sequence is of one kind of record')
  if (!isBatch(first)) return first
  return { ...first, events: parts.flatMap((part) => (isBatch(part) ? part.events : [])).sort(compareWithin) }
}
