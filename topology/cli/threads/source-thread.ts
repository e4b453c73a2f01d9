// The thread of a source: opens what `--source` names.
import { serveSource } from '../../threads/source/serve.ts'
import { openSource } from '../wiring/open-source.ts'
import type { GivenSource } from './threads.ts'

serveSource<GivenSource>((log, { options, live }, ground) => openSource(log, options, { ...ground, live }))
