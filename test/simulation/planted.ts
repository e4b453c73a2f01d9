// Faults that are planted on purpose, as patches: what finds them is measured (`npm run soak -- planted`).
import { readdirSync, readFileSync } from 'node:fs'
import { applyPatch, parsePatch } from 'diff'
import { assert } from '../../schemas/errors.ts'

const DIR = new URL('planted/', import.meta.url)

/** One patch of `planted`: two lines of words, then a unified diff. */
export interface Planted {
  readonly name: string
  /** What is wrong with it. */
  readonly what: string
  /** Paths of tests that find it; null: the simulation does. */
  readonly suites: readonly string[] | null
  readonly patch: string
}

const HEAD = /^# (?<what>.+)\n# found by: (?<by>.+)\n/

/** By name. @throws for one that does not say what it is */
export const allPlanted = (): readonly Planted[] =>
  readdirSync(DIR)
    .filter((file) => file.endsWith('.patch'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, DIR), 'utf8')
      const { what = '', by = '' } = HEAD.exec(text)?.groups ?? {}
      assert(what !== '' && by !== '', `${file} says in two lines what is wrong and what finds it`)
      return {
        name: file.slice(0, -'.patch'.length),
        what,
        suites: by === 'simulation' ? null : by.split(' '),
        patch: text.replace(HEAD, ''),
      }
    })

/** The files that it changes, by path, as they then are. @throws where it no longer fits */
export const patchedFiles = ({ name, patch }: Planted, read: (path: string) => string): ReadonlyMap<string, string> =>
  new Map(
    parsePatch(patch).map((part) => {
      const path = (part.newFileName ?? '').replace(/^b\//, '')
      const patched = applyPatch(read(path), part)
      assert(patched !== false, `${name} does not fit ${path} any more: plant the fault again`)
      return [path, patched]
    }),
  )
