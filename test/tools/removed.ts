// Takes directories away in which something may still be written.
import { rmSync } from 'node:fs'

const TRIES_MAX = 100
const PAUSE_MS = 100
const asleep = new Int32Array(new SharedArrayBuffer(4))

/**
 * Takes a directory away. An engine whose product was killed ends a moment after it, and may write until then: each try begins at the top,
 * which the retries of `rmSync` do not.
 */
export const removed = (dir: string): void => {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(dir, { recursive: true, force: true })
      return
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries === TRIES_MAX) throw failure
      Atomics.wait(asleep, 0, 0, PAUSE_MS)
    }
  }
}
