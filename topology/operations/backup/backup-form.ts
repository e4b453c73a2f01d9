// The form of a backup file: a line of words, a header, blocks of rows, and a checksum of it all.
//
//   mintfold backup 1\n | header: bytes u32, JSON | block: bytes u32, rows | ... | u32 0 | sha256 of everything before it
//   row: table u8, key length u16, value length u32, key, value       (integers are big-endian)
import { z } from 'zod'

/** Moves when an older program would misread the file. */
export const MAGIC = Buffer.from('mintfold backup 1\n')
export const ANY_VERSION = /^mintfold backup (\d{1,9})\n/
/** A block is written once it has this many bytes; one row may be larger. */
export const BLOCK_BYTES = 1024 * 1024
/** Above the largest row of a store (16 MB) by far. */
export const BLOCK_BYTES_MAX = 64 * 1024 * 1024
export const HEADER_BYTES_MAX = 1024 * 1024
export const ROW_HEAD_BYTES = 7
export const SUM_BYTES = 32

export const headerSchema = z.object({
  /** Of the program that made it. */
  version: z.string(),
  /** Format of the log in it. */
  logFormat: z.int(),
  /** Wall time, ISO 8601. */
  madeAt: z.string(),
  /** Numbered as the rows say. */
  tables: z.array(z.object({ store: z.string().regex(/^[a-z][a-z-]{0,31}$/), table: z.string().regex(/^[a-z-]{0,32}$/) })).max(255),
  /** Folders of the data directory that are made again rather than kept. */
  leftOut: z.array(z.string()),
})
export type BackupHeader = z.infer<typeof headerSchema>

export interface BackupRow {
  /** Number in the header's list. */
  readonly table: number
  readonly key: Uint8Array
  readonly value: Uint8Array
}
