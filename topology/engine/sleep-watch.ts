// Ends a task that sleeps although it has work: nothing woke it, and at the barrier all other tasks would wait for it endlessly.
import { EngineError } from '../../schemas/errors.ts'

const TICKS = 10

/** Counts timer ticks instead of reading a clock: a process that was frozen did not sleep meanwhile. Returns the stop function. */
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
    `task ${task} slept for ${msMax / 1_000} s although it had input: restart the process; this is a bug, please report it`,
    { facts: { task } },
  )
