// A copy of the project in a temporary directory, to modify and test without touching the work tree.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTree, ROOT } from './copy-tree.ts'
import { removeDirectory } from './remove-directory.ts'

const OUTPUT_CHARS_MAX = 100_000

interface JestRun {
  /** Exit code; null if the run timed out. */
  readonly status: number | null
  readonly seconds: number
  /** The end of stderr. */
  readonly output: string
}

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
  /** Runs jest in its own process group, and kills the group afterwards: no process started by a test survives. */
  async jest(args: readonly string[], secondsMax: number, env: Readonly<Record<string, string>> = {}): Promise<JestRun> {
    const startedMs = performance.now()
    const child = spawn(process.execPath, [join('node_modules', 'jest', 'bin', 'jest.js'), ...args], {
      cwd: this.tree,
      env: { ...process.env, ...env, TMPDIR: this.#dir },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_CHARS_MAX)
    })
    const endGroup = (): void => endAll(child.pid)
    const limit = setTimeout(endGroup, secondsMax * 1_000)
    const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    clearTimeout(limit)
    endGroup()
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10
    return { status: signal === null ? status : null, seconds, output }
  }
}

const endAll = (group: number | undefined): void => {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL')
  } catch {
    // All processes of the group have ended.
  }
}
