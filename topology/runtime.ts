// Runs the tasks of the topology over a log in this process, until stopped or until one of them fails.
import type { FrameHeader, RowKinds } from '../processors/contract.ts'
import { DEFAULT_LIMITS, type EngineLimits } from './engine/limits.ts'
import { TaskRunner } from './engine/runner.ts'
import { Task, type TaskDefinition } from './engine/task.ts'
import { decodeTask, mintTask } from './launch-risk.ts'
import type { Log } from './ports/log.ts'

/** Tasks at work. */
export interface Folds {
  /** Rejects with what ended a task; never resolves before `stop`. */
  readonly done: Promise<void>
  /** Resolves when everything on the log at some moment after the call is folded and committed. */
  caughtUp(): Promise<void>
  /** Lets every task commit what it has folded. */
  stop(): Promise<void>
}

interface Runner {
  restore(): Promise<void>
  run(): Promise<void>
  stop(): void
  readonly isCaughtUp: boolean
}

const runnerOf = <Rows extends RowKinds, Event, Output, Header extends FrameHeader>(
  log: Log,
  definition: TaskDefinition<Rows, Event, Output, Header>,
  partition: number,
  limits: EngineLimits,
): Runner => new TaskRunner(log, new Task(definition, partition, limits), limits)

/** Restores all tasks, then starts them. Rejects when one cannot be restored. */
export const startFolds = async (log: Log, limits: EngineLimits = DEFAULT_LIMITS): Promise<Folds> => {
  const partitions = log.partitions(mintTask().input)
  const runners = [runnerOf(log, decodeTask(partitions), 0, limits)]
  for (let partition = 0; partition < partitions; partition++) runners.push(runnerOf(log, mintTask(), partition, limits))
  for (const runner of runners) await runner.restore()
  const stopAll = (): void => {
    for (const runner of runners) runner.stop()
  }
  const runs = runners.map((runner) =>
    runner.run().catch((failure: unknown) => {
      stopAll()
      throw failure
    }),
  )
  const done = Promise.all(runs).then(() => {})
  done.catch(() => {})
  return {
    done,
    caughtUp: async () => {
      // Twice: what the decoder commits last is input of the folds.
      for (let quiet = 0; quiet < 2; ) {
        const still = Promise.race([new Promise((resolve) => setTimeout(resolve, 2)), done])
        await still
        quiet = runners.every((runner) => runner.isCaughtUp) ? quiet + 1 : 0
      }
    },
    stop: async () => {
      stopAll()
      await done
    },
  }
}
