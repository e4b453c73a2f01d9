// Ends a task that sleeps beside work: nobody woke it, and at the barrier all others wait for it without end.
import { EngineError } from '../../schemas/errors.ts'

const TICKS = 10

/** Counts ticks instead of asking a clock: a process that was frozen has not slept meanwhile. Returns how to stop. */
export const watchSleep = (
  task: string,
  msMax: number,
  isAsleepBesideWork: () => boolean,
  end: (failure: EngineError) => void,
): (() => void) => {
  let ticks = 0
  const timer = setInterval(() => {
    ticks = isAsleepBesideWork() ? ticks + 1 : 0
    if (ticks === TICKS) end(asleep(task, msMax))
  }, msMax / TICKS)
  timer.unref()
  return () => clearInterval(timer)
}

const asleep = (task: string, msMax: number): EngineError =>
  new EngineError(
    'task_asleep',
    `task ${task} slept for ${msMax / 1_000} s beside input that it was not told of: start the process again; this is a bug, please report it`,
    { facts: { task } },
  )
