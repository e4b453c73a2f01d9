// The thread's side: runs the tasks over the log of the main thread.
import { expose } from 'comlink'
import { assert } from '../../../schemas/errors.ts'
import { type ClosablePages, openScratchPages } from '../../data-dir/scratch-pages.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import type { Notice } from '../../ports/notice.ts'
import { type Folds, type RunOptions, startFolds } from '../../runtime/runtime.ts'
import type { Topology } from '../../topology.ts'
import { stagingIn } from '../../versions/rebuild/staging-stores.ts'
import { memoryHere, threadHere } from '../here.ts'
import { linkPeers, type PeerLinks, peersOf } from '../workers/peers.ts'
import { rebuildWorkers } from '../workers/rebuild-workers.ts'
import { endWorkers, memoryOf, type OpenWorker, openWorkers } from '../workers/worker.ts'
import type { FoldsThread } from './wire.ts'

/** Serves the tasks of the given chains to the thread that started this one. */
export const serveFolds = <Given>(topologiesOf: (given: Given) => readonly Topology[]): void => {
  const { port, topics, openLog } = threadHere()
  const halting = new AbortController()
  let redriving = new AbortController()
  let started: Folds | undefined
  let pages: ClosablePages | undefined
  let workers: readonly OpenWorker[] = []
  const folds = (): Folds => {
    assert(started !== undefined, 'the tasks are started before they are used')
    return started
  }
  const thread: FoldsThread = {
    async start({ dataDir, given, worker, logs }, host) {
      const topologies = topologiesOf(given as Given)
      const staging = stagingIn(dataDir)
      const rebuilding: NonNullable<RunOptions['rebuilding']> = (...told) => void host.rebuilding(...told)
      const notice: Notice = (code, facts) => void host.notice(code, facts)
      pages = openScratchPages(dataDir)
      const log = await openLog()
      const [own, ...links] = linkPeers(1 + logs.length, log, topologies)
      let rebuildThreads: RunOptions['rebuildThreads']
      if (worker !== null) {
        const place = { entry: new URL(worker), topics, given, dataDir, notice }
        workers = await openWorkers(links, place, logs)
        rebuildThreads = rebuildWorkers({ ...place, threads: 1 + logs.length })
      }
      const shared = worker === null ? {} : { workers: [null, ...workers], peers: peersOf(log, topologies, own as PeerLinks) }
      const options = { staging, pages, rebuildThreads, rebuilding, notice, stop: halting.signal, ...shared }
      started = await startFolds(log, topologies, DEFAULT_LIMITS, options)
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
    memory: async () => new Map([['folds', memoryHere()], ...(await memoryOf(workers))]),
    async stop() {
      await folds().stop()
      await endWorkers(workers)
      await pages?.close()
    },
  }
  expose(thread, port)
}
