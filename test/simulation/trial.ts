// One run of a seed: a story, processes, faults, and a final comparison with a fault-free run.
import { assert } from '../../schemas/errors.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../topology/engine/limits.ts'
import { askDomain } from './ask-domain.ts'
import { Cluster } from './cluster.ts'
import { curveDomain } from './curve-domain.ts'
import { Dice } from './dice.ts'
import { Faults } from './faults.ts'
import { Invariants } from './invariants.ts'
import { Machine } from './machine.ts'
import { framesDomain, tapeDomain } from './market-domain.ts'
import { SinkTable, sinkJob } from './sink-job.ts'
import { sourceJob } from './source-job.ts'
import { canonicalEntries, type Domain, type Expected, storyKinds } from './story.ts'
import { settled } from './virtual-time.ts'

const DOMAINS = { ask: askDomain, tape: tapeDomain, frames: framesDomain, curves: curveDomain } as const
export type DomainName = keyof typeof DOMAINS

/** The parameters of a run: equal parameters give an identical run. */
export interface Trial {
  readonly seed: number
  readonly domain: DomainName
  /** Number of entries of the story; if absent, all. */
  readonly entries?: number
  /** Names of the faults that happen; if absent, the seed draws them. */
  readonly faults?: readonly string[]
}
export interface Outcome {
  /** Violations, as text. */
  readonly broken: readonly string[]
  /** Names of faults that happened. */
  readonly fired: readonly string[]
  /** Kinds of other events that happened. */
  readonly happened: readonly string[]
  readonly entries: number
  readonly steps: number
}

const STEPS_MAX = 60_000
/** Faults continue for this many steps after the source has emitted its last entry. */
const AFTERMATH_STEPS = 150
const DIFFERENCES_MAX = 3

/** Most seeds run `ask`, the smallest graph of tasks. */
export const domainOf = (seed: number): DomainName => {
  if (seed % 50 === 49) return 'frames'
  if (seed % 16 === 15) return 'curves'
  return seed % 8 === 7 ? 'tape' : 'ask'
}

/** Runs a trial to its end. */
export const runTrial = async ({ seed, domain: name, entries: count, faults }: Trial): Promise<Outcome> => {
  const whole = DOMAINS[name](seed)
  const domain = { ...whole, entries: whole.entries.slice(0, count) }
  const run = await play(seed, domain, new Faults(seed, faults), ODD)
  const broken = run.broken.length > 0 ? run.broken : compared(run, domain.model?.(domain.entries.length) ?? (await cleanRun(seed, domain)))
  const happened = [...storyKinds(domain.entries), ...run.replaced, ...Array<string>(run.retractions).fill('retraction')]
  return { broken, fired: run.fired, happened, entries: domain.entries.length, steps: run.steps }
}

/** Result of a fault-free run over the canonical branch alone. */
const cleanRun = async (seed: number, domain: Domain): Promise<Expected> => {
  const entries = canonicalEntries(domain.entries).map((i) => domain.entries[i] as Domain['entries'][number])
  const { broken, lines, rows } = await play(seed, { ...domain, entries }, new Faults(seed, []), PLAIN)
  assert(broken.length === 0, `without any fault: ${broken[0]}`)
  return { lines, rows }
}

/** Result of a run. */
interface Played {
  readonly broken: readonly string[]
  readonly fired: readonly string[]
  readonly replaced: readonly string[]
  readonly retractions: number
  readonly steps: number
  readonly lines: readonly string[]
  readonly sink: readonly string[]
  readonly rows: readonly string[]
  readonly restored: readonly string[]
}

