// A worker thread for tasks of folds. It uses a log that another thread serves (the embedded log, or that of a rebuild), or connects to
// Kafka itself.
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import { useLaunchpad } from '../../launchpad-in-use.ts'
import { serveWorker } from '../../threads/workers/serve.ts'
import type { GivenWorker } from './threads.ts'

serveWorker<GivenWorker>(async ({ chains, addresses, shared }, { openLog, notice }) => {
  useLaunchpad(addresses)
  const topologies = TOPOLOGIES.filter(({ chain }) => chains.includes(chain.name))
  const open = shared && (await import('../wiring/open-kafka.ts')).openForWorker
  const log = open ? await open(shared, notice) : await openLog()
  return { log, topologies, limits: DEFAULT_LIMITS }
})
