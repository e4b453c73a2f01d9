// In-memory state of the lmdb log, and the draft of its next transaction.
import { assert } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Rows } from '../../data-dir/data-dir-lock.ts'
import type { Commit } from '../../ports/log.ts'
import * as keys from './lmdb-keys.ts'

/** A partition as of the last durable transaction. */
export interface PartitionState {
  readonly partition: keys.StoredPartition
  readonly isCompacted: boolean
  readonly start: number
  readonly end: number
}
type PartitionDraft = { -readonly [Field in keyof PartitionState]: PartitionState[Field] }

const TOPICS_MAX = 65_535
/** Tombstones that one transaction drops per partition: the rest are left to the next. */
const EXPIRED_TOMBSTONES_MAX = 1_000
/** Two pages of 4 KB. */
const ROW_ROOM_BYTES = 8_192
/** Small records of a transaction share buffers of this size, because lmdb looks up the address of each buffer that it reads. */
const SLAB_BYTES = 64 * 1024

const nameOf = (topic: Topic, partition: number): string => `${topic.name}/${partition}`

/** Caches of the file: topic numbers, partition bounds, owners' input offsets. Changes only by `adopt`. */
export class LmdbState {
  readonly rows: Rows
  readonly #numbers = new Map<string, number>()
  readonly #partitions = new Map<string, PartitionState>()
  readonly #inputs = new Map<string, ReadonlyMap<string, number>>()

  constructor(rows: Rows) {
    this.rows = rows
    for (const { key, value } of rows.getRange(keys.TOPIC_KEYS)) this.#numbers.set(keys.topicOfKey(key), keys.decodeNumber(value))
  }
  get topicCount(): number {
    return this.#numbers.size
  }
  topicNumber(name: string): number | undefined {
    return this.#numbers.get(name)
  }
  /** Undefined until something of its topic was committed. */
  partition(topic: Topic, partition: number): PartitionState | undefined {
    const name = nameOf(topic, partition)
    const known = this.#partitions.get(name)
    if (known !== undefined) return known
    const number = this.#numbers.get(topic.name)
    if (number === undefined) return undefined
    const stored = { topic: number, partition }
    const bounds = this.rows.get(keys.boundsKey(stored))
    const state = {
      partition: stored,
      isCompacted: topic.cleanup === 'compact',
      ...(bounds ? keys.decodeBounds(bounds) : { start: 0, end: 0 }),
    }
    this.#partitions.set(name, state)
    return state
  }
  inputs(id: string): ReadonlyMap<string, number> {
    const known = this.#inputs.get(id)
    if (known !== undefined) return known
    const value = this.rows.get(keys.inputsKey(id))
    const pairs = value === undefined ? [] : (JSON.parse(Buffer.from(value).toString('utf8')) as [string, number][])
    const inputs = new Map(pairs)
    this.#inputs.set(id, inputs)
    return inputs
  }
  /** Applies a draft, once it is durable. */
  adopt(draft: LmdbDraft): void {
    for (const [name, number] of draft.numbers) this.#numbers.set(name, number)
    for (const [name, partition] of draft.partitions) this.#partitions.set(name, partition)
    for (const [id, inputs] of draft.inputs) this.#inputs.set(id, inputs)
  }
}

/** A transaction being built: reads the state and the file, writes only to its own lists. */
export class LmdbDraft {
  readonly numbers = new Map<string, number>()
  readonly partitions = new Map<string, PartitionDraft>()
  readonly inputs = new Map<string, Map<string, number>>()
  readonly #state: LmdbState
  readonly #puts: [key: Uint8Array, value: Uint8Array][] = []
  readonly #removes: Uint8Array[] = []
  #valueBytes = 0
  #slab = Buffer.alloc(0)
  #slabUsed = 0
  /** Newest offsets of keys that this draft wrote, by key bytes. */
  readonly #newest = new Map<string, number>()

