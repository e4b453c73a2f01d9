// A copy of the project in a temporary directory, to modify and test without touching the work tree.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTree, ROOT } from './copy-tree.ts'
import { type ProgramRun, runProgram } from './program-run.ts'
import { removeDirectory } from './remove-directory.ts'

export class ProjectCopy {
  readonly tree: string
  readonly #dir: string

  /** @param what part of the directory's name */
  constructor(what: string) {
    this.#dir = mkdtempSync(join(tmpdir(), `mintfold-${what}-`))
    this.tree = join(this.#dir, 'tree')
    mkdirSync(this.tree)
    copyTree(this.tree)
    // Some tests read the folder `shared` next to the project.
    const shared = join(ROOT, '../shared')
    if (existsSync(shared)) symlinkSync(shared, join(this.#dir, 'shared'))
  }
  remove(): void {
    removeDirectory(this.#dir)
  }
  /** Runs `work` with `file` changed, and restores the file afterwards. */
  async changed<T>(file: string, change: (text: string) => string, work: () => Promise<T>): Promise<T> {
    const path = join(this.tree, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, change(text))
    try {
      return await work()
    } finally {
      writeFileSync(path, text)
    }
  }
  jest(args: readonly string[], secondsMax: number, env: Readonly<Record<string, string>> = {}): Promise<ProgramRun> {
    const jest = join('node_modules', 'jest', 'bin', 'jest.js')
    return runProgram(this.tree, [jest, ...args], secondsMax, { ...env, TMPDIR: this.#dir })
  }
}
