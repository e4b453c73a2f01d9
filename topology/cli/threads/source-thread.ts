// The thread of a source: opens the source that `--source` names for a chain.
import { useLaunchpad } from '../../launchpad-in-use.ts'
import { serveSource } from '../../threads/source/serve.ts'
import { type GivenSource, openSource } from '../wiring/open-source.ts'

serveSource<GivenSource>((log, given, ground) => {
  useLaunchpad(given.liveAlt?.addresses ?? null)
  return openSource(log, given, ground)
})
