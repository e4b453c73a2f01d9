// The log port: partitioned, ordered, transactional. Adapters: logs/memory, logs/lmdb; one contract suite in test/contract.
import type { Topic } from '../../schemas/topics.ts'

/** A record to append. In compacted topics a later record of a key replaces the earlier, and a null value removes it. */
export interface OutRecord {
  readonly topic: Topic
  readonly partition: number
  readonly key: Uint8Array
  readonly value: Uint8Array | null
}

/** A record as read back. `offset` grows within a partition; compaction leaves holes. */
export interface LogRecord {
  readonly offset: number
  readonly key: Uint8Array
  readonly value: Uint8Array | null
}

/** One unit: all of it is there after a crash, or none. */
export interface Commit {
  readonly outputs: readonly OutRecord[]
  /** Next offset to read of each input partition, by `topic/partition` (or a source's own name). */
  readonly inputs: ReadonlyMap<string, number>
}

export interface ReadLimits {
  /** At most this many records. */
  readonly recordsMax: number
  /** Stops once this many bytes are reached; one record is always given. */
  readonly bytesMax: number
}

/** A task's right to write: the newest owner of an id fences the older ones. */
export interface TaskOwner {
  readonly id: string
  /** Input offsets of the newest commit under this id. */
  committed(): ReadonlyMap<string, number>
  /**
   * Appends all or nothing; resolves when durable as the adapter defines it. Commits of one owner take effect in call order.
   * @throws EngineError `fenced` (never retriable) when a newer owner has the id; `log_full` when the medium is full.
   */
  commit(commit: Commit): Promise<void>
}

export interface Log {
  /** How many partitions `topic` has here. */
  partitions(topic: Topic): number
  /** Records from `offset` on, oldest first; empty at the end. Gives only committed records. @throws EngineError `offset_expired` below `start`. */
  read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]>
  /** First offset still kept. */
  start(topic: Topic, partition: number): number
  /** Offset that the next record will get. */
  end(topic: Topic, partition: number): number
  /** Takes the id over: every older owner of it is fenced. */
  own(id: string): Promise<TaskOwner>
  /** Called after each commit of any owner, with the topics written; returns how to stop. Listeners must not throw. */
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void
  /** Drops records of a non-compacted topic below `offset`. */
  trim(topic: Topic, partition: number, offset: number): Promise<void>
  /** Waits for commits under way, then lets go of the medium. */
  close(): Promise<void>
}
