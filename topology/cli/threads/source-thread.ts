// The thread of a source: opens what `--source` names of a chain.
import { serveSource } from '../../threads/source/serve.ts'
import { type GivenSource, openSource } from '../wiring/open-source.ts'

serveSource<GivenSource>(openSource)
