// Records and places of the suites of partition snapshots.
import type { LogRecord } from '../../topology/ports/log.ts'
import type { PartitionSnapshot, SnapshotPlace } from '../../topology/ports/partition-snapshots.ts'

export const PLACE: SnapshotPlace = { topic: 'mint.changelog', partition: 3, identity: 'aa', schema: '11' }
export const EXTENT = { next: 90, madeAtMs: 1_790_000_000_123 }

export const record = (offset: number, key: string, value: string): LogRecord => ({
  offset,
  key: Buffer.from(key),
  value: Buffer.from(value),
})
export const batchesOf = async function* (...batches: readonly (readonly LogRecord[])[]): AsyncGenerator<readonly LogRecord[]> {
  yield* batches
}
/** Records as text, in the order in which they are read. */
export const readOut = async (snapshot: Pick<PartitionSnapshot, 'batches'> | undefined): Promise<string[]> => {
  const texts: string[] = []
  for await (const batch of snapshot?.batches() ?? [])
    for (const { offset, key, value } of batch) texts.push(`${offset} ${Buffer.from(key)} ${value && Buffer.from(value)}`)
  return texts
}
