// The modules of the threads, and what they are given.

import type { Chain } from '../../../schemas/types.ts'
import type { LaunchpadAddresses } from '../../launchpad-in-use.ts'

export const FOLDS_THREAD = new URL('./folds-thread.mjs', import.meta.url)
export const BACKTEST_THREAD = new URL('./backtest-thread.mjs', import.meta.url)
export const SOURCE_THREAD = new URL('./source-thread.mjs', import.meta.url)
export const DETECTOR_THREAD = new URL('./detector-thread.mjs', import.meta.url)

/** What the process gives to the thread of its tasks: the chains that it decodes and folds. */
export interface GivenFolds {
  readonly chains: readonly Chain[]
  /** Of the alt chain's launchpad; null: the deployed ones. */
  readonly addresses: LaunchpadAddresses | null
}
