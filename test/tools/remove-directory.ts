// Removes directories to which a process may still write.
import { rmSync } from 'node:fs'

const TRIES_MAX = 100
const PAUSE_MS = 100
const neverNotified = new Int32Array(new SharedArrayBuffer(4))

/**
 * Removes a directory. The ClickHouse process of a killed product ends a moment later and may write until then: each attempt starts at the
 * top again, unlike the retries of `rmSync`.
 */
export const removeDirectory = (dir: string): void => {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(dir, { recursive: true, force: true })
      return
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries === TRIES_MAX) throw failure
      Atomics.wait(neverNotified, 0, 0, PAUSE_MS)
    }
  }
}
