// Timers in a heap by due time; ties by processor, key, then name, so that the order does not depend on insertion.

export interface Timer {
  readonly due: number
  /** Processor that owns the timer. */
  readonly store: string
  readonly key: string
  readonly name: string
}

const before = (a: Timer, b: Timer): boolean => {
  if (a.due !== b.due) return a.due < b.due
  if (a.store !== b.store) return a.store < b.store
  return a.key < b.key || (a.key === b.key && a.name < b.name)
}

/** A binary heap. It may hold timers that were moved or removed: after a pop, check in the rows whether the timer is still valid. */
export class TimerHeap {
  #heap: Timer[] = []

  get size(): number {
    return this.#heap.length
  }
  push(timer: Timer): void {
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
  /** Removes and returns the first timer due at or before `time`; undefined if there is none. */
  popDue(time: number): Timer | undefined {
    const first = this.#heap[0]
    if (first === undefined || first.due > time) return undefined
    const last = this.#heap.pop() as Timer
    if (this.#heap.length > 0) this.#sink(last)
    return first
  }
  /** Replaces all timers: drops outdated ones. */
  rebuild(timers: Iterable<Timer>): void {
    this.#heap = []
    for (const timer of timers) this.push(timer)
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
