// A binary heap of actors by time; actors due at the same time act in the order in which they were added.
import type { SlotBuilder } from './slot-builder.ts'

/**
 * An active element. The queue calls `act` at `nextMs`; the actor then sets its next time, and may add other actors
 * whose time is later than its own was.
 */
export interface Actor {
  /** Unix milliseconds; infinity when it will never act again. Changes only within `act`. */
  readonly nextMs: number
  act(slot: SlotBuilder): void
}

interface Entry {
  readonly actor: Actor
  readonly order: number
  atMs: number
}

const isBefore = (a: Entry, b: Entry): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

export class ActorQueue {
  readonly #heap: Entry[] = []
  #order = 0

  get size(): number {
    return this.#heap.length
  }
  add(actor: Actor): void {
    if (actor.nextMs === Number.POSITIVE_INFINITY) return
    this.#heap.push({ actor, order: this.#order++, atMs: actor.nextMs })
    this.#up(this.#heap.length - 1)
  }
  /** Calls all actors due before `endMs`. An actor with an infinite time is removed. */
  runUntil(endMs: number, slot: SlotBuilder): void {
    for (let top = this.#heap[0]; top !== undefined && top.atMs < endMs; top = this.#heap[0]) {
      top.actor.act(slot)
      if (top.actor.nextMs === Number.POSITIVE_INFINITY) this.#removeTop()
      else {
        top.atMs = top.actor.nextMs
        this.#down(0)
      }
    }
  }
  #removeTop(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#down(0)
  }
  #up(start: number): void {
    const entry = this.#heap[start] as Entry
    let at = start
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = this.#heap[above] as Entry
      if (!isBefore(entry, parent)) break
      this.#heap[at] = parent
      at = above
    }
    this.#heap[at] = entry
  }
  #down(start: number): void {
    const entry = this.#heap[start] as Entry
    let at = start
    for (;;) {
      let below = 2 * at + 1
      if (below >= this.#heap.length) break
      if (below + 1 < this.#heap.length && isBefore(this.#heap[below + 1] as Entry, this.#heap[below] as Entry)) below++
      const child = this.#heap[below] as Entry
      if (!isBefore(child, entry)) break
      this.#heap[at] = child
      at = below
    }
    this.#heap[at] = entry
  }
}
