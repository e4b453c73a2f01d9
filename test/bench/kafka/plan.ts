// What is compared, and how a run of our engine is set.
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
  /** Commit interval of ours with a pending flag. */
  readonly promptMs: number
  readonly print: (line: object) => void
}

/** One of our variants. */
export interface Case {
  readonly layout: Layout
  readonly undo: boolean
  readonly threads: number
}

export const CACHES: readonly Cache[] = ['on', 'object']

export const casesOf = ({ undo, layouts }: Plan, threads: number): readonly Case[] =>
  layouts.flatMap((layout) => undo.map((keeps) => ({ layout, undo: keeps, threads })))

export const nameOf = ({ layout, undo, threads }: Case): string => `${layout}-${undo ? 'undo' : 'final'}-${threads}`

/** The goals are about this case. */
export const isGoal = ({ undo, threads }: Case): boolean => undo && threads === 1

/** A task commits every `commitMs`, also with a backlog. */
export const limitsOf = ({ commitMs, promptMs }: Plan): Partial<EngineLimits> => ({
  commitIntervalMs: commitMs,
  catchUpIntervalMs: commitMs,
  promptIntervalMs: promptMs,
})

/** Folds run in one thread of a process: `threads` are as many processes of one consumer group, until a process can have several. */
export const processesOf = (threads: number): number => {
  if (PARTITIONS % threads !== 0) throw new Error(`${PARTITIONS} partitions cannot be shared equally by ${threads} threads`)
  return threads
}

export const runOptions = (plan: Plan, { undo, threads }: Case, run: string, tape: string): RunOptions => ({
  ...{ ...plan.services, run, tape, undo },
  ...{ limits: limitsOf(plan), processes: processesOf(threads) },
})
