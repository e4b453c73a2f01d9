// Runs the related tests of one fault in a copy of the tree.
import { join, relative } from 'node:path'
import { ProjectCopy } from '../project-copy.ts'
import { Imports } from '../related.ts'
import { type Mutant, mutated } from './places.ts'

const SECONDS_MAX = 120
/** Tests that end within the limit. Integration tests of the API and of payments are included: answers and payments have few others. */
const FAST = /^test\/(?:(?:unit|property|contract|conformance|simulation)\/|integration\/(?:api-[^/]*|payment\/[^/]*)$)/

type Verdict = 'killed' | 'survived' | 'over the limit'
export interface Outcome {
  readonly verdict: Verdict
  readonly seconds: number
  /** The test file that failed; null if none did. */
  readonly by: string | null
}

/** A copy of the work tree, into which faults are planted one after the other. */
export class MutantTree {
  readonly #copy = new ProjectCopy('mutants')
  readonly #imports = new Imports(this.#copy.tree)
  readonly #sound = new Set<string>()

  remove(): void {
    this.#copy.remove()
  }
  /** @throws if the failing test fails without the fault as well */
  async run(mutant: Mutant): Promise<Outcome> {
    const { file } = mutant
    const related = this.#imports.tests([file], (path) => FAST.test(path))
    const outcome = await this.#copy.changed(
      file,
      (text) => mutated(text, mutant),
      () => this.#jest(related),
    )
    if (outcome.by !== null) await this.#checkSound(outcome.by)
    return outcome
  }
  async #checkSound(suite: string): Promise<void> {
    if (this.#sound.has(suite)) return
    const { verdict } = await this.#jest([suite])
    if (verdict === 'killed') throw new Error(`${suite} fails without a planted fault: repair it first`)
    this.#sound.add(suite)
  }
  async #jest(files: readonly string[]): Promise<Outcome> {
    if (files.length === 0) return { verdict: 'survived', seconds: 0, by: null }
    const { tree } = this.#copy
    const [sequencer, reporter] = ['as-given.cjs', 'mutants/first-failure.cjs'].map((name) => join(tree, 'test/tools', name))
    const fixed = ['-i', '--silent', `--testSequencer=${sequencer}`, `--reporters=${reporter}`]
    const { status, seconds, output } = await this.#copy.jest([...fixed, '--runTestsByPath', ...files], SECONDS_MAX)
    if (status === null) return { verdict: 'over the limit', seconds, by: null }
    const [, by] = /^FAIL (\S+)/m.exec(output) ?? []
    return { verdict: status === 0 ? 'survived' : 'killed', seconds, by: by === undefined ? null : relative(tree, by) }
  }
}
