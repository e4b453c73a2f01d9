// Reads a log directory that another process may own and write: takes no ownership, changes nothing.

import { open, type RootDatabase } from 'lmdb'
import { EngineError } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { FORMAT_VERSION, otherFormat, type Rows, SHAPE_KEY } from '../../data-dir/data-dir-lock.ts'
import { logIo } from '../../data-dir/lmdb-failures.ts'
import { checkDataFile } from '../../data-dir/lmdb-head.ts'
import type { LogReader, LogRecord, ReadLimits } from '../../ports/log.ts'
import { offsetExpired } from '../failures.ts'
import { partitionsOf } from '../limits.ts'
import * as keys from './lmdb-keys.ts'
import { recordsIn } from './lmdb-range.ts'

/** A log written by another process: a later read may see newer data than an earlier one. */
export interface WatchedLog extends LogReader {
  /** Input offsets of the newest commit under an owner's id; empty if it never committed. */
  inputsOf(owner: string): ReadonlyMap<string, number>
  close(): Promise<void>
}

const BYTES = { encoding: 'binary', keyEncoding: 'binary' } as const

class LmdbReader implements WatchedLog {
  readonly #env: Pick<RootDatabase, 'close' | 'resetReadTxn'>
  readonly #rows: Rows
  readonly #partitions: number

  constructor(env: Pick<RootDatabase, 'close' | 'resetReadTxn'>, rows: Rows, partitions: number) {
    this.#env = env
    this.#rows = rows
    this.#partitions = partitions
  }
  partitions(topic: Topic): number {
    return partitionsOf(topic, this.#partitions)
  }
  start(topic: Topic, partition: number): number {
    return this.#bounds(topic, partition).start
  }
  end(topic: Topic, partition: number): number {
    return this.#bounds(topic, partition).end
  }
  async read(topic: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    const { start, end } = this.#bounds(topic, partition)
    const stored = this.#storedPartition(topic, partition)
    if (offset < start) throw offsetExpired(topic.name, partition, offset, start)
    if (stored === undefined || offset >= end) return []
    const records = recordsIn(this.#rows, stored, offset, end, limits)
    const [first] = records
    // The owner may have trimmed the partition since the bounds were read.
    if (topic.cleanup === 'delete' && first !== undefined && first.offset !== offset)
      throw offsetExpired(topic.name, partition, offset, first.offset)
    return records
  }
  inputsOf(owner: string): ReadonlyMap<string, number> {
    // Begins a new snapshot: lmdb shares one among all reads of an event-loop turn, and it may precede the newest commit.
    this.#env.resetReadTxn()
    const value = this.#rows.get(keys.inputsKey(owner))
    return new Map(value === undefined ? [] : (JSON.parse(Buffer.from(value).toString('utf8')) as [string, number][]))
  }
  async close(): Promise<void> {
    await this.#env.close()
  }

  #storedPartition({ name }: Topic, partition: number): keys.StoredPartition | undefined {
    const number = this.#rows.get(keys.topicKey(name))
    return number && { topic: keys.decodeNumber(number), partition }
  }
  #bounds(topic: Topic, partition: number): { readonly start: number; readonly end: number } {
    const stored = this.#storedPartition(topic, partition)
    const bounds = stored && this.#rows.get(keys.boundsKey(stored))
    return bounds === undefined ? { start: 0, end: 0 } : keys.decodeBounds(bounds)
  }
}

/** @throws EngineError `data_dir_version` if it is not a log of this format, `log_io` */
export const watchLmdbLog = async (dir: string): Promise<WatchedLog> => {
  checkDataFile(dir)
  try {
    const env = open({ path: dir, noSubdir: false, readOnly: true, maxDbs: 2, ...BYTES })
    const rows = env.openDB<Uint8Array, Uint8Array>({ name: 'rows', ...BYTES })
    const shape = rows?.get(SHAPE_KEY)
    const { format, partitions } = shape === undefined ? { format: 'unknown', partitions: 0 } : parse(shape)
    if (format === FORMAT_VERSION) return new LmdbReader(env, rows, partitions)
    await env.close()
    throw otherFormat(dir, String(format))
  } catch (cause) {
    throw cause instanceof EngineError ? cause : logIo(dir, 'opening', cause)
  }
}

const parse = (value: Uint8Array): { format: number; partitions: number } =>
  JSON.parse(Buffer.from(value).toString('utf8')) as { format: number; partitions: number }
