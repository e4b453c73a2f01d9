// Drains and restores of both sides alternately, on one broker with the same events: the whole tape, exactly once, then the rows from the
// changelog in a new process. Stops if their results differ.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runChild, runProcesses } from './child.ts'
import type { Cache } from './comparator.ts'
import type { RunOptions } from './engine.ts'
import { CACHES, type Case, casesOf, nameOf, type Plan, processesOf, runOptions } from './plan.ts'
import { FLAG_NAMES } from './processor.ts'
import { type Compared, inRounds, Report } from './report.ts'
import type { Layout } from './tape.ts'
import type { Figures } from './together.ts'

const STATE = ['mints', 'state_bytes', 'state_sum']

const COMPARED: readonly Compared[] = [
  { bench: 'kafka_events_ratio', figure: 'events_per_s' },
  { bench: 'kafka_cpu_ratio', figure: 'cpu_s' },
  { bench: 'kafka_broker_cpu_ratio', figure: 'broker_cpu_s' },
  { bench: 'kafka_memory_ratio', figure: 'peak_rss_mb' },
  { bench: 'kafka_restore_ratio', figure: 'restore_s' },
  { bench: 'kafka_snapshot_restore_ratio', figure: 'snapshot_restore_s' },
  { bench: 'kafka_running_ratio', figure: 'to_running_s' },
]

/** Compares states and flags with those of the first run. */
class SameResults {
  #first: Figures | undefined

  check(figures: Figures, names: readonly string[]): void {
    this.#first ??= figures
    for (const name of names)
      if (figures[name] === undefined || figures[name] !== this.#first[name])
        throw new Error(`${name} is ${figures[name]}, and ${this.#first[name]} in the first run`)
  }
}

export const loadTapes = async ({ services, file, events }: Plan, layouts: readonly Layout[]): Promise<void> => {
  for (const layout of layouts) await runChild('load', { ...services, tape: layout, layout, file, events })
}

/** The mean interval between two commits of a task shows whether the engine keeps to the commit interval. */
export const drainHere = async (plan: Plan, variant: Case, run: string): Promise<Figures> => {
  const { partitions = Number.NaN, ...drained } = await runProcesses('drain', runOptions(plan, variant, run, variant.layout))
  const { seconds = Number.NaN, commits = Number.NaN } = drained
  return { events_per_s: plan.events / seconds, ...drained, task_commit_ms: (seconds * 1_000 * partitions) / commits }
}

/** Kafka Streams has no snapshots: it restores from the log in both cases. */
const withRestore = (drained: Figures, restored: Figures, fromSnapshots = restored): Figures => {
  const { seconds = Number.NaN, to_running_s: toRunningS = Number.NaN } = restored
  return { ...drained, restore_s: seconds, to_running_s: toRunningS, snapshot_restore_s: fromSnapshots.seconds ?? Number.NaN }
}

/** Restores from snapshots that reach to the end of the log. */
const restoreKept = async (options: RunOptions): Promise<Figures> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintfold-bench-restore-'))
  try {
    await runChild('keep', { ...options, snapshots: { dataDir, keeps: true } })
    const reading: RunOptions = { ...options, snapshots: { dataDir, keeps: false } }
    return await runProcesses('restore', reading)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export const compareDrains = async (plan: Plan): Promise<void> => {
  const { comparator, commitMs } = plan
  await comparator.load()
  await loadTapes(plan, plan.layouts)
  const [report, results] = [new Report('drain', plan), new SameResults()]
  const streamsStep = (cache: Cache, threads: number) => async (): Promise<void> => {
    const { drained, restored } = await comparator.restore({ cache, threads, commitMs })
    results.check(drained, [...STATE, ...FLAG_NAMES])
    results.check(restored, STATE)
    report.addKafkaStreams(cache, threads, withRestore(drained, restored))
  }
  const mintfoldStep =
    (variant: Case) =>
    async (round: number): Promise<void> => {
      const run = `${nameOf(variant)}-${round}`
      const drained = await drainHere(plan, variant, run)
      results.check(drained, [...STATE, ...FLAG_NAMES])
      const options = runOptions(plan, variant, run, variant.layout)
      const restored = await runProcesses('restore', options)
      results.check(restored, STATE)
      const kept = variant.threads === 1 ? await restoreKept(options) : undefined
      if (kept !== undefined) results.check(kept, STATE)
      report.addMintfold(variant, withRestore(drained, restored, kept))
    }
  for (const threads of plan.threads) {
    processesOf(threads)
    const cases = casesOf(plan, threads)
    const [on, object] = CACHES.map((cache) => streamsStep(cache, threads)) as [() => Promise<void>, () => Promise<void>]
    await inRounds(plan.rounds, [on, ...cases.map(mintfoldStep), object])
    report.ratios(cases, COMPARED)
  }
}
