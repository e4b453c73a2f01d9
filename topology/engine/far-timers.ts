// Timers that are due much later, stored as bytes by span of due times: a key's timer costs no object until its span begins.
import { assert } from '../../schemas/errors.ts'
import type { KeyedPages } from '../ports/keyed-pages.ts'
import type { Timer } from './timers.ts'

/** A full block becomes a page. The last block of each span is not full and stays in memory: smaller blocks would not pay. */
const BLOCK_BYTES = 2_000
/** Precedes a timer: due, 8 bytes; lengths of processor and name, 1 byte each, and of the key, 2 bytes. */
const HEAD_BYTES = 12
const NAME_BYTES_MAX = 255

interface Span {
  /** Full blocks in the pages. */
  blocks: number
  readonly last: Buffer
  used: number
  timers: number
}

/** Timers by span, a number that grows with the due time. Within a span they have no order. */
export class FarTimers {
  readonly #pages: KeyedPages
  readonly #spans = new Map<number, Span>()
  #size = 0

  constructor(pages: KeyedPages) {
    this.#pages = pages
  }
  get size(): number {
    return this.#size
  }
  push(number: number, timer: Timer): void {
    let span = this.#spans.get(number)
    if (span === undefined) {
      span = { blocks: 0, last: Buffer.allocUnsafeSlow(BLOCK_BYTES), used: 0, timers: 0 }
      this.#spans.set(number, span)
    }
    const bytes = encoded(timer)
    if (span.used + bytes.length > BLOCK_BYTES) {
      this.#pages.put(blockKey(number, span.blocks++), 0, span.last.subarray(0, span.used))
      span.used = 0
    }
    span.last.set(bytes, span.used)
    span.used += bytes.length
    this.#size += 1
    span.timers += 1
  }
  /** Removes and returns the timers of all spans up to `number`. Push no timer before the last one was taken. */
  *takeUpTo(number: number): Iterable<Timer> {
    for (const [of, span] of this.#spans) {
      if (of > number) continue
      this.#spans.delete(of)
      this.#size -= span.timers
      yield* decoded(span.last.subarray(0, span.used))
      for (let block = 0; block < span.blocks; block++) yield* this.#take(blockKey(of, block))
    }
  }
  clear(): void {
    for (const _ of this.takeUpTo(Number.POSITIVE_INFINITY));
  }

  *#take(key: string): Iterable<Timer> {
    for (const [, bytes] of this.#pages.numbered(key)) yield* decoded(bytes)
    this.#pages.delete(key)
  }
}

const blockKey = (span: number, block: number): string => `${span}/${block}`

const encoded = ({ due, store, key, name }: Timer): Buffer => {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + store.length + name.length + key.length)
  assert(store.length <= NAME_BYTES_MAX && name.length <= NAME_BYTES_MAX, `timer ${name} of ${store}: a name has at most 255 characters`)
  bytes.writeDoubleLE(due, 0)
  bytes[8] = store.length
  bytes[9] = name.length
  bytes.writeUInt16LE(key.length, 10)
  bytes.write(`${store}${name}${key}`, HEAD_BYTES, 'latin1')
  return bytes
}

function* decoded(bytes: Buffer): Iterable<Timer> {
  for (let at = 0; at < bytes.length; ) {
    const store = at + HEAD_BYTES
    const name = store + (bytes[at + 8] as number)
    const key = name + (bytes[at + 9] as number)
    const end = key + bytes.readUInt16LE(at + 10)
    const textOf = (from: number, to: number): string => bytes.toString('latin1', from, to)
    yield { due: bytes.readDoubleLE(at), store: textOf(store, name), name: textOf(name, key), key: textOf(key, end) }
    at = end
  }
}
