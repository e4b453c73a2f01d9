// Shrinks a failing run to a smaller one that still fails: fewer entries of the story, then fewer faults.
import { type Outcome, runTrial, type Trial } from './trial.ts'

const RUNS_MAX = 300

/** The smallest run found that still fails, and its violations. */
export const shrunk = async (trial: Trial): Promise<{ readonly trial: Trial; readonly outcome: Outcome }> => {
  let outcome = await runTrial(trial)
  let best: Trial = { ...trial, entries: outcome.entries, faults: outcome.fired }
  let runs = 0
  const tryOut = async (smaller: Trial): Promise<boolean> => {
    if (runs++ >= RUNS_MAX) return false
    const result = await runTrial(smaller)
    if (result.broken.length === 0) return false
    best = { ...smaller, entries: result.entries, faults: result.fired }
    outcome = result
    return true
  }
  for (let isSmaller = true; isSmaller && runs < RUNS_MAX; ) {
    const before = sizeOf(best)
    await fewerEntries(best, tryOut)
    await fewerFaults(
      () => best.faults ?? [],
      (faults) => tryOut({ ...best, faults }),
    )
    isSmaller = sizeOf(best) < before
  }
  return { trial: best, outcome }
}

const sizeOf = ({ entries = 0, faults = [] }: Trial): number => entries + faults.length

/** By bisection: drops the end of the story while the rest still fails. */
const fewerEntries = async (trial: Trial, tryOut: (trial: Trial) => Promise<boolean>): Promise<void> => {
  let [fails, passes] = [trial.entries ?? 0, 0]
  while (fails - passes > 1) {
    const entries = Math.floor((fails + passes) / 2)
    if (await tryOut({ ...trial, entries })) fails = entries
    else passes = entries
  }
}

/** Drops ranges of faults: halves first, then smaller ranges. */
const fewerFaults = async (current: () => readonly string[], tryOut: (faults: readonly string[]) => Promise<boolean>): Promise<void> => {
  for (let size = Math.ceil(current().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < current().length; ) {
      const faults = current().filter((_, i) => i < from || i >= from + size)
      if (!(await tryOut(faults))) from += size
    }
}
