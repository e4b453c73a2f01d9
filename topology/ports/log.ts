// The log port: partitioned, ordered, transactional. Adapters: logs/memory, logs/lmdb, logs/kafka; one contract suite in test/contract.
//
// A log may be shared with other processes. What `start`, `end` and `onCommit` say is what this one has heard, never more than there is:
// its own commits at once, those of others a moment later, or after `refresh`. Each partition shows a commit whole; where a commit has
// several partitions, another process may see it in one of them a moment before the others.
import type { Topic } from '../../schemas/topics.ts'

/** A record to append. In compacted topics a later record of a key replaces the earlier, and a null value removes it. */
export interface OutRecord {
  readonly topic: Topic
  readonly partition: number
  readonly key: Uint8Array
  readonly value: Uint8Array | null
}

/** A record as read back. `offset` grows within a partition, with holes: compaction leaves them, and so may commits. */
export interface LogRecord {
  readonly offset: number
  readonly key: Uint8Array
  readonly value: Uint8Array | null
  /** Why `value`, given as it lies there, is none of its topic: somebody else wrote it. Where other programs cannot write, never set. */
  readonly fault?: string
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
   * Appends all or nothing; resolves when durable as the adapter defines it, and to be read here. Commits of one owner take effect in
   * call order. After a retriable failure nothing of it was written.
   * @throws EngineError `fenced` (never retriable) when a newer owner has the id; `log_full` when the medium is full, `log_unreachable`
   * when nobody answers.
   */
  commit(commit: Commit): Promise<void>
  /**
   * Closes what the ownership keeps open here, once the commits under way have ended. The owner commits nothing afterwards; the id stays
   * its own until another takes it.
   */
  release(): Promise<void>
}

/** Reading alone. */
export type LogReader = Pick<Log, 'partitions' | 'read' | 'start' | 'end'>

/** What a source of frames needs of a log. What `start` and `end` say may be as old as its newest `own`. */
export type SourceLog = LogReader & Pick<Log, 'own'>

export interface Log {
  /** How many partitions `topic` has here. */
  partitions(topic: Topic): number
  /**
   * Records from `offset` on, oldest first: maybe fewer than the limits allow, none only at the end. Gives only committed records.
   * @throws EngineError `offset_expired` below `start`.
   */
  read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]>
  /** First offset still kept. */
  start(topic: Topic, partition: number): number
  /** One past the newest record: the next one's offset is that or higher. */
  end(topic: Topic, partition: number): number
  /**
   * Of a compacted topic: tombstones below this offset may be gone. A reader that goes on from below it may have missed one, and must read
   * from the start again. Adapters that cannot know exactly report more, never less.
   */
  tombstoneFloor(topic: Topic, partition: number): number
  /**
   * Resolves when everything that anybody had committed before the call can be read here, except what lies behind an open transaction of
   * another owner: that is what `decidedEnd` waits for.
   */
  refresh(): Promise<void>
  /** Takes the id over: every older owner of it is fenced. What they committed can be read here then, as after `refresh`. */
  own(id: string): Promise<TaskOwner>
  /**
   * The end up to which a restore reads a partition, asked for after `own`: everything that anybody had committed there before the call can
   * be read below it. Where a transaction was open in the partition at the call, whoever's it is, this waits until it has ended.
   * @throws EngineError `transaction_open` when it does not end within the adapter's limit, which is longer than transactions may last;
   * `log_unreachable` when nobody answers.
   */
  decidedEnd(topic: Topic, partition: number): Promise<number>
  /**
   * Called when something new can be read, with topics that have it: of this process's own commits, and of every partition that was looked
   * at here. Several commits may be told at once, and one in several calls. Returns how to stop. Listeners must not throw.
   */
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void
  /** Drops records of a non-compacted topic below `offset`. */
  trim(topic: Topic, partition: number, offset: number): Promise<void>
  /** Why nothing new can be heard, and since when (unix ms); null when all is well. Absent where nothing lies between. */
  trouble?(): { readonly reason: string; readonly sinceMs: number } | null
  /** Grows with every try that failed and is made again: who waits for a medium that is away gets on with that. Absent likewise. */
  tries?(): number
  /** Somebody wants to stop: from now on a medium that is away is not waited for. Absent likewise. */
  hurry?(): void
  /** Waits for commits under way, then lets go of the medium. */
  close(): Promise<void>
}
