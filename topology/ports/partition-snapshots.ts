// Partition snapshots: local copies of the live records of compacted partitions. Adapters: snapshots/file-store.ts and memory-store.ts; one
// contract suite in test/contract. (snapshot.ts is the port of backups.)
import type { LogRecord } from './log.ts'

export interface SnapshotPlace {
  /** Name of the topic, without the prefix. */
  readonly topic: string
  readonly partition: number
  /** Identity of the topic: a topic of the same name in another cluster, or one created again, has another identity. */
  readonly identity: string
  /** Identifies the shape of the values: a log translates values of other versions as they are read, a snapshot does not. */
  readonly schema: string
}

/** What a snapshot covers. */
export interface SnapshotExtent {
  /** Offset at which the log continues: the snapshot has the newest record of each key below it, without tombstones. */
  readonly next: number
  /** Unix ms: records from `next` on were written later, apart from a few seconds. */
  readonly madeAtMs: number
}

export interface PartitionSnapshot extends SnapshotExtent {
  /** Number of records. */
  readonly records: number
  /** Batches of records in offset order, with their original offsets. For one reader; closes the snapshot. @throws EngineError `log_io` */
  batches(): AsyncIterable<readonly LogRecord[]>
  /** For a snapshot that is not read to its end. */
  close(): Promise<void>
}

export interface SnapshotStore {
  /**
   * The stored snapshot of a partition, checked as a whole. It stays readable while it is replaced. Undefined if there is none; one that is
   * damaged, of another format, identity or schema is deleted, with the notice `snapshot_refused`.
   */
  open(place: SnapshotPlace): Promise<PartitionSnapshot | undefined>
  /**
   * Replaces the snapshot of a partition, completely or not at all. `batches` in offset order, without tombstones; their bytes must not
   * change until the call resolves. Returns the number of records. @throws the failure of `batches`, or an Error that states why the
   * snapshot cannot be stored; the former snapshot then stays
   */
  write(place: SnapshotPlace, extent: SnapshotExtent, batches: AsyncIterable<readonly LogRecord[]>): Promise<number>
  remove(place: SnapshotPlace): Promise<void>
}
