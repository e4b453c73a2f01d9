// The thread's side: runs the tasks over the log of the main thread.
import { expose } from 'comlink'
import { assert } from '../../../schemas/errors.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import type { Notice } from '../../ports/notice.ts'
import { type Folds, type RunOptions, startFolds } from '../../runtime/runtime.ts'
import type { Topology } from '../../topology.ts'
import { stagingIn } from '../../versions/rebuild/staging-stores.ts'
import { memoryHere, threadHere } from '../here.ts'
import type { FoldsThread } from './wire.ts'

/** Serves the tasks of the given chains to the thread that started this one. */
export const serveFolds = <Given>(topologiesOf: (given: Given) => readonly Topology[]): void => {
  const { port, openLog } = threadHere()
  const halting = new AbortController()
  let redriving = new AbortController()
  let started: Folds | undefined
  const folds = (): Folds => {
    assert(started !== undefined, 'the tasks are started before they are used')
    return started
  }
  const thread: FoldsThread = {
    async start({ dataDir, given }, host) {
      const topologies = topologiesOf(given as Given)
      const staging = stagingIn(dataDir)
      const rebuilding: NonNullable<RunOptions['rebuilding']> = (...told) => void host.rebuilding(...told)
      const notice: Notice = (code, facts) => void host.notice(code, facts)
      started = await startFolds(await openLog(), topologies, DEFAULT_LIMITS, { staging, rebuilding, notice, stop: halting.signal })
    },
    halt: () => halting.abort(),
    done: () => folds().done,
    caughtUp: () => folds().caughtUp(),
    waits: () => folds().waits(),
    redrive: () => folds().redrive(redriving.signal),
    endRedrive() {
      redriving.abort()
      redriving = new AbortController()
    },
    memory: memoryHere,
    stop: () => folds().stop(),
  }
  expose(thread, port)
}
