// Reads the list of equivalent faults, which change no observable behaviour, with reasons: they are counted separately and not run.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Mutant } from './places.ts'

const entries = z.array(z.strictObject({ file: z.string(), before: z.string(), after: z.string(), why: z.string().min(20) }))
export type Equivalent = z.infer<typeof entries>[number]

export const readEquivalent = (): readonly Equivalent[] =>
  entries.parse(JSON.parse(readFileSync(new URL('equivalent.json', import.meta.url), 'utf8')))

/** The listed reason why a fault is equivalent; undefined if it is not listed. */
export const reasonFor = (mutant: Mutant, all: readonly Equivalent[]): string | undefined =>
  all.find(({ file, before, after }) => file === mutant.file && before === mutant.before && after === mutant.after)?.why
