// Snapshots in memory, for tests. Simulates no disk, no damage and no second process.
import type { LogRecord } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { PartitionSnapshot, SnapshotExtent, SnapshotPlace, SnapshotStore } from '../ports/partition-snapshots.ts'
import { otherSchema } from './file-reader.ts'

interface Kept extends SnapshotExtent {
  readonly identity: string
  readonly schema: string
  readonly records: readonly LogRecord[]
}

class MemoryStore implements SnapshotStore {
  readonly #kept = new Map<string, Kept>()
  readonly #notice: Notice

  constructor(notice: Notice) {
    this.#notice = notice
  }
  async open(place: SnapshotPlace): Promise<PartitionSnapshot | undefined> {
    const kept = this.#kept.get(nameOf(place))
    if (kept === undefined) return undefined
    const { next, madeAtMs, records, identity, schema } = kept
    if (identity !== place.identity || schema !== place.schema) {
      const isOther = `it is of topic id ${identity}, this one is ${place.identity}`
      this.#notice('snapshot_refused', {
        topic: nameOf(place),
        reason: identity === place.identity ? otherSchema(schema, place.schema) : isOther,
      })
      await this.remove(place)
      return undefined
    }
    async function* batches(): AsyncGenerator<readonly LogRecord[]> {
      if (records.length > 0) yield records
    }
    return { next, madeAtMs, records: records.length, batches, close: async () => {} }
  }
  async write(place: SnapshotPlace, { next, madeAtMs }: SnapshotExtent, batches: AsyncIterable<readonly LogRecord[]>): Promise<number> {
    const records: LogRecord[] = []
    for await (const batch of batches)
      for (const { offset, key, value } of batch) {
        if (value === null) throw new Error('a snapshot has no tombstones')
        records.push({ offset, key: new Uint8Array(key), value: new Uint8Array(value) })
      }
    this.#kept.set(nameOf(place), { next, madeAtMs, identity: place.identity, schema: place.schema, records })
    return records.length
  }
  async remove(place: SnapshotPlace): Promise<void> {
    this.#kept.delete(nameOf(place))
  }
}

const nameOf = ({ topic, partition }: SnapshotPlace): string => `${topic}/${partition}`

export const createMemoryStore = (notice: Notice = () => {}): SnapshotStore => new MemoryStore(notice)
