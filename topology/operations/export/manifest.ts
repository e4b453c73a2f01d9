// The manifest of a directory of day files: manifest.json, written atomically at the end; unfinished.json while an export is running.
import * as z from 'zod'
import type { Chain } from '../../../schemas/types.ts'

/** Increased when an older program would misread a directory. */
export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const UNFINISHED = 'unfinished.json'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const chainName = z.string().regex(/^[a-z]{1,16}$/) as unknown as z.ZodType<Chain>
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
/** A path that cannot leave the directory, because the manifest may come from an untrusted source. */
const path = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/)
const whole = z.int().nonnegative()

/** One day of a table, or of the tape. */
const fileSchema = z.object({
  path,
  chain: chainName,
  /** `tape`, or the name of the table in SQL. */
  table: z.string().regex(/^[a-z_]{1,32}$/),
  day,
  /** Frames of a tape, rows of a table. */
  rows: whole,
  /** Only for a tape. */
  events: whole.optional(),
  bytes: whole,
  sha256,
  /** Path of its schema in `schemas`. */
  schema: path,
  /** Positions of the first and the last frame or row; null if there is none. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** The file covers the day up to this time, UTC; null if it covers the whole day. */
  up_to: z.string().nullable(),
  source: z.enum(['log', 'history', 'tape']),
})
export type FileEntry = z.infer<typeof fileSchema>

/** A day that is not available completely, and why. */
const missingSchema = z.object({ chain: chainName, table: z.string(), day, reason: z.string() })
export type Missing = z.infer<typeof missingSchema>

const versioned = z.object({ name: z.string(), version: whole })
const chainSchema = z.object({
  chain: chainName,
  /**
   * Position of the newest frame that could be exported: every row up to it was stored, and no fork can roll it back. In an export of
   * tape files: their last frame. Null if there is none.
   */
  last: z.string().nullable(),
  up_to: z.string().nullable(),
  folds: z.array(versioned),
  detectors: z.array(
    z.object({ id: z.string(), version: whole, flag: z.string(), tier: z.string().nullable(), hash: z.string().nullable() }),
  ),
})
export type ChainEntry = z.infer<typeof chainSchema>

const rangeSchema = z.object({ from: z.string().nullable(), to: z.string().nullable() })
export type RangeEntry = z.infer<typeof rangeSchema>

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  program: z.object({ name: z.literal('mintfold'), version: z.string() }),
  /** The requested first and last UTC day, such as 2026-10-15, both inclusive; null for no limit. */
  range: rangeSchema,
  chains: z.array(chainSchema),
  files: z.array(fileSchema),
  schemas: z.array(z.object({ path, sha256 })),
  missing: z.array(missingSchema),
})
export type Manifest = z.infer<typeof manifestSchema>

/** State of an unfinished export. It includes where the exported data ends (`cuts`), so that a resumed export gives the same files. */
export const unfinishedSchema = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  range: rangeSchema,
  /** The process that writes the directory, or wrote to it last. */
  by: z.object({ pid: whole, startedAt: z.string(), boot: z.string() }),
  /**
   * The exported data: the owner names of the history's sinks, one per chain, each ending with the id of the history; or `tape` and the
   * SHA-256 of the contents of all tape files.
   */
  of: z.string(),
  /** By chain: newest slot or block of the export, and its time. */
  cuts: z.record(z.string(), z.object({ number: whole, time: whole }).nullable()),
  files: z.array(fileSchema),
  missing: z.array(missingSchema),
})
export type Unfinished = z.infer<typeof unfinishedSchema>

export const textOf = (value: object): string => `${JSON.stringify(value, null, 1)}\n`
