// Checks free disk space, so that lmdb does not write to a full disk.
//
// lmdb 3.5.6 writes its message about a failed pwrite into 100 bytes, which a message with large numbers overruns (mdb.c,
// mdb_page_flush: `last_error = malloc(100); sprintf(...)`): observed as an abort in malloc on a full tmpfs. So each transaction first
// checks that the file system has the space that it may need plus a reserve for the other files of the data directory. Not covered: quotas,
// which statfs does not report, and another program that fills the disk in the same milliseconds; at worst these end the process, and the
// log opens intact again.
import { statfsSync } from 'node:fs'
import { EngineError } from '../../schemas/errors.ts'

/** Reserve on the disk of the log, for ledgers and the history. */
const FREE_BYTES_MIN = 16 * 1024 * 1024

export const logFull = (dir: string, cause?: unknown): EngineError =>
  new EngineError(
    'log_full',
    `the disk of ${dir} is full (less than ${FREE_BYTES_MIN >> 20} MB to spare). Free some space: nothing is partly written. Commits are ` +
      'retried for a minute; a process that has ended by then continues at its next start.',
    { retriable: true, facts: { dir }, cause },
  )

/**
 * Free bytes on the disk. Infinite if the file system does not report them. Synchronous: it takes 3 us, whereas the thread pool
 * of a busy process would delay each commit by 1-15 ms.
 */
export const freeBytes = (dir: string): number => {
  try {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** True if `bytes` can be written to the disk of `dir` (which exists) with `reserveBytes` left. */
export const hasRoom = (dir: string, bytes: number, reserveBytes = FREE_BYTES_MIN): boolean => freeBytes(dir) >= bytes + reserveBytes

/** The reserve that payments, alerts and the sandbox's ledger leave: smaller, so they work longer than the log. */
export const LEDGER_RESERVE_BYTES = 2 * 1024 * 1024
