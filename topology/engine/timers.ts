// Timers in a heap by due time; ties by processor, key, then name, so that no insertion order is ever seen.

export interface Timer {
  readonly due: number
  /** Processor whose timer it is. */
  readonly store: string
  readonly key: string
  readonly name: string
}

const before = (a: Timer, b: Timer): boolean => {
  if (a.due !== b.due) return a.due < b.due
  if (a.store !== b.store) return a.store < b.store
  return a.key < b.key || (a.key === b.key && a.name < b.name)
}

/** A binary heap. It may hold timers that were moved or dropped: who pops must ask the rows whether a timer still stands. */
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
  /** The first timer due at or before `time`, taken off; undefined when none is. */
  popDue(time: number): Timer | undefined {
    const first = this.#heap[0]
    if (first === undefined || first.due > time) return undefined
    const last = this.#heap.pop() as Timer
    if (this.#heap.length > 0) this.#sink(last)
    return first
  }
  /** Starts over with exactly these: drops what no longer stands. */
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
