// Finds the tests that imports lead to changed files, the nearest first: for `npm run test:quick` and `npm run mutants`.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { filesIn } from './project-files.ts'

/** Kinds of tests by time: of tests at the same distance, the fast kinds come first. */
const KINDS = ['unit', 'contract', 'integration', 'property', 'conformance', 'simulation']
/**
 * Files that a line imports: static, dynamic, re-exported, or named by `new URL('./x.ts', import.meta.url)`, but not imports of types only,
 * which the compiler checks. Text instead of a parser: all files in half a second.
 */
const IMPORT =
  /^(?:import|export)\s+(?!type\b)[\w\s{},*$]*(?:\bfrom\s*)?'(\.[^']+)'|\b(?:import|require)\(\s*'(\.[^']+)'|\bURL\(\s*'(\.[^']+)'/gm

export const importsIn = (text: string): readonly string[] => [...text.matchAll(IMPORT)].map(([, a, b, c]) => a ?? b ?? c ?? '')

/** Files of the project, with the files that import each of them. */
export class Imports {
  readonly #texts: ReadonlyMap<string, string>
  readonly #targets = new Map<string, readonly string[]>()
  readonly #importers = new Map<string, string[]>()

  constructor(root: string) {
    const paths = filesIn(`${root.replace(/\/$/, '')}/`).filter((path) => /\.[cm]?[jt]s$/.test(path))
    this.#texts = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
    for (const [path, text] of this.#texts) {
      const targets = importsIn(text).map((name) => posix.join(posix.dirname(path), name))
      this.#targets.set(path, targets)
      for (const target of targets) this.#importers.set(target, [...(this.#importers.get(target) ?? []), path])
    }
  }
  files(isWanted: (path: string) => boolean): { readonly path: string; readonly text: string }[] {
    return [...this.#texts].filter(([path]) => isWanted(path)).map(([path, text]) => ({ path, text }))
  }
  /** The files that imports of these lead to, and these. */
  reached(isFrom: (path: string) => boolean): ReadonlySet<string> {
    const from = [...this.#texts.keys()].filter(isFrom)
    return new Set(spread(from, (path) => this.#targets.get(path) ?? []).keys())
  }
  /** The files from which imports lead to a changed file, with the number of imports; 0 for the changed ones. */
  #dependents(changed: readonly string[]): ReadonlyMap<string, number> {
    return spread(changed, (path) => this.#importers.get(path) ?? this.#readers(path))
  }
  /** Test files that depend on a changed file, the nearest first. */
  tests(changed: readonly string[], isWanted: (path: string) => boolean): readonly string[] {
    const found = [...this.#dependents(changed)].filter(([path]) => path.endsWith('.test.ts') && this.#texts.has(path) && isWanted(path))
    const rankOf = ([path, distance]: readonly [string, number]): number =>
      distance * KINDS.length + KINDS.indexOf(path.split('/')[1] ?? '')
    return found.sort((a, b) => rankOf(a) - rankOf(b) || (a[0] < b[0] ? -1 : 1)).map(([path]) => path)
  }
  /** Files with the name of a data file in their text; every folder has a README.md, so documents have none. */
  #readers(path: string): readonly string[] {
    if (/\.([cm]?[jt]s|md)$/.test(path)) return []
    return [...this.#texts].filter(([, text]) => text.includes(posix.basename(path))).map(([reader]) => reader)
  }
}

/** Breadth first: each file with its least number of steps. */
const spread = (from: readonly string[], next: (path: string) => readonly string[]): ReadonlyMap<string, number> => {
  const steps = new Map(from.map((path) => [path, 0]))
  for (const [path, distance] of steps) for (const other of next(path)) if (!steps.has(other)) steps.set(other, distance + 1)
  return steps
}
