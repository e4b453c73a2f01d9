// Runs tasks over a log that does not grow, until everything is folded and committed.
import type { FrameHeader } from '../../../processors/contract.ts'
import { ExchangeReader } from '../../engine/exchange/exchange-reader.ts'
import type { EngineLimits } from '../../engine/limits.ts'
import { TaskRunner } from '../../engine/runner.ts'
import type { Task } from '../../engine/task.ts'
import type { Log } from '../../ports/log.ts'
import { pause } from '../../waiting/waiting.ts'

/** Nothing waits for the results: fewer, larger commits. */
const COMMIT_MS = 1_000
const PROMPT_MS = 100
const POLL_MS = 10

/** A task with its log: `restore`, then `run`, which resolves after `stop` with everything committed. */
export interface EndingTask {
  restore(): Promise<void>
  run(): Promise<void>
  stop(): void
  /** True if all input is folded and committed. */
  readonly isCaughtUp: boolean
}

/** The limits of a task whose results nothing waits for. */
export const limitsToEnd = (limits: EngineLimits): EngineLimits => ({ ...limits, commitIntervalMs: COMMIT_MS, promptIntervalMs: PROMPT_MS })

/** Creates the tasks; `handOver` delivers a batch to the task at an index of the list. */
export type TasksOf<Event, Header extends FrameHeader> = (
  handOver: (batch: Parameters<TaskRunner<Event, Header>['offer']>[0], to: number) => void,
) => readonly Task<Event, Header>[]

/** Tasks that run in this thread. */
export const tasksHere = <Event, Header extends FrameHeader>(
  log: Log,
  tasksOf: TasksOf<Event, Header>,
  shared: EngineLimits,
): readonly EndingTask[] => {
  const limits = limitsToEnd(shared)
  const runners: TaskRunner<Event, Header>[] = []
  const tasks = tasksOf((batch, to) => runners[to]?.offer(batch))
  const exchange = tasks[0]?.definition.exchange
  const reader = exchange && new ExchangeReader(log, exchange, limits)
  for (const task of tasks) runners.push(new TaskRunner(log, task, limits, undefined, reader))
  return runners
}

/** Resolves with false if it was stopped before the end. Rejects with the failure that ended a task, after all tasks have ended. */
export const runToEnd = async (tasks: readonly EndingTask[], stop: AbortSignal, tick: () => void): Promise<boolean> => {
  for (const task of tasks) await task.restore()
  const over = new AbortController()
  const ending = AbortSignal.any([stop, over.signal])
  const runs = tasks.map((task) =>
    task.run().catch((failure: unknown) => {
      over.abort()
      throw failure
    }),
  )
  const ended = Promise.allSettled(runs)
  while (!ending.aborted && !tasks.every(({ isCaughtUp }) => isCaughtUp)) {
    await pause(POLL_MS, ending)
    tick()
  }
  for (const task of tasks) task.stop()
  await ended
  await Promise.all(runs)
  return !stop.aborted
}
