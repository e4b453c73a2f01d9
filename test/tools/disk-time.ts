// For how long a disk stood still: requests waited for it all along, and it completed next to none. Linux; 0 elsewhere, and where a folder
// lies on no disk. It does not say who is to blame: a few slow requests look the same, and so does what a product's own discards hold up.
import { readFileSync, statSync } from 'node:fs'

export const LOOK_MS = 100
/** Between two looks. A disk in good health completes one within a millisecond or two. */
const COMPLETED_MAX = 10
/** Of `stat` of a block device (kernel: Documentation/block/stat.rst): requests of each kind that were completed, and those under way. */
const COMPLETED_FIELDS = [0, 4, 11, 15]
const WAITING_FIELD = 8

/** What a look at a disk shows; `atMs` is of any clock that goes on. */
export interface DiskLook {
  readonly atMs: number
  readonly completed: number
  readonly waiting: number
}

/** Undefined where there is nothing to look at. */
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

/** Adds up how long it stood still. */
export class StillDisk {
  readonly #look: () => DiskLook | undefined
  #before: DiskLook | undefined
  #stillMs = 0

  constructor(look: () => DiskLook | undefined) {
    this.#look = look
  }
  /** To be called every LOOK_MS. */
  look(): void {
    const [before, now] = [this.#before, this.#look()]
    this.#before = now
    if (before === undefined || now === undefined || before.waiting === 0 || now.waiting === 0) return
    if (now.completed - before.completed < COMPLETED_MAX) this.#stillMs += now.atMs - before.atMs
  }
  /** Milliseconds since it was taken before. */
  take(): number {
    const stillMs = this.#stillMs
    this.#stillMs = 0
    return stillMs
  }
}
