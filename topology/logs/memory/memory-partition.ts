// One partition of the memory log: an array of records; reads skip those that a newer record of the key replaced.
import { assert } from '../../../schemas/errors.ts'
import type { LogRecord, ReadLimits } from '../../ports/log.ts'

interface Entry {
  readonly record: LogRecord
  readonly index: string
  isLive: boolean
}

/** Replaced entries are removed once there are this many and they are half of all. */
const DEAD_ENTRIES_MIN = 1_000

export class MemoryPartition {
  start = 0
  end = 0
  #entries: Entry[] = []
  #deadEntries = 0
  readonly #newest: Map<string, Entry> | undefined
  readonly #tombstones: Entry[] = []
  readonly #tombstoneRecordsKept: number

  constructor(isCompacted: boolean, tombstoneRecordsKept: number) {
    this.#newest = isCompacted ? new Map() : undefined
    this.#tombstoneRecordsKept = tombstoneRecordsKept
  }
  /** Copies key and value: the caller may reuse its buffers. */
  append(key: Uint8Array, value: Uint8Array | null): void {
    const record = { offset: this.end++, key: new Uint8Array(key), value: value === null ? null : new Uint8Array(value) }
    const entry = { record, index: this.#newest === undefined ? '' : Buffer.from(key).toString('latin1'), isLive: true }
    this.#entries.push(entry)
    if (this.#newest === undefined) return
    this.#kill(this.#newest.get(entry.index))
    this.#newest.set(entry.index, entry)
    if (value === null) this.#tombstones.push(entry)
  }
  /** Ends a commit: drops tombstones after their retention, and removes replaced entries. */
  settle(): void {
    const tombstones = this.#tombstones
    let expired = 0
    while ((tombstones[expired]?.record.offset ?? this.end) < this.end - this.#tombstoneRecordsKept) {
      const entry = tombstones[expired++]
      if (entry === undefined || !entry.isLive) continue
      this.#kill(entry)
      this.#newest?.delete(entry.index)
    }
    tombstones.splice(0, expired)
    if (this.#deadEntries < DEAD_ENTRIES_MIN || this.#deadEntries * 2 < this.#entries.length) return
    this.#entries = this.#entries.filter((entry) => entry.isLive)
    this.#deadEntries = 0
  }
  read(offset: number, { recordsMax, bytesMax }: ReadLimits): LogRecord[] {
    const out: LogRecord[] = []
    let bytes = 0
    for (let i = this.#firstAt(offset); i < this.#entries.length && out.length < recordsMax; i++) {
      const entry = this.#entries[i]
      if (entry === undefined || !entry.isLive) continue
      if (out.length > 0 && bytes >= bytesMax) break
      out.push(entry.record)
      bytes += entry.record.key.length + (entry.record.value?.length ?? 0)
    }
    return out
  }
  trim(offset: number): void {
    assert(this.#newest === undefined, 'a compacted topic is not trimmed')
    assert(offset <= this.end, `trim to ${offset} is past the end ${this.end}`)
    if (offset <= this.start) return
    this.#entries.splice(0, this.#firstAt(offset))
    this.start = offset
  }
  #kill(entry: Entry | undefined): void {
    if (entry === undefined) return
    entry.isLive = false
    this.#deadEntries++
  }
  /** Index of the first entry at or after `offset`. */
  #firstAt(offset: number): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#entries[middle]?.record.offset ?? offset) < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
