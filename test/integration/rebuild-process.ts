// A process that opens a log of an older decoder and rebuilds it: killed by the test at chosen moments.
import { join } from 'node:path'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { directoryStaging } from '../../topology/versions/rebuild/staging-stores.ts'
import { foldAll, wiringOf } from '../fixtures/rebuild-market.ts'
import { rebuildIn } from '../fixtures/rebuild-workers.ts'

const [dir = '', partitions = '', threads = ''] = process.argv.slice(2)
const log = await openLmdbLog({ dir: join(dir, 'log'), partitions: Number(partitions) })
process.stdout.write('begins\n')
const rebuilding = (progress: { readonly phase: string } | null): void => void process.stdout.write(`${progress?.phase ?? 'over'}\n`)
const rebuildThreads = rebuildIn(Number(threads), dir, { decoder: 2 })
await foldAll(log, wiringOf(2), { staging: () => directoryStaging(join(dir, 'scratch')), rebuilding, rebuildThreads })
await log.close()
