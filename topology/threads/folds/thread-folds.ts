// The tasks in a thread of their own, as their process sees them: what they fold and what they leave to the collector holds up no answer.
import { proxy } from 'comlink'
import type { Topic } from '../../../schemas/topics.ts'
import type { Log } from '../../ports/log.ts'
import type { BarrierWait, Folds, Staff } from '../../runtime/runtime.ts'
import type { Redriven } from '../../versions/stores.ts'
import { atStop } from '../../waiting/waiting.ts'
import type { ThreadMemory } from '../here.ts'
import { startThread } from '../start.ts'
import type { FoldsGround, FoldsThread } from './wire.ts'

/** New objects of the folds live as long as a frame: room for some frames. Of no effect where Node is told a size by its flags. */
const MEMORY = { maxYoungGenerationSizeMb: 192 }

export interface FoldsPlace extends FoldsGround {
  /** The module of the thread. */
  readonly entry: URL
  /** Of the log. */
  readonly topics: readonly Topic[]
}

export interface ThreadFolds extends Omit<Folds, 'isCaughtUp' | 'waits'> {
  waits(): Promise<readonly BarrierWait[]>
  memory(): Promise<ThreadMemory>
}

/**
 * As `startFolds` over the log, with everything that there is to do. A bug there is thrown by what waits here.
 * @throws what a restore there throws
 */
export const foldInThread = async (
  log: Log,
  { entry, topics, ...ground }: FoldsPlace,
  { rebuilding, notice, stop }: Required<Pick<Staff, 'rebuilding' | 'notice' | 'stop'>>,
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
