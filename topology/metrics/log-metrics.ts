// Figures of the work on the log: how long commits take, what they write, and how far tasks are behind their input.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { TOPICS, type Topic } from '../../schemas/topics.ts'
import { withOwners } from '../logs/with-owners.ts'
import type { Commit, Log, TaskOwner } from '../ports/log.ts'

/** Seconds: a commit is a write with its flush, or a transaction on brokers. */
const COMMIT_BUCKETS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]

const BY_NAME: ReadonlyMap<string, Topic> = new Map(Object.values(TOPICS).map((topic) => [topic.name, topic]))

/** Where a task goes on reading. */
interface Place {
  readonly topic: Topic
  readonly partition: number
  offset: number
}

export interface MeasuredLog {
  /** The log as its tasks see it, with every commit measured. Reads go by as they are. */
  readonly log: Log
  /** Tasks came or went: only those that commit from now on have a lag here. */
  shared(): void
}

/** Registers figures of the work on a log; whoever commits over what it gives is measured. */
export const measuredLog = (inner: Log, registry: Registry): MeasuredLog => {
  const meter = meterOf(inner, registry)
  return { log: withOwners(inner, async (id) => measuredOwner(await inner.own(id), meter)), shared: () => meter.forget() }
}

const measuredOwner = (owner: TaskOwner, meter: Meter): TaskOwner => ({
  id: owner.id,
  committed: () => owner.committed(),
  commit: async (commit) => {
    const startedMs = performance.now()
    try {
      await owner.commit(commit)
    } catch (failure) {
      meter.failed(owner.id)
      throw failure
    }
    meter.committed(owner.id, commit, performance.now() - startedMs)
  },
  release: () => owner.release(),
})

interface Meter {
  committed(task: string, commit: Commit, ms: number): void
  failed(task: string): void
  forget(): void
}

const meterOf = (log: Log, registry: Registry): Meter => {
  const registers = [registry]
  const places = new Map<string, Place>()
  const seconds = new Histogram({
    name: 'mintfold_commit_duration_seconds',
    help: 'Commits by kind of task, retries of one that failed left out.',
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
    help: 'Records that tasks of this process wrote, by topic: dead letters, flags and changelogs among them.',
    labelNames: ['topic'],
    registers,
  })
  taskLag(log, places, registry)
  return {
    committed: (task, { outputs, inputs }, ms) => {
      seconds.observe({ task: kindOf(task) }, ms / 1_000)
      for (const { topic } of outputs) records.inc({ topic: topic.name })
      for (const [place, offset] of inputs) remember(places, place, offset)
    },
    failed: (task) => failures.inc({ task: kindOf(task) }),
    forget: () => places.clear(),
  }
}

const taskLag = (log: Log, places: ReadonlyMap<string, Place>, registry: Registry): void => {
  new Gauge({
    name: 'mintfold_task_lag_records',
    help: 'Records of its input that a task of this process has not committed yet.',
    labelNames: ['topic', 'partition'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { topic, partition, offset } of places.values())
        this.set({ topic: topic.name, partition }, Math.max(0, log.end(topic, partition) - offset))
    },
  })
}

/** `topic/partition`; a source names its input by one word, and has no lag here. */
const remember = (places: Map<string, Place>, name: string, offset: number): void => {
  const known = places.get(name)
  if (known !== undefined) {
    known.offset = offset
    return
  }
  const [topicName = '', partition] = name.split('/')
  const topic = BY_NAME.get(topicName)
  if (topic !== undefined && partition !== undefined) places.set(name, { topic, partition: Number(partition), offset })
}

/** `mint-solana-3` is one of `mint-solana`. */
const kindOf = (task: string): string => task.replace(/-\d+$/, '')
