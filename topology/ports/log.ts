// The log port: partitioned, ordered, transactional. Adapters: logs/memory, logs/lmdb, logs/kafka; one contract suite in test/contract.
//
// A log may be shared with other processes. `start`, `end` and `onCommit` report what this process has learned, never more than what is
// committed: its own commits at once, those of others a moment later, or after `refresh`. Each partition shows a commit atomically; another
// process may see a commit to several partitions in one of them a moment before the others.
import type { Topic } from '../../schemas/topics.ts'

/** A record to append. In compacted topics a later record of a key replaces the earlier one, and a null value removes it. */
export interface OutRecord {
  readonly topic: Topic
  readonly partition: number
  readonly key: Uint8Array
  readonly value: Uint8Array | null
}

/** A record as read back. `offset` grows within a partition, with gaps, which compaction and commits may leave. */
export interface LogRecord {
  readonly offset: number
  readonly key: Uint8Array
  readonly value: Uint8Array | null
  /** Why `value`, given unchanged, is invalid for its topic: another program wrote it. Never set where other programs cannot write. */
  readonly fault?: string
}

/** Atomic: after a crash all of it is stored, or none. */
export interface Commit {
  readonly outputs: readonly OutRecord[]
  /** Next offset to read of each input partition, by `topic/partition` (or the name of a source). */
  readonly inputs: ReadonlyMap<string, number>
  /** True: nobody waits for it soon, so that a shared owner's commit may wait some milliseconds for those of others. */
  readonly canWait?: boolean
}

export interface ReadLimits {
  /** At most this many records. */
  readonly recordsMax: number
  /** Stops when this many bytes are reached; at least one record is returned. */
  readonly bytesMax: number
}

/** A task's transactional producer: the newest owner of an id fences the older ones. */
export interface TaskOwner {
  readonly id: string
  /** Input offsets of the newest commit under this id. */
  committed(): ReadonlyMap<string, number>
  /**
   * Appends all or nothing; resolves when the commit is durable as the adapter defines it and readable here. Commits of one owner take
   * effect in call order. After a retriable failure nothing of it was written.
   * @throws EngineError `fenced` (never retriable) if a newer owner has the id; `log_full` if the medium is full, `log_unreachable`
   * if nothing answers.
   */
  commit(commit: Commit): Promise<void>
  /**
   * Closes the owner's resources in this process after the commits in flight have ended. The owner commits nothing afterwards; it keeps the
   * id until another owner takes it.
   */
  release(): Promise<void>
}

/** Messages between the processes that use a log. A message may be lost, come late, twice or out of order, and nobody waits for it. */
export interface Messages {
  /** Returns at once and never fails. */
  send(key: Buffer, value: Uint8Array): void
  /** From now on `receive` gets the messages of all processes, its own among them, until the log is closed. It must not throw. */
  listen(receive: (key: Buffer, value: Uint8Array) => void): void
}

/** The read-only part of a log. */
export type LogReader = Pick<Log, 'partitions' | 'read' | 'start' | 'end'>

/** The records of a compacted partition below an offset, as compaction would leave them: without replaced ones and tombstones. */
export interface Beginning {
  /** Offset at which the log continues. */
  readonly next: number
  /** In offset order. Can be read once. */
  batches(): AsyncIterable<readonly LogRecord[]>
}

/** The part of a log that a frame source uses. `start` and `end` may be stale: only `own` refreshes them. */
export type SourceLog = LogReader & Pick<Log, 'own' | 'peek'>

export interface Log {
  /** Number of partitions of `topic` in this log. */
  partitions(topic: Topic): number
  /**
   * Records from `offset` on, oldest first: possibly fewer than the limits allow, none only at the end. Returns only committed records.
   * @throws EngineError `offset_expired` below `start`.
   */
  read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]>
  /** First retained offset. */
  start(topic: Topic, partition: number): number
  /** One past the newest record: the next record gets this offset or a higher one. */
  end(topic: Topic, partition: number): number
  /**
   * For a compacted topic: tombstones below this offset may be gone. A reader that resumes below it may have missed one, and must read from
   * the start again. Adapters that cannot know exactly report a higher offset, never a lower one.
   */
  tombstoneFloor(topic: Topic, partition: number): number
  /**
   * For a compacted topic that is read from its start: the beginning of the partition from a local copy, which is read faster than the log.
   * Undefined if there is none. Absent if the log has no such copies.
   */
  beginning?(topic: Topic, partition: number): Promise<Beginning | undefined>
  /**
   * Resolves when everything committed by anybody before the call can be read here, except records behind an open transaction of another
   * owner: `decidedEnd` waits for those.
   */
  refresh(): Promise<void>
  /**
   * Takes over the id and fences every older owner. Their commits can then be read here, as after `refresh`. `isShared` (default false):
   * commits may be written together with those of other shared owners of this log, for many tasks that commit often; then each waits for
   * all of them. Adapters that gain nothing by it ignore it.
   */
  own(id: string, isShared?: boolean): Promise<TaskOwner>
  /**
   * Input offsets of the newest commit under an id, read without taking it over. Absent if no other process can be its owner.
   */
  peek?(id: string): Promise<ReadonlyMap<string, number>>
  /**
   * The end up to which a restore reads a partition, requested after `own`: everything committed there by anybody before the call lies
   * below it. If a transaction of any owner was open in the partition at the call, this waits until it has ended.
   * @throws EngineError `transaction_open` if it does not end within the adapter's limit, which is longer than transactions may last;
   * `log_unreachable` if nothing answers.
   */
  decidedEnd(topic: Topic, partition: number): Promise<number>
  /**
   * Calls the listener when new records can be read, with their topics: for this process's own commits, and for every partition that was
   * read or measured here. Calls may be coalesced; one commit may cause several. Returns the unsubscribe function. Listeners must not
   * throw.
   */
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void
  /** Drops records of a non-compacted topic below `offset`. */
  trim(topic: Topic, partition: number, offset: number): Promise<void>
  /** Why nothing new can be received, and since when (unix ms); null if there is no problem. Absent if the medium is local. */
  trouble?(): { readonly reason: string; readonly sinceMs: number } | null
  /**
   * Counts failed attempts that are retried, and the steps of takeovers: a caller that waits for the medium counts them as progress.
   * Absent if the medium is local.
   */
  tries?(): number
  /** The process wants to stop: from now on operations do not wait for an unreachable medium. Absent if the medium is local. */
  hurry?(): void
  /** Absent if no other process can use the log. */
  readonly messages?: Messages | undefined
  /** Waits for commits in flight, then closes the medium. */
  close(): Promise<void>
}
