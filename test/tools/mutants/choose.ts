// Which faults are planted: a seeded choice of all that the files of some patterns have.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../../topology/simulator/random.ts'
import { parseSource } from '../tidy/source.ts'
import { type Mutant, mutantsOf } from './places.ts'

const FOLDERS = ['schemas', 'processors', 'topology', 'query-api']
/** Made by a script, checked by its own test. */
const GENERATED = new Set(['query-api/guides/client-types.ts', 'schemas/types.ts'])
const RANDOM_STREAM = 0x40

/** Whether a path is meant: of a folder, or by `*` within a name, `**` over folders, and `{a,b}`. */
export const matcher = (glob: string): ((path: string) => boolean) => {
  const pattern = glob
    .replace(/\/+$/, '')
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (wild) => (wild.startsWith('**') ? '.*' : wild === '*' ? '[^/]*' : '[^/]'))
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.split(',').join('|')})`)
  const whole = new RegExp(`^${pattern}(?:/.*)?$`)
  return (path) => whole.test(path)
}

/** The product's own files, by path. */
export const productFiles = (root: string): readonly string[] => {
  const filesOf = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesOf(path) : path.endsWith('.ts') && !GENERATED.has(path) ? [path] : []
    })
  return FOLDERS.flatMap(filesOf).sort()
}

export const mutantsIn = (root: string, files: readonly string[]): readonly Mutant[] =>
  files.flatMap((path) => mutantsOf(parseSource(path, readFileSync(join(root, path), 'utf8'))))

/** The same seed and files give the same order; a larger count begins with the smaller one. */
export const chosen = (all: readonly Mutant[], seed: number, count: number): readonly Mutant[] => {
  const random = new Random(seed, RANDOM_STREAM)
  const rest = [...all]
  const taken: Mutant[] = []
  while (taken.length < count && rest.length > 0) taken.push(...rest.splice(random.int(rest.length), 1))
  return taken
}
