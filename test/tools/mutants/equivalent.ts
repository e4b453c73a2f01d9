// Reads the list of equivalent faults, which change no observable behaviour, with reasons: they are counted separately and not run.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type Mutant, mutated } from './places.ts'

/** In the function (or constant) `in` of the file, `find` occurs exactly once; replacing it by `put` is the fault. */
const entries = z.array(z.strictObject({ file: z.string(), in: z.string(), find: z.string(), put: z.string(), why: z.string().min(20) }))
export type Equivalent = z.infer<typeof entries>[number]

export const readEquivalent = (): readonly Equivalent[] =>
  entries.parse(JSON.parse(readFileSync(new URL('equivalent.json', import.meta.url), 'utf8')))

/** The listed reason why a fault of the file's text is equivalent; undefined if it is not listed. */
export const reasonFor = (mutant: Mutant, text: string, all: readonly Equivalent[]): string | undefined => {
  const bytes = Buffer.from(text)
  const [from, to] = mutant.scope
  const planted = mutated(text, mutant)
  const isSame = ({ find, put }: Equivalent): boolean => {
    const parts = bytes.toString('utf8', from, to).split(find)
    return parts.length === 2 && `${bytes.toString('utf8', 0, from)}${parts.join(put)}${bytes.toString('utf8', to)}` === planted
  }
  return all.find((one) => one.file === mutant.file && one.in === mutant.in && isSame(one))?.why
}
