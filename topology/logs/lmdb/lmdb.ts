// The log in an lmdb directory: the embedded default. One process, durable and atomic, across kill -9 and power failures.
//
// A commit's records, changelog records and input offsets are rows of one lmdb transaction (layout: lmdb-keys), which several owners may
// share (group-writer). Compacted topics are compacted on write: a key's older record is deleted in the transaction that writes the newer.
// Records become visible once durable, never before.
import { realpathSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { assert } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { dirOwned, leaveDirectory, type Rows, takeDirectory } from '../../data-dir/data-dir-lock.ts'
import { freeBytes, hasRoom, logFull } from '../../data-dir/disk-room.ts'
import { logIo, openFailure } from '../../data-dir/lmdb-failures.ts'
import { checkDataFile, DATA_FILE } from '../../data-dir/lmdb-head.ts'
import { bytesTable, snapshotOf } from '../../data-dir/lmdb-snapshot.ts'
import type { Commit, Log, LogRecord, ReadLimits, TaskOwner } from '../../ports/log.ts'
import type { StoreSnapshot } from '../../ports/snapshot.ts'
import { fenced, offsetExpired } from '../failures.ts'
import {
  assertId,
  assertPartition,
  COMMITS_WAITING_MAX,
  checkCommit,
  type LogShape,
  partitionsOf,
  TOMBSTONE_RECORDS_KEPT,
} from '../limits.ts'
import { GroupWriter, type Medium } from './group-writer.ts'
import { recordsIn } from './lmdb-range.ts'
import { LmdbState } from './lmdb-state.ts'

export interface LmdbLogOptions extends LogShape {
  /** Created if missing; contains only the log. */
  readonly dir: string
}

/** Records that one transaction of a trim deletes. */
const TRIM_RECORDS_MAX = 10_000
const EMPTY = { start: 0, end: 0 } as const
/** Directories open in this process: lmdb must not open one twice in a process. */
const openDirs = new Set<string>()

/** lmdb's statistics of one of its databases. */
interface PageCounts {
  readonly pageSize: number
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
  readonly overflowPages: number
}

/** A log on disk. */
export interface DurableLog extends Log {
  /** A snapshot of everything except the directory's ownership. */
  snapshot(): StoreSnapshot
  /** Bytes of pages in use: the file keeps the space of trimmed records for reuse. */
  usedBytes(): number
  /** Bytes that may still be written: free pages of the file, and free disk space. Infinite if the file system does not report it. */
  spareBytes(): number
}

class LmdbLog implements DurableLog {
  readonly #medium: Medium
  readonly #partitions: number
  readonly #state: LmdbState
  readonly #writer: GroupWriter
  readonly #epochs = new Map<string, number>()
  readonly #listeners = new Set<(topics: ReadonlySet<string>) => void>()
  readonly #trims = {}
  #isClosed = false

  constructor(medium: Medium, partitions: number) {
    this.#medium = medium
    this.#partitions = partitions
    this.#state = new LmdbState(medium.rows)
    this.#writer = new GroupWriter(medium, this.#state)
  }
  partitions(topic: Topic): number {
    return partitionsOf(topic, this.#partitions)
  }
  async read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    assert(!this.#isClosed, 'the log is closed')
    assertPartition(topic, partition, this.#partitions)
    const state = this.#state.partition(topic, partition)
    const { start, end } = state ?? EMPTY
    if (offset < start) throw offsetExpired(topic.name, partition, offset, start)
    if (state === undefined || offset >= end) return []
    try {
      return recordsIn(this.#medium.rows, state.partition, offset, end, limits)
    } catch (cause) {
      throw logIo(this.#medium.dir, 'read', cause)
    }
  }
  start(topic: Topic, partition: number): number {
    assertPartition(topic, partition, this.#partitions)
    return (this.#state.partition(topic, partition) ?? EMPTY).start
  }
  end(topic: Topic, partition: number): number {
    assertPartition(topic, partition, this.#partitions)
    return (this.#state.partition(topic, partition) ?? EMPTY).end
  }
  tombstoneFloor(topic: Topic, partition: number): number {
    return topic.cleanup === 'compact' ? Math.max(0, this.end(topic, partition) - this.#medium.tombstoneRecordsKept) : 0
  }
  async refresh(): Promise<void> {
    assert(!this.#isClosed, 'the log is closed')
  }
  async own(id: string): Promise<TaskOwner> {
    assert(!this.#isClosed, 'the log is closed')
    assertId(id)
    const epoch = (this.#epochs.get(id) ?? 0) + 1
    this.#epochs.set(id, epoch)
    await this.#writer.groupEnded()
    const line = {}
    return {
      id,
      committed: () => new Map(this.#state.inputs(id)),
      commit: (commit) => this.#commit(id, epoch, line, commit),
      release: async () => {},
    }
  }
  async decidedEnd(topic: Topic, partition: number): Promise<number> {
    assert(!this.#isClosed, 'the log is closed')
    return this.end(topic, partition)
  }
  onCommit(listener: (topics: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  async trim(topic: Topic, partition: number, offset: number): Promise<void> {
    assert(!this.#isClosed, 'the log is closed')
    assert(topic.cleanup === 'delete', `${topic.name} is compacted, not trimmed`)
    assert(offset <= this.end(topic, partition), `trim of ${topic.name}/${partition} to ${offset} is past its end`)
    for (let dropped = TRIM_RECORDS_MAX; dropped === TRIM_RECORDS_MAX; ) {
      await this.#writer.submit({
        line: this.#trims,
        bytes: 0,
        refusal: () => undefined,
        drawUp: (draft) => {
          dropped = draft.trim(topic, partition, offset, TRIM_RECORDS_MAX)
        },
        done: () => {},
      })
    }
  }
  snapshot(): StoreSnapshot {
    assert(!this.#isClosed, 'the log is closed')
    return snapshotOf('log', this.#medium.env, [bytesTable('rows', this.#medium.rows)])
  }
  usedBytes(): number {
    assert(!this.#isClosed, 'the log is closed')
    const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = this.#medium.rows.getStats() as PageCounts
    return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages)
  }
  spareBytes(): number {
    const { dir } = this.#medium
    return Math.max(0, statSync(join(dir, DATA_FILE)).size - this.usedBytes()) + freeBytes(dir)
  }
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const { dir, env, owners, generation } = this.#medium
    await this.#writer.idle()
    await leaveDirectory(owners, generation).catch(() => {})
    await env.close()
    openDirs.delete(dir)
  }

  async #commit(id: string, epoch: number, line: object, commit: Commit): Promise<void> {
    assert(!this.#isClosed, 'the log is closed')
    const bytes = checkCommit(commit, this.#partitions)
    assert(this.#writer.waitingCount < COMMITS_WAITING_MAX, `${COMMITS_WAITING_MAX} commits wait: callers must wait for theirs`)
    const refusal = () => (this.#epochs.get(id) === epoch ? undefined : fenced(id))
    const refused = refusal()
    if (refused !== undefined) throw refused
    await this.#writer.submit({ line, bytes, refusal, drawUp: (draft) => draft.add(id, commit), done: () => this.#notify(commit) })
  }
  #notify({ outputs }: Commit): void {
    const topics = new Set(outputs.map(({ topic }) => topic.name))
    for (const listener of this.#listeners) listener(topics)
  }
}

const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const

const takeEnv = (env: RootDatabase, dir: string, shape: LogShape): LmdbLog => {
  const owners: Rows = env.openDB({ name: 'owner', useVersions: true, ...BINARY })
  const rows: Rows = env.openDB({ name: 'rows', ...BINARY })
  const generation = takeDirectory(env, owners, rows, dir, shape.partitions)
  const tombstoneRecordsKept = shape.tombstoneRecordsKept ?? TOMBSTONE_RECORDS_KEPT
  return new LmdbLog({ dir, env, owners, rows, generation, tombstoneRecordsKept }, shape.partitions)
}

/**
 * Opens or creates the log in `dir` and makes this process its owner (see data-dir-lock for what that prevents).
 * @throws EngineError `data_dir_owned`, `data_dir_version`, `data_dir_partitions`, `log_full`, `log_io`; the directory is then unchanged.
 */
export const openLmdbLog = async ({ dir, ...shape }: LmdbLogOptions): Promise<DurableLog> => {
  let env: RootDatabase | undefined
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const real = realpathSync(dir)
    if (!hasRoom(real, 0)) throw logFull(real)
    if (openDirs.has(real)) throw dirOwned(real, process.pid)
    checkDataFile(real)
    env = open({ path: real, noSubdir: false, maxDbs: 2, overlappingSync: false, eventTurnBatching: false, ...BINARY })
    const log = takeEnv(env, real, shape)
    openDirs.add(real)
    return log
  } catch (thrown) {
    await env?.close()
    throw await openFailure(thrown, dir)
  }
}
