// Timers in a heap by due time; ties by processor, key, then name, so that the order does not depend on insertion.
import type { KeyedPages } from '../ports/keyed-pages.ts'
import { FarTimers } from './far-timers.ts'
import { MemoryPages } from './rows/memory-pages.ts'

export interface Timer {
  readonly due: number
  /** Processor that owns the timer. */
  readonly store: string
  readonly key: string
  readonly name: string
}

/** Timers due in later spans than `#span` are kept as bytes: in the heap a timer takes 200 bytes, and most are due in 90 days. */
const SPAN_S = 3_600

const before = (a: Timer, b: Timer): boolean => {
  if (a.due !== b.due) return a.due < b.due
  if (a.store !== b.store) return a.store < b.store
  return a.key < b.key || (a.key === b.key && a.name < b.name)
}

/** A binary heap. It may hold timers that were moved or removed: after a pop, check in the rows whether the timer is still valid. */
export class TimerHeap {
  #heap: Timer[] = []
  readonly #far: FarTimers
  /** The newest span whose timers are in the heap. */
  #span = Number.NEGATIVE_INFINITY

  /** `pages` must not be used elsewhere. */
  constructor(pages: KeyedPages = new MemoryPages()) {
    this.#far = new FarTimers(pages)
  }
  get size(): number {
    return this.#heap.length + this.#far.size
  }
  push(timer: Timer): void {
    const span = Math.floor(timer.due / SPAN_S)
    if (span > this.#span) this.#far.push(span, timer)
    else this.#rise(timer)
  }
  /** Removes and returns the first timer due at or before `time`; undefined if there is none. */
  popDue(time: number): Timer | undefined {
    this.#reach(Math.floor(time / SPAN_S))
    const first = this.#heap[0]
    if (first === undefined || first.due > time) return undefined
    const last = this.#heap.pop() as Timer
    if (this.#heap.length > 0) this.#sink(last)
    return first
  }
  /** Replaces all timers by those of the stores: drops outdated ones. */
  rebuild(stores: Iterable<{ timers(): Iterable<Timer> }>): void {
    this.#heap = []
    this.#far.clear()
    this.#span = Number.NEGATIVE_INFINITY
    for (const store of stores) for (const timer of store.timers()) this.push(timer)
  }
  #reach(span: number): void {
    if (span <= this.#span) return
    this.#span = span
    for (const timer of this.#far.takeUpTo(span)) this.#rise(timer)
  }
  #rise(timer: Timer): void {
    const heap = this.#heap
    let i = heap.length
    heap.push(timer)
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!before(timer, heap[parent] as Timer)) break
      heap[i] = heap[parent] as Timer
      i = parent
    }
    heap[i] = timer
  }
  #sink(timer: Timer): void {
    const heap = this.#heap
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1] as Timer, heap[child] as Timer)) child++
      if (!before(heap[child] as Timer, timer)) break
      heap[i] = heap[child] as Timer
      i = child
    }
    heap[i] = timer
  }
}
