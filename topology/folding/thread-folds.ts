// The tasks in a thread of their own, as their process sees them: what they fold and what they leave to the collector holds up no answer.
import { MessageChannel } from 'node:worker_threads'
import { proxy } from 'comlink'
import { serveLog } from '../logs/far/serve-log.ts'
import type { Log } from '../ports/log.ts'
import type { Folds, Staff } from '../runtime.ts'
import { startThread } from '../threads/start.ts'
import type { Redriven } from '../versions/stores.ts'
import type { FoldsGround, FoldsThread, ThreadMemory } from './wire.ts'

/** New objects of the folds live as long as a frame: room for some frames. Of no effect where Node is told a size by its flags. */
const MEMORY = { maxYoungGenerationSizeMb: 192 }

export interface FoldsPlace extends FoldsGround {
  /** The module of the thread. */
  readonly entry: URL
}

export interface ThreadFolds extends Omit<Folds, 'isCaughtUp'> {
  memory(): Promise<ThreadMemory>
}

/**
 * As `startFolds` over the log, with everything that there is to do. A bug there is thrown by what waits here.
 * @throws what a restore there throws
 */
export const foldInThread = async (
  log: Log,
  { entry, scratchDir }: FoldsPlace,
  { rebuilding, stop }: Required<Pick<Staff, 'rebuilding' | 'stop'>>,
): Promise<ThreadFolds> => {
  const { port1, port2 } = new MessageChannel()
  const unserve = serveLog(log, port1)
  const { api, broken, end } = startThread<FoldsThread>({ entry, name: 'folds', memory: MEMORY, ports: { log: port2 } })
  const close = async (): Promise<void> => {
    await end()
    unserve()
  }
  const orBroken = <Result>(asked: Promise<Result>): Promise<Result> => Promise.race([asked, broken])
  stop.addEventListener('abort', () => void api.halt(), { once: true })
  try {
    await orBroken(api.start({ scratchDir }, proxy({ rebuilding })))
  } catch (failure) {
    await close()
    throw failure
  }
  const done = orBroken(api.done())
  done.catch(() => {})
  return {
    done,
    caughtUp: () => orBroken(api.caughtUp()),
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
        await close()
      }
    },
  }
}
