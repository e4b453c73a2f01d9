// Metrics of the log: duration of commits, records written, and the lag of tasks behind their input.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Topic } from '../../../schemas/topics.ts'
import { type CommitObserver, observedLog } from '../../logs/observed-log.ts'
import type { Log } from '../../ports/log.ts'
import { inputsOf, type Topology, topicsOfAll } from '../../topology.ts'

/** Seconds: a commit is a write with an fsync, or a Kafka transaction. */
const COMMIT_BUCKETS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]

export interface MeasuredLog {
  /** The log for its tasks, with every commit measured. Reads are passed through. */
  readonly log: Log
  /** For commits of this process through other logs. */
  readonly observer: CommitObserver
  /** Sets the assigned partitions (`topic/partition`). Only these have a lag, whether a task works on them yet or not. */
  assigned(places: Iterable<string>): void
}

/** Registers the metrics of a log; commits through the returned log are measured. */
export const measuredLog = (inner: Log, topologies: readonly Topology[], registry: Registry): MeasuredLog => {
  const meter = meterOf(inner, topologies, registry)
  return { log: observedLog(inner, meter), observer: meter, assigned: (places) => meter.assigned(places) }
}

interface Meter extends CommitObserver {
  assigned(places: Iterable<string>): void
}

const meterOf = (log: Log, topologies: readonly Topology[], registry: Registry): Meter => {
  const registers = [registry]
  const lags = new Lags(new Set(topologies.flatMap((topology) => Object.values(inputsOf(topology))).map(({ name }) => name)))
  const seconds = new Histogram({
    name: 'mintfold_commit_duration_seconds',
    help: 'Duration of commits by kind of task, without retries of failed ones.',
    labelNames: ['task'],
    buckets: COMMIT_BUCKETS,
    registers,
  })
  const failures = new Counter({
    name: 'mintfold_commit_failures_total',
    help: 'Commits that failed, by kind of task.',
    labelNames: ['task'],
    registers,
  })
  const records = new Counter({
    name: 'mintfold_log_records_total',
    help: 'Records written by tasks of this process, by topic, including dead letters, flags and changelogs.',
    labelNames: ['topic'],
    registers,
  })
  taskLag(log, new Map(topicsOfAll(topologies).map((topic) => [topic.name, topic])), lags, registry)
  logAwayMetrics(log, registry)
  return {
    committed: ({ owner, records: counts, inputs, ms }) => {
      seconds.observe({ task: kindOf(owner) }, ms / 1_000)
      for (const [topic, count] of counts) records.inc({ topic }, count)
      lags.committed(inputs)
    },
    failed: (task) => failures.inc({ task: kindOf(task) }),
    owned: (offsets) => lags.committed(offsets),
    assigned: (places) => lags.assigned(places),
  }
}

/** Also for processes whose commits are not measured. */
export const logAwayMetrics = (log: Log, registry: Registry): void => {
  new Gauge({
    name: 'mintfold_log_away_seconds',
    help: 'How long the log has been unreachable for reads and writes; zero when it answers.',
    registers: [registry],
    collect() {
      const trouble = log.trouble?.()
      this.set(trouble ? Math.max(0, Date.now() - trouble.sinceMs) / 1_000 : 0)
    },
  })
}

const taskLag = (log: Log, byName: ReadonlyMap<string, Topic>, lags: Lags, registry: Registry): void => {
  new Gauge({
    name: 'mintfold_task_lag_records',
    help: 'Input records that a task of this process has not committed yet; all retained records until the task has been restored here once.',
    labelNames: ['topic', 'partition'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [place, offset] of lags.offsets()) {
        const [name = '', partition] = place.split('/')
        const topic = byName.get(name)
        // The input of a source has a name without a partition, and no lag here.
        if (topic === undefined || partition === undefined) continue
        const at = Number(partition)
        this.set({ topic: name, partition }, Math.max(0, log.end(topic, at) - (offset ?? log.start(topic, at))))
      }
    },
  })
}

/** Offsets at which tasks continue to read, by `topic/partition`. */
class Lags {
  /** Names of topics whose partitions are assigned. */
  readonly #inputs: ReadonlySet<string>
  /** Null: not yet known. */
  readonly #offsets = new Map<string, number | null>()
  /** Null if partitions are not assigned. */
  #assigned: ReadonlySet<string> | null = null

  constructor(inputs: ReadonlySet<string>) {
    this.#inputs = inputs
  }
  assigned(places: Iterable<string>): void {
    this.#assigned = new Set(places)
    for (const place of this.#offsets.keys()) if (!this.#assigned.has(place)) this.#offsets.delete(place)
    for (const place of this.#assigned) if (!this.#offsets.has(place)) this.#offsets.set(place, null)
  }
  /** A task that has just lost its partition may still commit: that must not bring its lag back. */
  committed(inputs: ReadonlyMap<string, number>): void {
    for (const [place, offset] of inputs) if (this.#isHere(place)) this.#offsets.set(place, offset)
  }
  offsets(): Iterable<readonly [string, number | null]> {
    return this.#offsets
  }

  /** Inputs other than the partitions that can be assigned, such as the exchange, are always measured. */
  #isHere(place: string): boolean {
    return this.#assigned === null || this.#assigned.has(place) || !this.#inputs.has(place.split('/', 1)[0] ?? '')
  }
}

/** `mint-solana-3` is one of `mint-solana`. */
const kindOf = (task: string): string => task.replace(/-\d+$/, '')
