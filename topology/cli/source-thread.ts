// The thread of a source: opens what `--source` names.
import { serveSource } from '../sources/thread/serve.ts'
import { openSource } from './open-source.ts'
import type { GivenSource } from './threads.ts'

serveSource<GivenSource>((log, { options, live }, ground) => openSource(log, options, { ...ground, live }))
