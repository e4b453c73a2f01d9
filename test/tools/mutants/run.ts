// Runs one fault against its related tests, in a copy of the tree.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTree, ROOT } from '../copy-tree.ts'
import { removed } from '../removed.ts'
import { type Mutant, mutated } from './places.ts'

const SECONDS_MAX = 120
/** What ends within the limit. Tests of the API run in the process: its answers have few others. */
const FAST = ['<rootDir>/test/{unit,property,contract,conformance,simulation}/**/*.test.ts', '<rootDir>/test/integration/api-*.test.ts']

export type Verdict = 'killed' | 'survived' | 'over the limit'
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
  run(mutant: Mutant): Outcome {
    const path = join(this.#tree, mutant.file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, mutated(text, mutant))
    let outcome: Outcome
    try {
      outcome = this.#jest(['--findRelatedTests', mutant.file, '--bail', '--testMatch', ...FAST], mutant.file)
    } finally {
      writeFileSync(path, text)
    }
    if (outcome.by !== null) this.#checkSound(outcome.by)
    return outcome
  }
  #checkSound(suite: string): void {
    if (this.#sound.has(suite)) return
    if (this.#jest(['--runTestsByPath', suite], '').verdict === 'killed')
      throw new Error(`${suite} fails without any fault: mend that first`)
    this.#sound.add(suite)
  }
  #jest(args: readonly string[], file: string): Outcome {
    const startedMs = performance.now()
    const sequencer = join(this.#tree, 'test/tools/mutants/near-first.cjs')
    const fixed = ['--silent', '-w', '1', '--passWithNoTests', '--testSequencer', sequencer]
    const { status, signal, stderr } = spawnSync(process.execPath, [join('node_modules', 'jest', 'bin', 'jest.js'), ...args, ...fixed], {
      cwd: this.#tree,
      encoding: 'utf8',
      env: { ...process.env, MUTANT_FILE: file },
      maxBuffer: 2 ** 28,
      timeout: SECONDS_MAX * 1_000,
      killSignal: 'SIGKILL',
    })
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10
    if (signal !== null) return { verdict: 'over the limit', seconds, by: null }
    const [, by = null] = /^FAIL (\S+)/m.exec(stderr) ?? []
    return { verdict: status === 0 ? 'survived' : 'killed', seconds, by }
  }
}
