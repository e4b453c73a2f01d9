// Keeps lmdb from ever meeting a full disk.
//
// lmdb 3.5.6 writes its message about a failed pwrite into 100 bytes, which a message with large numbers overruns (mdb.c,
// mdb_page_flush: `last_error = malloc(100); sprintf(...)`): seen as an abort in malloc on a full tmpfs. So each transaction first asks
// the file system for the room that it may take, and leaves a reserve to the other files of the data directory. Not covered: quotas,
// which statfs does not show, and another program that fills the disk in the same milliseconds; those end the process at worst, and the
// log opens whole again.
import { statfsSync } from 'node:fs'
import { EngineError } from '../../schemas/errors.ts'

/** Left free on the disk of the log: ledgers and the history beside it need some to go on. */
const FREE_BYTES_MIN = 16 * 1024 * 1024

export const logFull = (dir: string, cause?: unknown): EngineError =>
  new EngineError(
    'log_full',
    `the disk of ${dir} is full (less than ${FREE_BYTES_MIN >> 20} MB to spare). Free some space: nothing is half written, and commits go on once there is room.`,
    { retriable: true, facts: { dir }, cause },
  )

/**
 * Bytes that other users of the disk leave to us. Infinite where the file system does not tell. Asked at once: it takes 3 us, where a
 * turn in the pool of threads takes a busy process 1-15 ms of each commit.
 */
export const freeBytes = (dir: string): number => {
  try {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** True when `bytes` can be written to the disk of `dir` (which exists) and `reserveBytes` are still there. */
export const hasRoom = (dir: string, bytes: number, reserveBytes = FREE_BYTES_MIN): boolean => freeBytes(dir) >= bytes + reserveBytes

/** What payments and the sandbox's ledger leave free: they go on longer than the log does. */
export const LEDGER_RESERVE_BYTES = 2 * 1024 * 1024
