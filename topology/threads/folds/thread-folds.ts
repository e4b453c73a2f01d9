// The tasks in a separate thread, seen from the main thread: their folding and garbage collection do not delay answers.
import { proxy } from 'comlink'
import type { Topic } from '../../../schemas/topics.ts'
import type { Log } from '../../ports/log.ts'
import type { BarrierWait, Folds, RunOptions } from '../../runtime/runtime.ts'
import type { Redriven } from '../../versions/stores.ts'
import { atStop } from '../../waiting/waiting.ts'
import type { ThreadMemory } from '../here.ts'
import { startThread } from '../start.ts'
import type { FoldsContext, FoldsThread } from './wire.ts'

/** New objects of the folds live for one frame: room for some frames. No effect if Node's flags set a size. */
const MEMORY = { maxYoungGenerationSizeMb: 192 }

export interface FoldsPlace extends FoldsContext {
  /** The thread's entry module. */
  readonly entry: URL
  /** Topics of the log. */
  readonly topics: readonly Topic[]
}

export interface ThreadFolds extends Omit<Folds, 'isCaughtUp' | 'waits'> {
  waits(): Promise<readonly BarrierWait[]>
  memory(): Promise<ThreadMemory>
}

/**
 * Like `startFolds` over the log, with all tasks. A bug in the thread rejects the pending calls.
 * @throws what a restore in the thread throws
 */
export const foldInThread = async (
  log: Log,
  { entry, topics, ...ground }: FoldsPlace,
  { rebuilding, notice, stop }: Required<Pick<RunOptions, 'rebuilding' | 'notice' | 'stop'>>,
): Promise<ThreadFolds> => {
  const { api, orBroken, end } = startThread<FoldsThread>(log, { entry, topics, name: 'folds', memory: MEMORY })
  atStop(stop, () => void api.halt())
  try {
    await orBroken(api.start(ground, proxy({ rebuilding, notice })))
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
