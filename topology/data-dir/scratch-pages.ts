// Pages that a process keeps for long: in memory up to a limit, beyond it on disk.
import type { KeyedPages, PageStore } from '../ports/keyed-pages.ts'
import { DiskPages, type PagesOwner } from './disk-pages.ts'
import { sweepScratch } from './scratch-dir.ts'
import { ScratchFile } from './scratch-file.ts'

/**
 * Memory of young keys (those that are not on disk) in all stores of a thread. A small process stays below this limit and never touches
 * the disk. Most keys that are used again are used again within minutes: at ten times today's load such keys take about 40 MB.
 */
const YOUNG_BYTES_MAX = 64 * 1024 * 1024
/** Moved to disk at a time: about 300 keys and 5 ms of the event loop. */
const MOVED_BYTES = 96 * 1024
/** If the disk has no room, memory may grow to this many times the limit, so that an operator has time to free some space. */
const OVER_MAX = 2
/** Limit of the file of a thread; 18 million creators take about 11 GB. */
const FILE_BYTES_MAX = 32 * 1024 * 1024 * 1024

/** Limits of the pages of a thread. */
export interface ScratchLimits {
  readonly youngBytesMax: number
  readonly fileBytesMax: number
}

export const SCRATCH_LIMITS: ScratchLimits = { youngBytesMax: YOUNG_BYTES_MAX, fileBytesMax: FILE_BYTES_MAX }

export interface ClosablePages extends PageStore {
  /** Deletes the file. Call it after everything that uses the pages has ended. */
  close(): Promise<void>
}

/**
 * The pages of one thread. The file is created once memory has reached its limit, in a folder of its own in the data directory. Files of
 * killed processes are removed.
 */
export const openScratchPages = (dataDir: string, limits: ScratchLimits = SCRATCH_LIMITS): ClosablePages => {
  sweepScratch(dataDir)
  return new ScratchPages(dataDir, limits)
}

class ScratchPages implements ClosablePages {
  readonly #limits: ScratchLimits
  readonly #file: ScratchFile
  /** Open pages that have, or had, a young key. */
  readonly #used = new Set<DiskPages>()
  #youngBytes = 0
  readonly #owner: PagesOwner

  constructor(dataDir: string, limits: ScratchLimits) {
    this.#limits = limits
    this.#file = new ScratchFile(dataDir, limits.fileBytesMax)
    this.#owner = {
      file: this.#file,
      changed: (pages, bytes) => {
        this.#youngBytes += bytes
        if (bytes <= 0) return
        this.#used.add(pages)
        if (this.#youngBytes > this.#limits.youngBytesMax) this.#moveOldest()
      },
      closed: (pages) => void this.#used.delete(pages),
    }
  }
  open(): KeyedPages {
    return new DiskPages(this.#owner)
  }
  async close(): Promise<void> {
    await this.#file.close()
  }

  /** Moves keys of the store that takes most memory: a store whose keys live only for minutes stays small, and in memory. */
  #moveOldest(): void {
    let largest: DiskPages | undefined
    for (const pages of this.#used) if (largest === undefined || pages.youngBytes > largest.youngBytes) largest = pages
    if (largest?.moveOldest(MOVED_BYTES) === false && this.#youngBytes > OVER_MAX * this.#limits.youngBytesMax) throw this.#file.full()
  }
}
