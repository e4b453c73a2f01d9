// A disk that fills up: a small tmpfs, which needs the right to mount.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface SmallDisk {
  readonly dir: string
  /** False: mounting is not permitted here, and a notice that names `what` was printed. */
  readonly isMounted: boolean
}

/** Call it at the top of a test file: the disk is there until its tests have ended. `size` as tmpfs takes it. */
export const smallDisk = (size: string | number, what: string): SmallDisk => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-disk-'))
  const isMounted = mount(dir, size, what)
  afterAll(() => {
    if (isMounted) execFileSync('umount', [dir])
    rmSync(dir, { recursive: true })
  })
  return { dir, isMounted }
}

const mount = (dir: string, size: string | number, what: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', dir], { stdio: 'pipe' })
    return true
  } catch (cause) {
    process.stderr.write(`SKIPPED: ${what}: mount is not permitted here (${String(cause)})\n`)
    return false
  }
}
