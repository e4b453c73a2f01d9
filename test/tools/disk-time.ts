// Measures for how long a disk stalled: requests were pending throughout and almost none completed. Linux; 0 elsewhere, and for a folder
// on no disk. The cause stays open: a few slow requests look the same, and so do requests delayed by the product's own discards.
import { readFileSync, statSync } from 'node:fs'

export const LOOK_MS = 100
/** Fewer completed requests between two samples count as a stall. A healthy disk completes one within 1 to 2 ms. */
const COMPLETED_MAX = 10
/** Fields of a block device's `stat` (kernel: Documentation/block/stat.rst): completed requests of each kind, and requests in flight. */
const COMPLETED_FIELDS = [0, 4, 11, 15]
const WAITING_FIELD = 8

/** A sample of a disk's counters; `atMs` is of any monotonic clock. */
export interface DiskLook {
  readonly atMs: number
  readonly completed: number
  readonly waiting: number
}

/** Samples the disk of a folder; the sample is undefined where the system has no counters for it. */
export const diskOf = (dir: string): (() => DiskLook | undefined) => {
  const { dev } = statSync(dir)
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)]
  return () => {
    try {
      const fields = readFileSync(`/sys/dev/block/${major}:${minor}/stat`, 'utf8').trim().split(/ +/).map(Number)
      const completed = COMPLETED_FIELDS.reduce((sum, field) => sum + (fields[field] ?? 0), 0)
      return { atMs: performance.now(), completed, waiting: fields[WAITING_FIELD] ?? 0 }
    } catch {
      return undefined
    }
  }
}

/** Adds up the stalled time. */
export class StillDisk {
  readonly #look: () => DiskLook | undefined
  #before: DiskLook | undefined
  #stillMs = 0

  constructor(look: () => DiskLook | undefined) {
    this.#look = look
  }
  /** Takes a sample; call it every LOOK_MS. */
  look(): void {
    const [before, now] = [this.#before, this.#look()]
    this.#before = now
    if (before === undefined || now === undefined || before.waiting === 0 || now.waiting === 0) return
    if (now.completed - before.completed < COMPLETED_MAX) this.#stillMs += now.atMs - before.atMs
  }
  /** Stalled milliseconds since the last call. */
  take(): number {
    const stillMs = this.#stillMs
    this.#stillMs = 0
    return stillMs
  }
}
