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

/** Creates the tasks; `handOver` delivers a batch to the task at an index of the list. */
export type TasksOf<Event, Header extends FrameHeader> = (
  handOver: (batch: Parameters<TaskRunner<Event, Header>['offer']>[0], to: number) => void,
) => readonly Task<Event, Header>[]

/** Resolves with false if it was stopped before the end. Rejects with the failure that ended a task. */
export const runToEnd = async <Event, Header extends FrameHeader>(
  log: Log,
  tasksOf: TasksOf<Event, Header>,
  shared: EngineLimits,
  stop: AbortSignal,
  tick: () => void,
): Promise<boolean> => {
  const limits = { ...shared, commitIntervalMs: COMMIT_MS, promptIntervalMs: PROMPT_MS }
  const runners: TaskRunner<Event, Header>[] = []
  const tasks = tasksOf((batch, to) => runners[to]?.offer(batch))
  const exchange = tasks[0]?.definition.exchange
  const reader = exchange && new ExchangeReader(log, exchange, limits)
  for (const task of tasks) runners.push(new TaskRunner(log, task, limits, undefined, reader))
  for (const runner of runners) await runner.restore()
  const over = new AbortController()
  const ending = AbortSignal.any([stop, over.signal])
  const runs = Promise.all(
    runners.map((runner) =>
      runner.run().catch((failure: unknown) => {
        over.abort()
        throw failure
      }),
    ),
  )
  runs.catch(() => {})
  while (!ending.aborted && !runners.every(({ isCaughtUp }) => isCaughtUp)) {
    await pause(POLL_MS, ending)
    tick()
  }
  for (const runner of runners) runner.stop()
  await runs
  return !stop.aborted
}
