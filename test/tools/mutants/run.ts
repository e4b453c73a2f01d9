// Runs one fault against its related tests, in a copy of the tree.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { copyTree, ROOT } from '../copy-tree.ts'
import { removed } from '../removed.ts'
import { type Mutant, mutated } from './places.ts'

const SECONDS_MAX = 120
const WORDS_CHARS_MAX = 100_000
/** What ends within the limit. Tests of the API and of payments run in the process: answers and sales have few others. */
const FAST = [
  '<rootDir>/test/{unit,property,contract,conformance,simulation}/**/*.test.ts',
  '<rootDir>/test/integration/api-*.test.ts',
  '<rootDir>/test/integration/payment/*.test.ts',
]

type Verdict = 'killed' | 'survived' | 'over the limit'
export interface Outcome {
  readonly verdict: Verdict
  readonly seconds: number
  /** The test file that failed; null where none did. */
  readonly by: string | null
}

/** A copy of the work tree in which faults are planted one after the other. */
export class MutantTree {
  readonly #dir: string
  readonly #tree: string
  readonly #sound = new Set<string>()

  private constructor(dir: string, tree: string) {
    this.#dir = dir
    this.#tree = tree
  }
  static make(): MutantTree {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-mutants-'))
    const tree = join(dir, 'tree')
    mkdirSync(tree)
    copyTree(tree)
    // Some tests read what lies beside the project.
    const shared = join(ROOT, '../shared')
    if (existsSync(shared)) symlinkSync(shared, join(dir, 'shared'))
    return new MutantTree(dir, tree)
  }
  remove(): void {
    removed(this.#dir)
  }
  /** @throws where the test that fails does so without the fault too */
  async run(mutant: Mutant): Promise<Outcome> {
    const path = join(this.#tree, mutant.file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, mutated(text, mutant))
    let outcome: Outcome
    try {
      outcome = await this.#jest(['--findRelatedTests', mutant.file, '--testMatch', ...FAST], mutant.file)
    } finally {
      writeFileSync(path, text)
    }
    if (outcome.by !== null) await this.#checkSound(outcome.by)
    return outcome
  }
  async #checkSound(suite: string): Promise<void> {
    if (this.#sound.has(suite)) return
    const { verdict } = await this.#jest(['--runTestsByPath', suite], '')
    if (verdict === 'killed') throw new Error(`${suite} fails without any fault: mend that first`)
    this.#sound.add(suite)
  }
  /** In a process group of its own, so that nothing that tests started outlives the run. */
  async #jest(args: readonly string[], file: string): Promise<Outcome> {
    const startedMs = performance.now()
    const [sequencer, reporter] = ['near-first.cjs', 'first-failure.cjs'].map((name) => join(this.#tree, 'test/tools/mutants', name))
    const fixed = ['-i', '--silent', '--passWithNoTests', `--testSequencer=${sequencer}`, `--reporters=${reporter}`]
    const child = spawn(process.execPath, [join('node_modules', 'jest', 'bin', 'jest.js'), ...args, ...fixed], {
      cwd: this.#tree,
      env: { ...process.env, MUTANT_FILE: file, TMPDIR: this.#dir },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    let words = ''
    child.stderr.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-WORDS_CHARS_MAX)
    })
    const endGroup = (): void => endAll(child.pid)
    const limit = setTimeout(endGroup, SECONDS_MAX * 1_000)
    const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    clearTimeout(limit)
    endGroup()
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10
    if (signal !== null) return { verdict: 'over the limit', seconds, by: null }
    const [, by] = /^FAIL (\S+)/m.exec(words) ?? []
    return { verdict: status === 0 ? 'survived' : 'killed', seconds, by: by === undefined ? null : relative(this.#tree, by) }
  }
}

const endAll = (group: number | undefined): void => {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL')
  } catch {
    // All of them have ended.
  }
}
