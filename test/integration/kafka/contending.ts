// Processes that take over the same tasks from each other all the time: each commits the number after the newest of a task.
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { retryCommit } from '../../../topology/waiting/retry.ts'
import { EVENTS, out, readAll, text } from '../../contract/log-topics.ts'
import type { Dice } from '../../simulation/dice.ts'

/** Tasks, by number. */
const TASKS = [0, 1, 2, 3]
const COMMITS_MAX = 12

export interface Contention {
  /** Takeovers in all. */
  takeovers: number
  /** Commits that failed because the task had been taken over. */
  fenced: number
  /** By task: the newest number that was acknowledged. */
  readonly acknowledged: number[]
}

const idOf = (task: number): string => `task-${task}`

/** Each log takes over each task in turn, commits some numbers and takes it over again, until this many takeovers were made. */
export const contend = async (logs: readonly Log[], takeovers: number, dice: Dice): Promise<Contention> => {
  const contention: Contention = { takeovers: 0, fenced: 0, acknowledged: TASKS.map(() => 0) }
  const work = async (log: Log, task: number): Promise<void> => {
    while (contention.takeovers < takeovers) {
      contention.takeovers++
      // Some takers commit alone, as a rebuild does.
      const owner = await log.own(idOf(task), dice.share() < 0.8)
      const first = (owner.committed().get('in') ?? 0) + 1
      const last = first + Math.floor(dice.share() * COMMITS_MAX)
      try {
        for (let n = first; n <= last; n++) {
          const outputs = [out(EVENTS, 0, idOf(task), `${n}`), out(EVENTS, 1 + (task % 2), idOf(task), `${n}`)]
          await retryCommit(owner, { outputs, inputs: new Map([['in', n]]) }, DEFAULT_LIMITS, () => false)
          contention.acknowledged[task] = Math.max(contention.acknowledged[task] as number, n)
        }
      } catch (failure) {
        if ((failure as { code?: string }).code !== 'fenced') throw failure
        contention.fenced++
      }
      await new Promise((resolve) => setTimeout(resolve, dice.share() * 100))
    }
  }
  await Promise.all(logs.flatMap((log) => TASKS.map((task) => work(log, task))))
  return contention
}

/** Asserts that each number of each task is there once and in order in both of its partitions, up to the newest checkpoint. */
export const checkContention = async (log: Log, { acknowledged }: Contention): Promise<void> => {
  for (const task of TASKS) {
    const last = (await log.own(idOf(task))).committed().get('in') ?? 0
    expect(last).toBeGreaterThanOrEqual(acknowledged[task] as number)
    const numbers = Array.from({ length: last }, (_, n) => `${n + 1}`)
    for (const partition of [0, 1 + (task % 2)]) {
      const records = await readAll(log, EVENTS, partition)
      expect(records.filter(({ key }) => text(key) === idOf(task)).map(({ value }) => text(value))).toEqual(numbers)
    }
  }
}
