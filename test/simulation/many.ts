// Runs many seeds in a row: counts the faults, and reports each failure as a line for seeds.json.
import { countKinds, FAULT_KINDS } from './faults.ts'
import { shrunk } from './shrink.ts'
import { STORY_KINDS } from './story.ts'
import { domainOf, runTrial } from './trial.ts'

/** The result of a run over many seeds. */
export interface ManyReport {
  readonly seeds: number
  readonly from: number
  readonly entries: number
  readonly steps: number
  readonly seconds: number
  /** How often each kind of fault, of event of the story and of consequence happened. */
  readonly happened: Readonly<Record<string, number>>
  /** Kinds that never happened: the run did not cover them. */
  readonly never: readonly string[]
  /** For each seed that failed: the entry for seeds.json, and the violations. */
  readonly failures: readonly { readonly keep: string; readonly broken: readonly string[] }[]
}

const FOLLOWING_KINDS = ['owner is fenced', 'retraction']
/** A run ends after this many failing seeds: to shrink one takes some hundred runs. */
const FAILURES_MAX = 3

/** Runs `seeds` seeds from `from` on, or until `FAILURES_MAX` have failed; `print` receives progress lines. */
export const runSeeds = async (seeds: number, from: number, print: (line: string) => void): Promise<ManyReport> => {
  const startedMs = performance.now()
  const counts = new Map<string, number>()
  const failures: ManyReport['failures'][number][] = []
  let [ran, entries, steps] = [0, 0, 0]
  for (; ran < seeds && failures.length < FAILURES_MAX; ran++) {
    const trial = { seed: from + ran, domain: domainOf(from + ran) }
    const outcome = await runTrial(trial)
    entries += outcome.entries
    steps += outcome.steps
    for (const [kind, count] of countKinds([...outcome.fired, ...outcome.happened])) counts.set(kind, (counts.get(kind) ?? 0) + count)
    if (outcome.broken.length > 0) {
      print(`seed ${trial.seed} fails: ${outcome.broken[0]}; shrinking`)
      const { trial: small, outcome: left } = await shrunk(trial)
      failures.push({ keep: JSON.stringify({ trial: small, found: '' }), broken: left.broken })
    }
    if ((ran + 1) % 1_000 === 0) print(`${ran + 1} seeds, ${steps} steps, ${failures.length} failed`)
  }
  const never = [...FAULT_KINDS, ...STORY_KINDS, ...FOLLOWING_KINDS].filter((kind) => !counts.has(kind))
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10
  return { seeds: ran, from, entries, steps, seconds, happened: Object.fromEntries([...counts].sort()), never, failures }
}
