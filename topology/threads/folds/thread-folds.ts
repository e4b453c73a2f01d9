// The tasks in a separate thread, seen from the main thread: their folding and garbage collection do not delay answers.
import { proxy, transfer } from 'comlink'
import type { Topic } from '../../../schemas/topics.ts'
import type { Log } from '../../ports/log.ts'
import type { BarrierWait, Folds, RunOptions } from '../../runtime/runtime.ts'
import type { Redriven } from '../../versions/stores.ts'
import { atStop } from '../../waiting/waiting.ts'
import { FOLD_MEMORY, type ThreadMemory } from '../here.ts'
import { servedLog, startThread } from '../start.ts'
import type { FoldsContext, FoldsThread } from './wire.ts'

export interface FoldsPlace extends Pick<FoldsContext, 'dataDir' | 'given'> {
  /** The thread's entry module. */
  readonly entry: URL
  /** Topics of the log. */
  readonly topics: readonly Topic[]
  /** Entry module and number of further threads that fold an equal share of the partitions; absent: none. */
  readonly workers?: { readonly entry: URL; readonly count: number }
}

export interface ThreadFolds extends Omit<Folds, 'isCaughtUp' | 'waits' | 'standbys'> {
  waits(): Promise<readonly BarrierWait[]>
  /** By name of the thread. */
  memory(): Promise<ReadonlyMap<string, ThreadMemory>>
}

/**
 * Like `startFolds` over the log, with all tasks. A bug in the thread rejects the pending calls.
 * @throws what a restore in the thread throws
 */
export const foldInThread = async (
  log: Log,
  { entry, topics, workers, ...ground }: FoldsPlace,
  { rebuilding, notice, stop }: Required<Pick<RunOptions, 'rebuilding' | 'notice' | 'stop'>>,
): Promise<ThreadFolds> => {
  const { api, orBroken, end: endThread } = startThread<FoldsThread>(log, { entry, topics, name: 'folds', memory: FOLD_MEMORY })
  const ofWorkers = Array.from({ length: workers?.count ?? 0 }, () => servedLog(log, topics))
  const logs = ofWorkers.map(({ port }) => port)
  const end = async (): Promise<void> => {
    await endThread()
    for (const served of ofWorkers) served.end()
  }
  atStop(stop, () => void api.halt())
  try {
    const context: FoldsContext = { ...ground, worker: workers !== undefined && workers.count > 0 ? workers.entry.href : null, logs }
    await orBroken(api.start(transfer(context, logs), proxy({ rebuilding, notice })))
  } catch (failure) {
    await end()
    throw failure
  }
  const done = orBroken(api.done())
  done.catch(() => {})
  return {
    done,
    caughtUp: () => orBroken(api.caughtUp()),
    waits: () => orBroken(api.waits()),
    redrive: async (asked) => {
      const cancel = (): void => void api.endRedrive()
      asked.addEventListener('abort', cancel, { once: true })
      try {
        const redriven = orBroken<Redriven | undefined>(api.redrive())
        if (asked.aborted) cancel()
        return await redriven
      } finally {
        asked.removeEventListener('abort', cancel)
      }
    },
    memory: () => orBroken(api.memory()),
    stop: async () => {
      try {
        await orBroken(api.stop())
        await done
      } finally {
        await end()
      }
    },
  }
}
