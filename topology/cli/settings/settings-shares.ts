// Settings of how the work is divided: partitions of the log, and threads that fold them.
import { availableParallelism } from 'node:os'
import { integer } from './settings-values.ts'

export interface SharesSettings {
  /** Partition count of the partitioned topics. */
  readonly partitions: number
  /** Number of threads that fold, at most `partitions`. */
  readonly foldThreads: number
}

export const PARTITIONS_MAX = 256
const EMBEDDED_PARTITIONS = 4
const KAFKA_PARTITIONS = 12
const FOLD_THREADS_MAX = 64

export const SHARES_VARIABLES = {
  MINTFOLD_PARTITIONS: integer(1, PARTITIONS_MAX).optional(),
  MINTFOLD_FOLD_THREADS: integer(1, FOLD_THREADS_MAX).optional(),
} as const

interface Values {
  readonly MINTFOLD_PARTITIONS?: number | undefined
  readonly MINTFOLD_FOLD_THREADS?: number | undefined
}

export const sharesOf = ({ MINTFOLD_PARTITIONS: set, MINTFOLD_FOLD_THREADS: threads }: Values, isShared: boolean): SharesSettings => {
  const partitions = set ?? (isShared ? KAFKA_PARTITIONS : EMBEDDED_PARTITIONS)
  return { partitions, foldThreads: Math.min(threads ?? otherCores(), partitions) }
}

/** One core is left to the main thread. */
const otherCores = (): number => Math.min(Math.max(1, availableParallelism() - 1), FOLD_THREADS_MAX)
