// A process that captures, decodes and folds two chains on one log: killed by the test at chosen moments.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { stagingIn } from '../../topology/versions/rebuild/staging-stores.ts'
import { marketBodies, QUICK } from '../fixtures/rebuild-market.ts'
import { toyTopologyOf } from '../fixtures/toy-topology.ts'
import { appendNext, toyBodies } from '../fixtures/two-chains.ts'

const STEP_MS = 3
const [dir = '', partitions = '', seconds = '', seed = ''] = process.argv.slice(2)
const log = await openLmdbLog({ dir: join(dir, 'log'), partitions: Number(partitions) })
const toy = toyTopologyOf()
const [market, blocks] = [marketBodies(Number(seconds), Number(seed)), toyBodies()]
const folds = await startFolds(log, [LAUNCH_RISK, toy], QUICK, { staging: stagingIn(dir) })
process.stdout.write('begins\n')
for (let isMore = true; isMore; await pause(STEP_MS)) {
  const more = [await appendNext(log, LAUNCH_RISK, market, 1), await appendNext(log, toy, blocks, 2)]
  isMore = more.includes(true)
}
await folds.caughtUp()
await folds.stop()
await log.close()
