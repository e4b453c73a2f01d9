// Folds the tape of a rebuild in worker threads, over the rebuild's log, which this thread serves.

import { inputsOf, topicsOf } from '../../topology.ts'
import type { FoldThreads } from '../../versions/folding/making.ts'
import { servedLog } from '../start.ts'
import { linkPeers } from './peers.ts'
import { endWorkers, openWorkers, type WorkerPlace } from './worker.ts'

/** The threads are ready after a second; in that time one thread folds about as many records of small frames. */
const RECORDS_MIN = 5_000

interface RebuildPlace extends Pick<WorkerPlace, 'entry' | 'given' | 'dataDir' | 'notice'> {
  readonly threads: number
  /** See `FoldThreads`. */
  readonly recordsMin?: number
}

/** Undefined for one thread. `given`: the entry module must open the log that is served to it. */
export const rebuildWorkers = ({ threads, recordsMin = RECORDS_MIN, ...place }: RebuildPlace): FoldThreads | undefined => {
  if (threads === 1) return undefined
  return {
    recordsMin,
    open: async (log, topology, limits) => {
      const topics = topicsOf(topology)
      const served = Array.from({ length: threads }, () => servedLog(log, topics))
      const endLogs = (): void => {
        for (const { end } of served) end()
      }
      const links = linkPeers(threads, log, [topology])
      const ports = served.map(({ port }) => port)
      const rebuild = { chain: topology.chain.name, limits }
      const workers = await openWorkers(links, { ...place, topics, rebuild }, ports).catch((failure: unknown) => {
        endLogs()
        throw failure
      })
      const tasks = Array.from({ length: log.partitions(inputsOf(topology).tape) }, (_, partition) => {
        const worker = workers[partition % threads] as (typeof workers)[number]
        return worker.create(topology.chain.name, partition, () => 0)
      })
      return { tasks, end: () => endWorkers(workers).finally(endLogs) }
    },
  }
}
