// Batches of the exchange held in memory: read ahead of the frame that needs them, and kept while that frame may be rolled back.
import type { Fact } from '../../../schemas/types.ts'

interface Epoch {
  /** By writer; undefined: not received yet. */
  readonly facts: (readonly Fact[] | undefined)[]
  missing: number
  /** Number of facts, plus one per batch. */
  weight: number
  /** Lowest offset of the epoch's records in the task's own partition; Infinity until one was read there. */
  offset: number
}

/** Batches by the frame that closed their epoch. An epoch is complete once the batch of every writer is there. */
export class FactBuffer {
  readonly #writers: number
  readonly #epochs = new Map<number, Epoch>()
  #weight = 0

  constructor(writers: number) {
    this.#writers = writers
  }
  /** Number of facts held, plus one per batch. */
  get weight(): number {
    return this.#weight
  }
  weightOf(closedBy: number): number {
    return this.#epochs.get(closedBy)?.weight ?? 0
  }
  holds(closedBy: number, writer: number): boolean {
    return this.#epochs.get(closedBy)?.facts[writer] !== undefined
  }
  /** Stores a batch unless it is held already. */
  put(closedBy: number, writer: number, facts: readonly Fact[]): void {
    const epoch = this.#epoch(closedBy)
    if (epoch.facts[writer] !== undefined) return
    epoch.facts[writer] = facts
    epoch.missing--
    epoch.weight += 1 + facts.length
    this.#weight += 1 + facts.length
  }
  /** Notes that a record of the epoch is at this offset of the task's own partition. */
  lies(closedBy: number, offset: number): void {
    const epoch = this.#epoch(closedBy)
    if (offset < epoch.offset) epoch.offset = offset
  }
  isWhole(closedBy: number): boolean {
    return this.#epochs.get(closedBy)?.missing === 0
  }
  /** Writers whose batch is missing. */
  missing(closedBy: number): readonly number[] {
    const epoch = this.#epochs.get(closedBy)
    return Array.from({ length: this.#writers }, (_, writer) => writer).filter((writer) => epoch?.facts[writer] === undefined)
  }
  facts(closedBy: number): readonly Fact[] {
    return this.#epochs.get(closedBy)?.facts.flatMap((facts) => facts ?? []) ?? []
  }
  drop(closedBy: number): void {
    const epoch = this.#epochs.get(closedBy)
    if (epoch === undefined) return
    this.#weight -= epoch.weight
    this.#epochs.delete(closedBy)
    // An outgrown table of the map may keep the epoch alive longer (see `ShortLivedMap`), but not its facts.
    epoch.facts.length = 0
  }
  /** Drops every batch of one writer. */
  dropOf(writer: number): void {
    for (const epoch of this.#epochs.values()) {
      const facts = epoch.facts[writer]
      if (facts === undefined) continue
      epoch.facts[writer] = undefined
      epoch.missing++
      epoch.weight -= 1 + facts.length
      this.#weight -= 1 + facts.length
    }
  }
  /** Drops every epoch for which `isKept` is false. */
  sweep(isKept: (closedBy: number) => boolean): void {
    for (const closedBy of this.#epochs.keys()) if (!isKept(closedBy)) this.drop(closedBy)
  }
  /** Lowest offset of the held batches, at most `next`: a restart that reads from there gets them again. */
  oldestOffset(next: number): number {
    let oldest = next
    for (const { offset } of this.#epochs.values()) if (offset < oldest) oldest = offset
    return oldest
  }

  #epoch(closedBy: number): Epoch {
    let epoch = this.#epochs.get(closedBy)
    if (epoch === undefined) {
      epoch = { facts: new Array(this.#writers).fill(undefined), missing: this.#writers, weight: 0, offset: Number.POSITIVE_INFINITY }
      this.#epochs.set(closedBy, epoch)
    }
    return epoch
  }
}