  constructor(state: LmdbState) {
    this.#state = state
  }
  get isEmpty(): boolean {
    return this.#puts.length === 0 && this.#removes.length === 0
  }
  /** Upper bound of the file's growth: each row may copy two pages of the tree, and a large value fills whole pages. */
  get roomBytes(): number {
    return this.#valueBytes * 2 + (this.#puts.length + this.#removes.length) * ROW_ROOM_BYTES
  }
  add(id: string, { outputs, inputs }: Commit): void {
    for (const { topic, partition, key, value } of outputs) this.#append(this.#partition(topic, partition), key, value)
    if (inputs.size === 0) return
    const merged = this.inputs.get(id) ?? new Map(this.#state.inputs(id))
    for (const [name, offset] of inputs) merged.set(name, offset)
    this.inputs.set(id, merged)
  }
  /** Drops at most `recordsMax` records below `offset`; returns how many. The start moves to `offset` at once. */
  trim(topic: Topic, partition: number, offset: number, recordsMax: number): number {
    const into = this.#partition(topic, partition)
    into.start = Math.max(into.start, offset)
    const range = { start: keys.recordKey(into.partition, 0), end: keys.recordKey(into.partition, offset), limit: recordsMax }
    const found = [...this.#state.rows.getKeys(range)]
    this.#removes.push(...found)
    return found.length
  }
  /** Adds the records that follow from the draft; call it once, last. */
  finish(tombstoneRecordsKept: number): void {
    for (const into of this.partitions.values()) {
      if (into.isCompacted) this.#expire(into, into.end - tombstoneRecordsKept)
      this.#puts.push([keys.boundsKey(into.partition), keys.encodeBounds(into.start, into.end)])
    }
    for (const [id, inputs] of this.inputs) this.#puts.push([keys.inputsKey(id), Buffer.from(JSON.stringify([...inputs]))])
    for (const [name, number] of this.numbers) this.#puts.push([keys.topicKey(name), keys.encodeNumber(number)])
  }
  /** Puts before removes: only a record of this draft can be in both, and then it is no longer the newest of its key. */
  writeTo(rows: Rows): void {
    for (const [key, value] of this.#puts) void rows.put(key, value)
    for (const key of this.#removes) void rows.remove(key)
  }

  #append(into: PartitionDraft, key: Uint8Array, value: Uint8Array | null): void {
    const offset = into.end++
    this.#puts.push([keys.recordKey(into.partition, offset), keys.encodeRecord(key, value, this.#room)])
    this.#valueBytes += value?.length ?? 0
    if (!into.isCompacted) return
    const newestKey = keys.newestKey(into.partition, key)
    const older = this.#newestOf(newestKey)
    if (older !== undefined) this.#removes.push(keys.recordKey(into.partition, older))
    this.#newest.set(newestKey.toString('latin1'), offset)
    this.#puts.push([newestKey, keys.encodeOffset(offset)])
    if (value === null) this.#puts.push([keys.tombstoneKey(into.partition, offset), Buffer.from(key)])
  }
  readonly #room = (bytes: number): Buffer => {
    if (bytes > SLAB_BYTES) return Buffer.allocUnsafeSlow(bytes)
    if (this.#slabUsed + bytes > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
      this.#slabUsed = 0
    }
    this.#slabUsed += bytes
    return this.#slab.subarray(this.#slabUsed - bytes, this.#slabUsed)
  }
  #newestOf(newestKey: Buffer): number | undefined {
    const drafted = this.#newest.get(newestKey.toString('latin1'))
    if (drafted !== undefined) return drafted
    const stored = this.#state.rows.get(newestKey)
    return stored === undefined ? undefined : keys.decodeOffset(stored)
  }
  /** Drops tombstones below `offset`, and the key's index row if no later record has the key. The next draft drops those of this one. */
  #expire(into: PartitionDraft, offset: number): void {
    if (offset <= 0) return
    const range = {
      start: keys.tombstoneKey(into.partition, 0),
      end: keys.tombstoneKey(into.partition, offset),
      limit: EXPIRED_TOMBSTONES_MAX,
    }
    for (const { key: tombstoneKey, value: key } of this.#state.rows.getRange(range)) {
      const at = keys.offsetOfKey(tombstoneKey)
      const newestKey = keys.newestKey(into.partition, key)
      this.#removes.push(tombstoneKey)
      if (this.#newestOf(newestKey) === at) this.#removes.push(newestKey, keys.recordKey(into.partition, at))
    }
  }
  #partition(topic: Topic, partition: number): PartitionDraft {
    const name = nameOf(topic, partition)
    const drafted = this.partitions.get(name)
    if (drafted !== undefined) return drafted
    const state = this.#state.partition(topic, partition)
    const stored = state?.partition ?? { topic: this.#number(topic.name), partition }
    const into = { partition: stored, isCompacted: topic.cleanup === 'compact', start: state?.start ?? 0, end: state?.end ?? 0 }
    this.partitions.set(name, into)
    return into
  }
  #number(name: string): number {
    const known = this.#state.topicNumber(name) ?? this.numbers.get(name)
    if (known !== undefined) return known
    const number = this.#state.topicCount + this.numbers.size
    assert(number <= TOPICS_MAX, `${name} exceeds the limit of topics`)
    this.numbers.set(name, number)
    return number
  }
}
