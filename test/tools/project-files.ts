// Lists the project's files, for tests and tools that read all of them.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The root of the project, with a slash at the end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Folders of dependencies, of git, and of what programs and tests write. */
const NOT_OURS = new Set(['node_modules', '.git', '.mintfold', 'dist', 'coverage'])

/** A TypeScript file in the root is a detector that somebody writes by the guide: the project has none there. */
const isGuest = (path: string): boolean => /^[^/]+\.ts$/.test(path)

/** Paths from the root, sorted, with `/` on every system. `root` ends with a slash. */
export const filesIn = (root: string): readonly string[] => {
  const under = (folder: string): string[] =>
    readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
      if (NOT_OURS.has(entry.name)) return []
      return entry.isDirectory() ? under(`${folder}${entry.name}/`) : [`${folder}${entry.name}`]
    })
  return under('')
    .filter((path) => !isGuest(path))
    .sort()
}

export const projectFiles: readonly string[] = filesIn(ROOT)
