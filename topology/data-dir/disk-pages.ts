// Pages of many keys: those of the keys put last are in memory, the others on disk. A key is wholly young (in memory) or wholly old (one
// row of a table on disk): most keys are used again soon or never, and those that are used again soon cost no disk access.
import { assert } from '../../schemas/errors.ts'
import { MemoryPages } from '../engine/rows/memory-pages.ts'
import type { KeyedPages, NumberedPage } from '../ports/keyed-pages.ts'
import type { ScratchFile, ScratchTable } from './scratch-file.ts'

/** Precedes each page in a row: its number and length, 4 bytes each. */
const HEAD_BYTES = 8
/** Keys that an iteration reads at once. Between reads it has no transaction: an open one prevents the reuse of pages of the file. */
const KEYS_READ_MAX = 1_000
/** Outdated rows that are deleted at once. */
const OUTDATED_MAX = 4_096

/** What pages report to the store that opened them. */
export interface PagesOwner {
  readonly file: ScratchFile
  /** The memory of young keys changed by this much. */
  changed(pages: DiskPages, bytes: number): void
  closed(pages: DiskPages): void
}

export class DiskPages implements KeyedPages {
  readonly #owner: PagesOwner
  readonly #young = new MemoryPages()
  /** Yields the next keys to move to disk. */
  #oldest: Iterator<string> = [].values()
  #youngBytes = 0
  #table: ScratchTable | undefined
  /** Number of old keys. */
  #old = 0
  /** Keys whose row in the table is not valid any more, because they were deleted or became young. */
  #outdated = new Set<string>()
  /** The row read last: a key is usually counted, read and deleted in quick succession. */
  #last: { readonly key: string; readonly pages: readonly NumberedPage[] } | undefined

  constructor(owner: PagesOwner) {
    this.#owner = owner
  }
  get size(): number {
    return this.#young.size + this.#old
  }
  /** Estimated memory of the young keys. */
  get youngBytes(): number {
    return this.#youngBytes
  }
  *keys(): Iterable<string> {
    if (this.#outdated.size > 0) this.#write([])
    yield* this.#young.keys()
    for (let keys = this.#keysAfter(''); keys.length > 0; keys = this.#keysAfter(keys.at(-1) as string))
      for (const key of keys) if (!this.#outdated.has(key) || this.#young.count(key) > 0) yield key
  }
  count(key: string): number {
    return this.#young.count(key) || (this.#read(key).at(-1)?.[0] ?? -1) + 1
  }
  numbered(key: string): readonly NumberedPage[] {
    return this.#young.count(key) > 0 ? this.#young.numbered(key) : this.#read(key)
  }
  put(key: string, page: number, bytes: Uint8Array): void {
    this.#wake(key)
    this.#young.put(key, page, bytes)
    this.#account()
  }
  cut(key: string, page: number): void {
    this.#wake(key)
    this.#young.cut(key, page)
    this.#account()
  }
  drop(key: string, page: number): void {
    this.#wake(key)
    this.#young.drop(key, page)
    this.#account()
  }
  delete(key: string): void {
    if (this.#young.count(key) === 0) this.#forget(key)
    this.#young.delete(key)
    this.#account()
  }
  close(): void {
    this.#young.close()
    this.#account()
    this.#outdated = new Set()
    this.#old = 0
    if (this.#table !== undefined) this.#owner.file.give(this.#table)
    this.#table = undefined
    this.#owner.closed(this)
  }
  /** Moves the oldest young keys to disk, about this many bytes. False if the disk has no room; nothing is moved then. */
  moveOldest(bytes: number): boolean {
    const rows: Row[] = []
    for (let left = bytes; left > 0 && rows.length < this.#young.size; ) {
      const { value: key, done } = this.#oldest.next()
      if (done) this.#oldest = this.#young.keys()
      else {
        const row = { key, name: rowKey(key), value: packed(this.#young.numbered(key)) }
        rows.push(row)
        left -= row.name.length + row.value.length
      }
    }
    if (!this.#write(rows)) {
      this.#oldest = this.#young.keys()
      return false
    }
    for (const { key } of rows) this.#young.delete(key)
    this.#old += rows.length
    this.#account()
    return true
  }

  #account(): void {
    const { bytes } = this.#young
    const grown = bytes - this.#youngBytes
    this.#youngBytes = bytes
    this.#owner.changed(this, grown)
  }
  /** Makes a key young. */
  #wake(key: string): void {
    if (this.#old === 0 || this.#young.count(key) > 0) return
    for (const [page, bytes] of this.#read(key)) this.#young.put(key, page, bytes)
    this.#forget(key)
  }
  /** Removes an old key. */
  #forget(key: string): void {
    if (this.#read(key).length === 0) return
    this.#outdated.add(key)
    this.#old -= 1
    if (this.#outdated.size > OUTDATED_MAX) this.#write([])
  }
  #read(key: string): readonly NumberedPage[] {
    if (this.#table === undefined || this.#old === 0 || this.#outdated.has(key)) return []
    if (this.#last?.key === key) return this.#last.pages
    const table = this.#table
    const row = this.#owner.file.guarded('read', () => table.getBinary(rowKey(key)))
    this.#last = { key, pages: row === undefined ? [] : unpacked(row) }
    return this.#last.pages
  }
  /** The next keys of rows after `key`, in order, outdated ones included. */
  #keysAfter(key: string): string[] {
    const table = this.#table
    if (table === undefined) return []
    const range = { start: rowKey(`${key}\0`), limit: KEYS_READ_MAX }
    return this.#owner.file.guarded('read', () => Array.from(table.getKeys(range), (name) => Buffer.from(name).toString('latin1')))
  }
  /** Puts these rows and removes the outdated ones, unless the disk has no room. */
  #write(rows: Row[]): boolean {
    const { file } = this.#owner
    const bytes = rows.reduce((sum, { name, value }) => sum + name.length + value.length, 0)
    this.#table ??= file.take()
    if (!file.hasRoom(rows.length + this.#outdated.size, bytes)) return false
    const table = this.#table
    for (const { key } of rows) this.#outdated.delete(key)
    file.write(() => {
      for (const key of this.#outdated) table.removeSync(rowKey(key))
      for (const { name, value } of rows.sort(byName)) table.putSync(name, value)
    })
    this.#outdated = new Set()
    this.#last = undefined
    return true
  }
}

interface Row {
  readonly key: string
  readonly name: Buffer
  readonly value: Buffer
}

const rowKey = (key: string): Buffer => Buffer.from(key, 'latin1')
const byName = (a: Row, b: Row): number => Buffer.compare(a.name, b.name)

const packed = (pages: readonly NumberedPage[]): Buffer => {
  const row = Buffer.allocUnsafe(pages.reduce((sum, [, bytes]) => sum + HEAD_BYTES + bytes.length, 0))
  let at = 0
  for (const [page, bytes] of pages) {
    row.writeUInt32LE(page, at)
    row.writeUInt32LE(bytes.length, at + 4)
    row.set(bytes, at + HEAD_BYTES)
    at += HEAD_BYTES + bytes.length
  }
  return row
}
const unpacked = (row: Buffer): NumberedPage[] => {
  const pages: NumberedPage[] = []
  for (let at = 0; at < row.length; ) {
    const end = at + HEAD_BYTES + row.readUInt32LE(at + 4)
    pages.push([row.readUInt32LE(at), row.subarray(at + HEAD_BYTES, end)])
    at = end
  }
  assert(pages.length > 0, 'a row of the scratch file has a page')
  return pages
}
