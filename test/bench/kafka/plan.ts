// The plan of the comparison: its variants, and the settings of a run of mintfold.
import type { EngineLimits } from '../../../topology/engine/limits.ts'
import type { Cache, Comparator } from './comparator.ts'
import type { RunOptions, Services } from './engine.ts'
import type { Layout } from './tape.ts'
import { PARTITIONS } from './task.ts'

export interface Plan {
  readonly services: Services
  readonly comparator: Comparator
  /** File of the events. */
  readonly file: string
  readonly events: number
  readonly rounds: number
  readonly undo: readonly boolean[]
  readonly threads: readonly number[]
  readonly layouts: readonly Layout[]
  /** Commit interval of both sides. */
  readonly commitMs: number
  /** Commit interval of mintfold while a flag waits for its commit. */
  readonly promptMs: number
  readonly print: (line: object) => void
}

/** One variant of mintfold. */
export interface Case {
  readonly layout: Layout
  readonly undo: boolean
  readonly threads: number
}

export const CACHES: readonly Cache[] = ['on', 'object']

export const casesOf = ({ undo, layouts }: Plan, threads: number): readonly Case[] =>
  layouts.flatMap((layout) => undo.map((keeps) => ({ layout, undo: keeps, threads })))

export const nameOf = ({ layout, undo, threads }: Case): string => `${layout}-${undo ? 'undo' : 'final'}-${threads}`

/** The performance goals apply to this case. */
export const isGoal = ({ undo, threads }: Case): boolean => undo && threads === 1

/** A task commits every `commitMs`, also with a backlog. */
const limitsOf = ({ commitMs, promptMs }: Plan): Partial<EngineLimits> => ({
  commitIntervalMs: commitMs,
  catchUpIntervalMs: commitMs,
  promptIntervalMs: promptMs,
})

/** A process folds in one thread, so `threads` is the number of processes in the consumer group. */
export const processesOf = (threads: number): number => {
  if (PARTITIONS % threads !== 0) throw new Error(`${PARTITIONS} partitions cannot be shared equally by ${threads} threads`)
  return threads
}

export const runOptions = (plan: Plan, { undo, threads }: Case, run: string, tape: string): RunOptions => ({
  ...{ ...plan.services, run, tape, undo },
  ...{ limits: limitsOf(plan), processes: processesOf(threads) },
})
