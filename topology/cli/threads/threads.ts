// The modules of the threads of `up`, and what they are given.
import type { LiveSettings } from '../../sources/live-settings.ts'
import type { SourceOptions } from '../settings/source-options.ts'

export const FOLDS_THREAD = new URL('./folds-thread.mjs', import.meta.url)
export const SOURCE_THREAD = new URL('./source-thread.mjs', import.meta.url)

/** What the process gives to the thread of its source. */
export interface GivenSource {
  readonly options: SourceOptions
  readonly live: LiveSettings
}
