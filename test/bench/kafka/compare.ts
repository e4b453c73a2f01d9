// Runs both engines alternately on one broker with the same events: prints medians of pairwise ratios; stops if their results differ.
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { type Figures, figuresOf, readyOf, runChild, startChild } from './child.ts'
import type { Cache, Comparator } from './comparator.ts'
import type { RunOptions, Services } from './engine.ts'
import { makeLiveTape } from './probe.ts'
import { FLAG_NAMES } from './processor.ts'
import type { Layout } from './tape.ts'

export interface Plan {
  readonly services: Services
  readonly comparator: Comparator
  /** File of the events. */
  readonly file: string
  readonly events: number
  readonly rounds: number
  readonly print: (line: object) => void
}

/** Commit interval of the comparator, and of ours while it has caught up with its input. */
const COMMIT_MS = 100
/** Commit interval of ours with a pending flag. */
const PROMPT_MS = 20
const LIMITS = { commitIntervalMs: COMMIT_MS, promptIntervalMs: PROMPT_MS }

export const round = (value: number): number => Math.round(value * 1_000) / 1_000
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? Number.NaN) + (sorted[sorted.length >> 1] ?? Number.NaN)) / 2
}

/** Extracts one figure from a run. */
type Figure = (run: Figures) => number
export const field =
  (name: string): Figure =>
  (figures) =>
    figures[name] ?? Number.NaN

/** Runs of the engines, in the order in which they alternated. */
interface Runs {
  readonly mintfold: Figures[]
  readonly on: Figures[]
  readonly object: Figures[]
}

/** The median of the pairwise ratios, with the underlying values. */
const ratioLine = (bench: string, runs: Runs, ours: Figure, theirs: Figure, more: object = {}): object => {
  const ratios = (others: readonly Figures[]): number[] => others.map((other, i) => ours(runs.mintfold[i] as Figures) / theirs(other))
  return {
    bench,
    value: round(median(ratios(runs.on))),
    unit: 'ratio',
    detail: {
      ratio_to_object: runs.object.length === 0 ? null : round(median(ratios(runs.object))),
      ...{
        mintfold: runs.mintfold.map(ours).map(round),
        cache_on: runs.on.map(theirs).map(round),
        object: runs.object.map(theirs).map(round),
      },
      load1: {
        mintfold: runs.mintfold.map(field('load1')),
        cache_on: runs.on.map(field('load1')),
        object: runs.object.map(field('load1')),
      },
      ...more,
    },
  }
}

const RESULTS = ['mints', 'state_bytes', 'state_sum', ...FLAG_NAMES]

/** Stops if two runs differ in their states or flags. */
const checkSame = (ours: Figures, theirs: Figures, names: readonly string[] = RESULTS): void => {
  for (const name of names)
    if (ours[name] === undefined || ours[name] !== theirs[name]) throw new Error(`${name} is ${ours[name]} here and ${theirs[name]} there`)
}

export const drainOptions = ({ services, events }: Plan, run: string, tape: string): RunOptions & { readonly events: number } => ({
  ...services,
  ...{ run, tape, events, limits: LIMITS },
})

export const loadTapes = async ({ services, file, events }: Plan, layouts: readonly Layout[]): Promise<void> => {
  for (const layout of layouts) await runChild('load', { ...services, tape: layout, layout, file, events })
}

/** Drains and restores: the whole tape, exactly once, then the rows from the changelog in a new process. */
export const compareDrains = async (plan: Plan): Promise<void> => {
  const { comparator, print } = plan
  await comparator.load()
  await loadTapes(plan, ['frames', 'events'])
  const drains: Runs = { mintfold: [], on: [], object: [] }
  const restores: Runs = { mintfold: [], on: [], object: [] }
  const single: Figures[] = []
  for (let turn = 0; turn < plan.rounds; turn++) {
    const theirs = await comparator.restore('on')
    const options = drainOptions(plan, `frames-${turn}`, 'frames')
    const ours = await runChild('drain', options)
    checkSame(ours, theirs.drained)
    const restored = await runChild('restore', options)
    checkSame(restored, theirs.restored, ['mints', 'state_bytes', 'state_sum'])
    const object = await comparator.drain('object')
    const one = await runChild('drain', drainOptions(plan, `events-${turn}`, 'events'))
    checkSame(one, object)
    drains.mintfold.push(ours)
    drains.on.push(theirs.drained)
    drains.object.push(object)
    restores.mintfold.push(restored)
    restores.on.push(theirs.restored)
    single.push(one)
  }
  const rate = field('events_per_s')
  const onRates = drains.on.map(rate)
  const events = { values: single.map(rate), ratio: round(median(single.map((run, i) => rate(run) / (onRates[i] as number)))) }
  const cpu = { values: single.map(field('cpu_s')).map(round), broker: { mintfold: drains.mintfold.map(field('broker_cpu_s')).map(round) } }
  print(ratioLine('kafka_events_ratio', drains, rate, rate, { one_event_a_record: events, limits: { ...DEFAULT_LIMITS, ...LIMITS } }))
  print(ratioLine('kafka_cpu_ratio', drains, field('cpu_s'), field('cpu_s'), { one_event_a_record: cpu }))
  print(ratioLine('kafka_memory_ratio', drains, field('peak_rss_mb'), field('peak_rss_mb')))
  const running = { mintfold: restores.mintfold.map(field('to_running_s')).map(round), cache_on: restores.on.map(field('to_running_s')) }
  print(ratioLine('kafka_restore_ratio', restores, field('seconds'), field('seconds'), { to_running_s: running }))
}

interface Pace {
  readonly eventsPerS: number
  readonly seconds: number
  readonly warmS: number
}

/** From an event's append to its flag; each engine in turn has the machine to itself, except for its probe. */
export const compareLatency = async (plan: Plan, pace: Pace): Promise<void> => {
  const runs: Runs = { mintfold: [], on: [], object: [] }
  const theirs = (cache: Cache): Promise<Figures> => plan.comparator.latency(cache, COMMIT_MS, pace.eventsPerS, pace.seconds, pace.warmS)
  for (let turn = 0; turn < plan.rounds; turn++) {
    runs.on.push(await theirs('on'))
    runs.mintfold.push(await latencyHere(plan, pace, `live-${turn}`))
    runs.object.push(await theirs('object'))
  }
  const p50 = { mintfold: runs.mintfold.map(field('p50_ms')), cache_on: runs.on.map(field('p50_ms')) }
  plan.print(ratioLine('kafka_flag_p99_ratio', runs, field('p99_ms'), field('p99_ms'), { p50_ms: p50, limits: LIMITS }))
}

const latencyHere = async ({ services, file }: Plan, { eventsPerS: rate, seconds, warmS }: Pace, run: string): Promise<Figures> => {
  const options: RunOptions = { ...services, run, tape: `${run}.tape`, limits: LIMITS }
  await makeLiveTape(options)
  const engine = startChild('serve', options)
  await readyOf(engine)
  const served = figuresOf(engine)
  const figures = await runChild('probe', { ...options, file, rate, seconds, warmS })
  engine.stdin?.end()
  const { cpu_s: cpuS = 0, rss_mb: rssMb = 0 } = (await served)[0] ?? {}
  return { ...figures, cpu_s: cpuS, rss_mb: rssMb }
}
