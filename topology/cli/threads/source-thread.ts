// The thread of a source: opens what `--source` names of a chain.
import { useLaunchpad } from '../../launchpad-in-use.ts'
import { serveSource } from '../../threads/source/serve.ts'
import { type GivenSource, openSource } from '../wiring/open-source.ts'

serveSource<GivenSource>((log, given, ground) => {
  useLaunchpad(given.liveAlt?.addresses ?? null)
  return openSource(log, given, ground)
})
