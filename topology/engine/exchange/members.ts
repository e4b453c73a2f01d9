// Counts the running tasks of a chain, by partition. Over shared memory, the threads of a process count together.
export class Members {
  readonly #counts: Int32Array

  /** One count per partition, all zero before the first task. */
  constructor(counts: Int32Array) {
    this.#counts = counts
  }
  join(partition: number): void {
    Atomics.add(this.#counts, partition, 1)
  }
  leave(partition: number): void {
    Atomics.sub(this.#counts, partition, 1)
  }
  has(partition: number): boolean {
    return Atomics.load(this.#counts, partition) > 0
  }
  /** True if every partition has a task. */
  get isWhole(): boolean {
    for (let partition = 0; partition < this.#counts.length; partition++) if (Atomics.load(this.#counts, partition) === 0) return false
    return true
  }
}
