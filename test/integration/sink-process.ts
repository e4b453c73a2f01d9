// Folds a log and sinks it into a history. Arguments: directory of the log, url, user, password and database of the history, mode,
// partitions of the log (default 2). `go on` and `end` fold and sink, `sink` and `sink to end` only sink what the log holds. A mode with
// `end` ends once it has caught up; the others run until the test kills them.
import { createHistoryClient } from '../../topology/history/client.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { ClickHouseSink } from '../../topology/sinks/clickhouse.ts'
import { QUICK } from './sink-quick.ts'

const [dir = '', url = '', username = '', password = '', database = '', mode = '', partitions = '2'] = process.argv.slice(2)
const log = await openLmdbLog({ dir, partitions: Number(partitions) })
const client = createHistoryClient({ url, username, password, database })
const sink = new ClickHouseSink({
  topology: LAUNCH_RISK,
  log,
  client,
  limits: QUICK,
  notice: () => {},
})
await sink.open()
const running = sink.run()
const folds = mode.startsWith('sink') ? null : await startFolds(log, [LAUNCH_RISK])
process.stdout.write('open\n')
if (mode.endsWith('end')) {
  await folds?.caughtUp()
  while (!sink.isCaughtUp) await new Promise((resolve) => setTimeout(resolve, 10))
  sink.stop()
  await Promise.all([running, folds?.stop()])
  await client.close()
  await log.close()
} else setInterval(() => {}, 1_000) // An idle sink alone would let the process end before it is killed.
