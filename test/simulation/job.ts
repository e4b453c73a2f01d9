// Jobs of a simulated process, and the one that runs an engine task under its runner. `source-job.ts` and `sink-job.ts` have the others.
import type { FrameHeader } from '../../processors/contract.ts'
import type { TaskDefinition } from '../../topology/engine/definition.ts'
import type { ExchangeDefinition } from '../../topology/engine/exchange/exchange.ts'
import { ExchangeReader } from '../../topology/engine/exchange/exchange-reader.ts'
import type { Batch } from '../../topology/engine/exchange/exchange-record.ts'
import type { EngineLimits } from '../../topology/engine/limits.ts'
import { TaskRunner } from '../../topology/engine/runner.ts'
import { Task } from '../../topology/engine/task.ts'
import { type Pace, TimeSlice } from '../../topology/engine/time-slice.ts'
import type { Log } from '../../topology/ports/log.ts'

/** The environment of a job in its process. */
export interface JobProcess {
  readonly log: Log
  readonly pace: Pace
  /** Hands a batch to a job of the same process, if that job runs there. */
  handOver(job: string, batch: Batch): void
}
/** A job that runs in one process. */
export interface Seat {
  restore(): Promise<void>
  /** Resolves after `stop`. */
  run(): Promise<void>
  stop(): void
  readonly isCaughtUp: boolean
  offer?(batch: Batch): void
  /** A limit that the job exceeds, as text. */
  excess?(): string | undefined
  /** Rows of the processors of the job, as text. */
  rows?(): string[]
}
export interface Job {
  readonly id: string
  open(place: JobProcess): Seat
  /** Rows that a restart would restore from a log, as text. */
  restored?(log: Log): Promise<string[]>
}

/** Limit of events per frame. */
const FRAME_EVENTS_MAX = 60

/** Tasks of one process share a repartition reader. */
const readerOf = (log: Log, exchange: ExchangeDefinition | undefined, limits: EngineLimits): ExchangeReader | undefined => {
  if (exchange === undefined) return undefined
  const reader = readers.get(log) ?? new ExchangeReader(log, exchange, limits, undefined, true)
  readers.set(log, reader)
  return reader
}
const readers = new WeakMap<Log, ExchangeReader>()

/** An engine task. The engine's own rows are not compared: its cursor depends on how often frames were rolled back. */
export const taskJob = <Event, Header extends FrameHeader>(
  definition: TaskDefinition<Event, Header>,
  partition: number,
  limits: EngineLimits,
): Job => {
  const processors = definition.folds.map(({ processor }) => processor.name)
  const eventsMax = Math.max(limits.commitEventsMax, limits.aheadEventsMax, limits.catchUpEventsMax) + FRAME_EVENTS_MAX
  const rowsOf = (task: Task<Event, Header>): string[] =>
    processors.flatMap((name) =>
      task
        .store(name)
        .snapshot()
        .map(({ key, value }) => `${name} ${key.toString('hex')} ${value?.toString('hex')}`),
    )
  return {
    id: `${definition.name}-${partition}`,
    open: ({ log, pace, handOver }) => {
      const task = new Task(definition, partition, limits, { handOver: (batch, to) => handOver(`${definition.name}-${to}`, batch) })
      const runner = new TaskRunner(log, task, limits, new TimeSlice(limits.sliceMs, pace), readerOf(log, definition.exchange, limits))
      return {
        restore: () => runner.restore(),
        run: () => runner.run(),
        stop: () => runner.stop(),
        get isCaughtUp() {
          return runner.isCaughtUp
        },
        offer: (batch) => runner.offer(batch),
        excess: () => (task.pendingEvents > eventsMax ? `${task.pendingEvents} events in one commit` : undefined),
        rows: () => rowsOf(task),
      }
    },
    restored: async (log) => {
      const task = new Task(definition, partition, limits)
      for (const topic of task.changelogs)
        task.restore(topic, await log.read(topic, partition, log.start(topic, partition), { recordsMax: 1e6, bytesMax: 1e9 }))
      task.begin({ input: 0, exchange: 0 })
      return rowsOf(task)
    },
  }
}
