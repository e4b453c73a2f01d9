// The tasks of a process on Kafka: in this thread, or with the folds in worker threads that have connections of their own.
import type { Registry } from 'prom-client'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import { threadMetrics } from '../../operations/metrics/gauges.ts'
import type { MeasuredLog } from '../../operations/metrics/log-metrics.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { type Folds, type RunOptions, startFolds } from '../../runtime/runtime.ts'
import { linkPeers } from '../../threads/workers/peers.ts'
import { rebuildWorkers } from '../../threads/workers/rebuild-workers.ts'
import { endWorkers, memoryOf, type OpenWorker, openWorkers, type WorkerPlace } from '../../threads/workers/worker.ts'
import { topicsOfAll } from '../../topology.ts'
import { stagingIn } from '../../versions/rebuild/staging-stores.ts'
import { atStop } from '../../waiting/waiting.ts'
import { processName } from '../process-name.ts'
import type { Settings } from '../settings/settings.ts'
import { type GivenWorker, WORKER_THREAD } from '../threads/threads.ts'

export interface SharedContext {
  readonly settings: Settings
  readonly measured: MeasuredLog
  readonly registry: Registry
}

type SharedOptions = Omit<RunOptions, 'workers' | 'by' | 'staging'> & Required<Pick<RunOptions, 'stop' | 'notice'>>

/** Like `startFolds`, with all chains, in as many threads as the settings name. */
export const startSharedFolds = async ({ settings, measured, registry }: SharedContext, options: SharedOptions): Promise<Folds> => {
  const { log, observer } = measured
  const workers = await workersOf(log, settings, { notice: options.notice, observer })
  atStop(options.stop, () => {
    for (const worker of workers) worker.hurry()
  })
  if (workers.length > 0) threadMetrics(registry, () => memoryOf(workers))
  const own = { staging: stagingIn(settings.dataDir), by: processName(), rebuildThreads: rebuildThreadsOf(settings, options.notice) }
  try {
    const folds = await startFolds(log, TOPOLOGIES, DEFAULT_LIMITS, {
      ...{ ...options, ...own },
      ...(workers.length > 0 && { workers }),
    })
    return {
      ...folds,
      get isCaughtUp() {
        return folds.isCaughtUp
      },
      stop: () => folds.stop().finally(() => endWorkers(workers)),
    }
  } catch (failure) {
    await endWorkers(workers)
    throw failure
  }
}

const CHAINS = TOPOLOGIES.map(({ chain }) => chain.name)

/** The threads of rebuilds: they fold over a log in the data directory, which this thread serves. Undefined for one thread. */
export const rebuildThreadsOf = (
  { foldThreads, liveAlt, dataDir }: Pick<Settings, 'foldThreads' | 'liveAlt' | 'dataDir'>,
  notice: Notice,
): RunOptions['rebuildThreads'] => {
  const given: GivenWorker = { chains: CHAINS, addresses: liveAlt.addresses }
  return rebuildWorkers({ entry: WORKER_THREAD, given, dataDir, notice, threads: foldThreads })
}

/** None for one thread: the main thread then folds. */
const workersOf = async (
  log: Log,
  settings: Settings,
  reports: Pick<WorkerPlace, 'notice' | 'observer'>,
): Promise<readonly OpenWorker[]> => {
  const { kafka, partitions, retention, foldThreads, liveAlt, dataDir } = settings
  if (foldThreads === 1) return []
  const given: GivenWorker = { chains: CHAINS, addresses: liveAlt.addresses, shared: { kafka, partitions, retention, foldThreads } }
  const place = { entry: WORKER_THREAD, topics: topicsOfAll(TOPOLOGIES), given, dataDir, ...reports }
  return openWorkers(linkPeers(foldThreads, log, TOPOLOGIES), place)
}
