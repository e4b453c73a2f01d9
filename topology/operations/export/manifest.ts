// What a directory of day files says of itself: manifest.json, whole or not at all; unfinished.json while it is being written.
import { z } from 'zod'
import type { Chain } from '../../../schemas/types.ts'

/** Moves when an older program would misread a directory. */
export const FORMAT = 1
export const MANIFEST = 'manifest.json'
export const UNFINISHED = 'unfinished.json'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const chainName = z.string().regex(/^[a-z]{1,16}$/) as unknown as z.ZodType<Chain>
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
/** Inside of the directory, whatever a stranger's manifest says. */
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
  /** Of a tape. */
  events: whole.optional(),
  bytes: whole,
  sha256,
  /** Which of `schemas` it has. */
  schema: path,
  /** Positions of the first and the last frame or row; null where there is none. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** The day is there up to this moment, UTC; null where it is there to its end. */
  up_to: z.string().nullable(),
  /** What it was made from. */
  source: z.enum(['log', 'history', 'tape']),
})
export type FileEntry = z.infer<typeof fileSchema>

/** A day that cannot be had whole, and why. */
const missingSchema = z.object({ chain: chainName, table: z.string(), day, reason: z.string() })
export type Missing = z.infer<typeof missingSchema>

const versioned = z.object({ name: z.string(), version: whole })
const chainSchema = z.object({
  chain: chainName,
  /** Nothing after it is in the directory: every row up to it was there, and no fork can take it back. Null where nothing is there. */
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
  /** As it was asked for: from the first moment on, up to before the second; null for no bound. */
  range: rangeSchema,
  chains: z.array(chainSchema),
  files: z.array(fileSchema),
  schemas: z.array(z.object({ path, sha256 })),
  missing: z.array(missingSchema),
})
export type Manifest = z.infer<typeof manifestSchema>

/** Of an export under way: where it ends is kept, so that going on gives what it would have given. */
export const unfinishedSchema = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  range: rangeSchema,
  /** The process that writes it, or did. */
  by: z.object({ pid: whole, startedAt: z.string(), boot: z.string() }),
  /** What is exported: an id of the history, or names and hashes of tape files. */
  of: z.string(),
  /** By chain: newest slot or block of the export, and its time. */
  cuts: z.record(z.string(), z.object({ number: whole, time: whole }).nullable()),
  files: z.array(fileSchema),
  missing: z.array(missingSchema),
})
export type Unfinished = z.infer<typeof unfinishedSchema>

export const textOf = (value: object): string => `${JSON.stringify(value, null, 1)}\n`
