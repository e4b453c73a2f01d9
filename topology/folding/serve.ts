// The thread's side: the tasks over a log that lies in the process.
import { type MessagePort, workerData } from 'node:worker_threads'
import { expose } from 'comlink'
import { assert } from '../../schemas/errors.ts'
import { DEFAULT_LIMITS } from '../engine/limits.ts'
import { openFarLog } from '../logs/far/far-log.ts'
import { type Folds, startFolds } from '../runtime.ts'
import { passFailures } from '../threads/failures.ts'
import { directoryScratches } from '../versions/scratches.ts'
import type { FoldsThread } from './wire.ts'

/** Serves the tasks of the chain to the process that started this thread. */
export const serveFolds = (): void => {
  passFailures()
  const { port, log: logPort } = workerData as { readonly port: MessagePort; readonly log: MessagePort }
  const halting = new AbortController()
  let redriving = new AbortController()
  let started: Folds | undefined
  const folds = (): Folds => {
    assert(started !== undefined, 'the tasks are started before they are asked')
    return started
  }
  const thread: FoldsThread = {
    async start({ scratchDir }, host) {
      const scratches = directoryScratches(scratchDir)
      const rebuilding = (progress: Parameters<typeof host.rebuilding>[0]): void => void host.rebuilding(progress)
      started = await startFolds(await openFarLog(logPort), DEFAULT_LIMITS, { scratches, rebuilding, stop: halting.signal })
    },
    halt: () => halting.abort(),
    done: () => folds().done,
    caughtUp: () => folds().caughtUp(),
    redrive: () => folds().redrive(redriving.signal),
    endRedrive() {
      redriving.abort()
      redriving = new AbortController()
    },
    memory() {
      const { heapUsed: heapBytes, external: externalBytes } = process.memoryUsage()
      return { heapBytes, externalBytes }
    },
    stop: () => folds().stop(),
  }
  expose(thread, port)
}
