// Finds partitions whose committed records stay undecided because their markers are missing: the writer writes them before its next
// transaction.
//
// Kafka 4.3.1 loses markers without a crash, too: a broker that gets no CPU time for some seconds is fenced, and its coordinator treats
// partitions that have no leader at that moment as deleted, and writes CompleteCommit (seen in its log). Restores of these partitions, of
// whatever task, would wait for ever.

/**
 * Markers follow a commit within milliseconds. Two checks in a row without them mean that they are lost, or that an open transaction of
 * another owner holds back the last stable offset.
 */
const CHECK_MS = 1_000

interface Unverified {
  /** Offset after the newest committed record. */
  end: number
  /** `end` at the previous check, if that offset was undecided then. */
  doubted: number | undefined
}

export interface MarkerCheckParts {
  /** Last stable offsets by `topicName/partition`. */
  decidedEnds(names: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Called when partitions without markers were found. */
  found(): void
  readonly checkMs?: number
}

export class MarkerCheck {
  readonly #parts: MarkerCheckParts
  readonly #unverified = new Map<string, Unverified>()
  readonly #unmarked = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parts: MarkerCheckParts) {
    this.#parts = parts
  }
  /** Partitions, `topicName/partition`, where markers may be missing, or another owner's transaction is open. */
  get unmarked(): readonly string[] {
    return [...this.#unmarked]
  }
  /** Call after each commit, with the offsets after its last records. */
  committed(ends: ReadonlyMap<string, number>): void {
    for (const [name, end] of ends) {
      const known = this.#unverified.get(name)
      if (known === undefined) this.#unverified.set(name, { end, doubted: undefined })
      else known.end = end
    }
    this.#schedule()
  }
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isStopped || this.#unverified.size === 0) return
    this.#timer = setTimeout(() => {
      this.#check()
        // An unreachable log is reported by the commits.
        .catch(() => {})
        .finally(() => {
          this.#timer = undefined
          this.#schedule()
        })
    }, this.#parts.checkMs ?? CHECK_MS).unref()
  }
  async #check(): Promise<void> {
    const ends = new Map(Array.from(this.#unverified, ([name, { end }]) => [name, end]))
    const decided = await this.#parts.decidedEnds([...ends.keys()])
    for (const [name, end] of ends) this.#judge(name, end, decided.get(name) ?? end)
    if (this.#unmarked.size > 0 && !this.#isStopped) this.#parts.found()
  }
  #judge(name: string, end: number, decided: number): void {
    const unverified = this.#unverified.get(name) as Unverified
    const { doubted } = unverified
    if (doubted !== undefined && decided < doubted) {
      this.#unmarked.add(name)
      return
    }
    this.#unmarked.delete(name)
    unverified.doubted = decided < end ? end : undefined
    if (unverified.doubted === undefined && unverified.end === end) this.#unverified.delete(name)
  }
}
