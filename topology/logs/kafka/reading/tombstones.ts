// Estimates which tombstones the brokers may have dropped, from the times at which this process learned a partition's end.

/** Brokers keep a tombstone for 24 h after compaction first sees it (delete.retention.ms); one hour allows for clock skew. */
const KEPT_MS = 23 * 3_600_000
/** Interval between remembered ends: at most 47 per partition. */
const HEARD_EVERY_MS = 1_800_000

/** The end of the partition at a time, unix ms. */
interface SeenEnd {
  readonly end: number
  readonly atMs: number
}

export class Tombstones {
  readonly #wall: () => number
  #seen: SeenEnd[] = []

  /** `wall` is unix milliseconds: it advances while a machine sleeps. */
  constructor(wall: () => number = Date.now) {
    this.#wall = wall
  }
  /** Notes that the partition's end is `end` now. */
  observeEnd(end: number): void {
    const atMs = this.#wall()
    const newest = this.#seen.at(-1)
    if (newest !== undefined && atMs - newest.atMs < HEARD_EVERY_MS) return
    this.#seen.push({ end, atMs })
    this.#seen = this.#seen.slice(this.#expired(atMs))
  }
  /**
   * Tombstones below this offset may be gone; 0: none. `end` is the newest known end. A record is at most as old as the newest noted end
   * that does not include it. So everything below the first end noted within the last 23 h counts as too old.
   */
  floor(end: number): number {
    const expired = this.#expired(this.#wall())
    const oldest = this.#seen[expired]
    if (oldest === undefined || this.#wall() - oldest.atMs < KEPT_MS) return 0
    return this.#seen[expired + 1]?.end ?? end
  }
  /** Index of the newest entry older than the limit, else 0. */
  #expired(atMs: number): number {
    return Math.max(0, this.#seen.filter((seen) => atMs - seen.atMs >= KEPT_MS).length - 1)
  }
}
