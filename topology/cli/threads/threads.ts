// The entry modules of the threads, and their arguments.

import type { Chain } from '../../../schemas/types.ts'
import type { LaunchpadAddresses } from '../../launchpad-in-use.ts'
import type { Settings } from '../settings/settings.ts'

export const FOLDS_THREAD = new URL('./folds-thread.mjs', import.meta.url)
export const BACKTEST_THREAD = new URL('./backtest-thread.mjs', import.meta.url)
export const WORKER_THREAD = new URL('./worker-thread.mjs', import.meta.url)
export const SOURCE_THREAD = new URL('./source-thread.mjs', import.meta.url)
export const DETECTOR_THREAD = new URL('./detector-thread.mjs', import.meta.url)

/** Arguments of the thread of the tasks: the chains that it decodes and folds. */
export interface GivenFolds {
  readonly chains: readonly Chain[]
  /** Addresses of the alt chain's launchpad; null: the deployed ones. */
  readonly addresses: LaunchpadAddresses | null
}

/** Arguments of a worker thread: also those of its log on Kafka; absent: the log that the starting side serves. */
export interface GivenWorker extends GivenFolds {
  readonly shared?: Pick<Settings, 'kafka' | 'partitions' | 'retention' | 'foldThreads'>
}
