// Runs tasks over a log until everything on it is folded and committed.
import type { FrameHeader } from '../../../processors/contract.ts'
import { ExchangeReader } from '../../engine/exchange/exchange-reader.ts'
import type { Outlet } from '../../engine/exchange/exchange-record.ts'
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

/** Creates the tasks; `outlet` delivers a batch to the task at an index of the list. */
export type TasksOf<Event, Header extends FrameHeader> = (outlet: Outlet) => readonly Task<Event, Header>[]

/** Tasks that run in this thread. */
export const tasksHere = <Event, Header extends FrameHeader>(
  log: Log,
  tasksOf: TasksOf<Event, Header>,
  shared: EngineLimits,
): readonly EndingTask[] => {
  const limits = limitsToEnd(shared)
  const runners: TaskRunner<Event, Header>[] = []
  const tasks = tasksOf({ handOver: (batch, to) => runners[to]?.offer(batch) })
  const exchange = tasks[0]?.definition.exchange
  const reader = exchange && new ExchangeReader(log, exchange, limits)
  for (const task of tasks) runners.push(new TaskRunner(log, task, limits, undefined, reader))
  return runners
}

/** Tasks over an input that grows only between calls of `toEnd`. They keep their rows in memory until `end`. */
export class OpenTasks {
  readonly #tasks: readonly EndingTask[]
  readonly #over = new AbortController()
  #runs: readonly Promise<void>[] = []

  constructor(tasks: readonly EndingTask[]) {
    this.#tasks = tasks
  }
  /** Restores the rows, and starts. */
  async start(): Promise<void> {
    for (const task of this.#tasks) await task.restore()
    this.#runs = this.#tasks.map((task) =>
      task.run().catch((failure: unknown) => {
        this.#over.abort()
        throw failure
      }),
    )
    for (const run of this.#runs) run.catch(() => {})
  }
  /** Resolves once all input is folded and committed, with false if it was stopped before. @throws the failure that ended a task */
  async toEnd(stop: AbortSignal, tick: () => void): Promise<boolean> {
    const ending = AbortSignal.any([stop, this.#over.signal])
    while (!ending.aborted && !this.#tasks.every(({ isCaughtUp }) => isCaughtUp)) {
      await pause(POLL_MS, ending)
      tick()
    }
    if (this.#over.signal.aborted) await this.end()
    return !stop.aborted
  }
  /** Ends all tasks, with everything committed that they have folded. @throws the failure that ended a task before */
  async end(): Promise<void> {
    for (const task of this.#tasks) task.stop()
    await Promise.allSettled(this.#runs)
    await Promise.all(this.#runs)
  }
}