/** How jobs are paced and distributed. */
interface Style {
  readonly entriesMax: number
  readonly processesMax: number
  limits(dice: Dice): EngineLimits
}
/** Small and unusual limits, so that commits and reads end at every possible point. */
const ODD: Style = {
  entriesMax: 6,
  processesMax: 3,
  limits: (dice) => ({
    ...DEFAULT_LIMITS,
    commitIntervalMs: dice.pick([0, 5, 50]),
    promptIntervalMs: dice.pick([0, 2, 20]),
    commitEventsMax: dice.pick([1, 7, 10_000]),
    aheadEventsMax: dice.pick([1, 7, 10_000]),
    backlogRecordsMax: dice.pick([2, 250]),
    catchUpIntervalMs: dice.pick([0, 50, 2_000]),
    catchUpRecordMs: dice.pick([0, 0.2, 1_000]),
    catchUpEventsMax: dice.pick([1, 7, 40_000]),
    readRecordsMax: dice.pick([1, 3, 20, 1_000]),
    undoFramesMax: dice.pick([40, 10_000]),
    exchangeFactsMax: 400,
    hotFrames: dice.pick([1, 5, 256]),
    commitRetriesMax: 3,
    commitRetryMs: 30,
  }),
}
const PLAIN: Style = { entriesMax: 1_000, processesMax: 1, limits: () => DEFAULT_LIMITS }

const play = async (seed: number, domain: Domain, faults: Faults, style: Style): Promise<Played> => {
  const invariants = new Invariants(domain.readOutput)
  const machine = new Machine(seed, domain.partitions, faults, invariants)
  const uninstall = machine.time.install()
  try {
    const dice = new Dice(seed, 'limits')
    const table = new SinkTable()
    const tasks = domain.tasks(style.limits(dice))
    const story = domain.entries.map(({ records }) => records)
    const source = sourceJob(story, style.entriesMax, new Dice(seed, 'source'))
    const sink = sinkJob({ topics: domain.outputs, readOutput: domain.readOutput, table, machine })
    const cluster = new Cluster(seed, machine, [source, ...tasks, sink], dice.int(1, style.processesMax))
    const steps = await schedule(machine, cluster)
    const restored = await Promise.all(tasks.map((task) => task.restored?.(machine.log)))
    const results = {
      lines: invariants.standing(),
      sink: table.standing(),
      rows: cluster.rows(),
      restored: restored.flatMap((rows) => rows ?? []).sort(),
    }
    return {
      ...results,
      broken: invariants.broken,
      fired: faults.fired,
      replaced: cluster.replaced,
      retractions: invariants.retractions,
      steps,
    }
  } finally {
    uninstall()
  }
}

/** Runs one operation after another until all is idle; returns the number of steps. */
const schedule = async (machine: Machine, cluster: Cluster): Promise<number> => {
  const { broken } = machine.invariants
  let aftermath = AFTERMATH_STEPS
  for (let step = 0; step < STEPS_MAX; step++) {
    await settled()
    const excess = cluster.excess()
    if (excess !== undefined) broken.push(excess)
    if (broken.length > 0) return step
    if (cluster.isCaughtUp('source') && aftermath-- <= 0) machine.faults.calm()
    if (aftermath < 0 && cluster.isQuiet) return step
    cluster.disturb()
    if (!machine.step() && cluster.isQuiet) return step
  }
  broken.push(`never idle: ${cluster.describe()}`)
  return STEPS_MAX
}

/** Rows of processors that the expected result lacks are compared only with the rows after a restart. */
const compared = (run: Played, { lines, rows }: Expected): string[] => {
  const processorOf = (row: string): string => row.slice(0, row.indexOf(' '))
  const known = new Set(rows.map(processorOf))
  return [
    ...differences('outputs', run.lines, lines),
    ...differences(
      'rows',
      run.rows.filter((row) => known.has(processorOf(row))),
      rows,
    ),
    ...differences('rows of a restart', run.restored, run.rows),
    ...differences('rows of the sink', run.sink, lines),
  ]
}

const differences = (what: string, found: readonly string[], expected: readonly string[]): string[] => {
  const [has, wants] = [new Set(found), new Set(expected)]
  const more = found.filter((one) => !wants.has(one))
  const less = expected.filter((one) => !has.has(one))
  if (more.length === 0 && less.length === 0 && found.length === expected.length) return []
  const some = (list: readonly string[]): string => list.slice(0, DIFFERENCES_MAX).join(' | ')
  return [`${what}: ${more.length} too many (${some(more)}), ${less.length} missing (${some(less)})`]
}
