// Faults planted on purpose, as patches; `npm run soak -- planted` measures how soon each is found.
import { readdirSync, readFileSync } from 'node:fs'
import { applyPatch, parsePatch } from 'diff'
import { assert } from '../../schemas/errors.ts'

const DIR = new URL('planted/', import.meta.url)

/** One patch of `planted`: two comment lines, then a unified diff. */
export interface Planted {
  readonly name: string
  /** Description of the fault. */
  readonly what: string
  /** Paths of tests that find it; null: the simulation does. */
  readonly suites: readonly string[] | null
  readonly patch: string
}

const HEAD = /^# (?<what>.+)\n# found by: (?<by>.+)\n/

/** Sorted by name. @throws for a patch without its two comment lines */
export const allPlanted = (): readonly Planted[] =>
  readdirSync(DIR)
    .filter((file) => file.endsWith('.patch'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, DIR), 'utf8')
      const { what = '', by = '' } = HEAD.exec(text)?.groups ?? {}
      assert(what !== '' && by !== '', `${file} must begin with two lines: what is wrong, and what finds it`)
      return {
        name: file.slice(0, -'.patch'.length),
        what,
        suites: by === 'simulation' ? null : by.split(' '),
        patch: text.replace(HEAD, ''),
      }
    })

/** The changed files by path, with the patch applied. @throws if it no longer applies */
export const patchedFiles = ({ name, patch }: Planted, read: (path: string) => string): ReadonlyMap<string, string> =>
  new Map(
    parsePatch(patch).map((part) => {
      const path = (part.newFileName ?? '').replace(/^b\//, '')
      const patched = applyPatch(read(path), part)
      assert(patched !== false, `${name} no longer applies to ${path}: plant the fault again`)
      return [path, patched]
    }),
  )
