// Full and thin schemas of answers about odds: thin while the history is not available.
import type { z } from 'zod'
import { fields, text } from '../vocabulary.ts'

export const withThin = <Record extends Readonly<globalThis.Record<string, z.ZodType>>>(record: Record) => ({
  full: fields(record),
  thin: fields({ ...record, coverage_reason: text.describe('why coverage is thin: what could not be read') }),
})
