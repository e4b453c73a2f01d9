// The thread of a source: opens what `--source` names.
import { serveSource } from '../sources/thread/serve.ts'
import { openSource } from './open-source.ts'
import type { LiveSettings } from './settings-live.ts'
import type { SourceOptions } from './source-options.ts'

/** What the process gives to its thread. */
export interface GivenSource {
  readonly options: SourceOptions
  readonly live: LiveSettings
}

serveSource<GivenSource>((log, { options, live }, ground) => openSource(log, options, { ...ground, live }))
