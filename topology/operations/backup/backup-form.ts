// The format of a backup file: a magic line, a header, blocks of rows, and a checksum over everything before it.
//
//   mintfold backup 1\n | header: bytes u32, JSON | block: bytes u32, rows | ... | u32 0 | sha256 of everything before it
//   row: table u8, key length u16, value length u32, key, value       (integers are big-endian)
import * as z from 'zod'

/** Increased when an older program would misread the file. */
export const MAGIC = Buffer.from('mintfold backup 1\n')
export const ANY_VERSION = /^mintfold backup (\d{1,9})\n/
/** A block is written once it has at least this many bytes; one row may be larger. */
export const BLOCK_BYTES = 1024 * 1024
/** Far above the largest row of a store (16 MB). */
export const BLOCK_BYTES_MAX = 64 * 1024 * 1024
export const HEADER_BYTES_MAX = 1024 * 1024
export const ROW_HEAD_BYTES = 7
export const SUM_BYTES = 32

export const headerSchema = z.object({
  /** Version of the program that made the backup. */
  version: z.string(),
  /** Format version of the log in it. */
  logFormat: z.int(),
  /** Wall time, ISO 8601. */
  madeAt: z.string(),
  /** Rows refer to a table by its index in this list. */
  tables: z.array(z.object({ store: z.string().regex(/^[a-z][a-z-]{0,31}$/), table: z.string().regex(/^[a-z-]{0,32}$/) })).max(255),
  /** Folders of the data directory that are not in the backup because they can be rebuilt. */
  leftOut: z.array(z.string()),
})
export type BackupHeader = z.infer<typeof headerSchema>

export interface BackupRow {
  /** Index in the header's list of tables. */
  readonly table: number
  readonly key: Uint8Array
  readonly value: Uint8Array
}
