// Which tombstones the brokers may have dropped, as far as one process can know: by when it heard how far a partition reached.

/** Brokers keep a tombstone for 24 h after compaction first sees it (delete.retention.ms); one hour is for clocks that differ. */
const KEPT_MS = 23 * 3_600_000
/** Between two ends that are remembered: 47 of a partition at most. */
const HEARD_EVERY_MS = 1_800_000

interface Heard {
  readonly end: number
  readonly atMs: number
}

export class Tombstones {
  readonly #wall: () => number
  #heard: Heard[] = []

  /** `wall` is unix milliseconds: it goes on while a machine sleeps. */
  constructor(wall: () => number = Date.now) {
    this.#wall = wall
  }
  /** The partition reaches up to `end` now. */
  heard(end: number): void {
    const atMs = this.#wall()
    const newest = this.#heard.at(-1)
    if (newest !== undefined && atMs - newest.atMs < HEARD_EVERY_MS) return
    this.#heard.push({ end, atMs })
    this.#heard = this.#heard.slice(this.#expired(atMs))
  }
  /**
   * Tombstones below may be gone; `end` is as last heard. A record is as old as the newest end that did not include it: so everything up to
   * the end that was heard first after the limit counts as too old.
   */
  floor(end: number): number {
    const expired = this.#expired(this.#wall())
    const oldest = this.#heard[expired]
    if (oldest === undefined || this.#wall() - oldest.atMs < KEPT_MS) return 0
    return this.#heard[expired + 1]?.end ?? end
  }
  /** Index of the newest that is older than the limit, else 0. */
  #expired(atMs: number): number {
    return Math.max(0, this.#heard.filter((heard) => atMs - heard.atMs >= KEPT_MS).length - 1)
  }
}
