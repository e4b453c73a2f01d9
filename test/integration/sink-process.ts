// Folds a log and sinks it into a history, until killed by its test or told to end once all is there.
// Arguments: directory of the log, url, user, password and database of the history, `end` to end.
import { createHistoryClient } from '../../topology/history/client.ts'
import { openLmdbLog } from '../../topology/logs/lmdb.ts'
import { startFolds } from '../../topology/runtime.ts'
import { ClickHouseSink } from '../../topology/sinks/clickhouse.ts'
import { QUICK } from './sink-quick.ts'

const [dir = '', url = '', username = '', password = '', database = '', mode = ''] = process.argv.slice(2)
const log = await openLmdbLog({ dir, partitions: 2 })
const client = createHistoryClient({ url, username, password, database })
const sink = new ClickHouseSink({ log, client, limits: QUICK, notice: () => {} })
await sink.open()
const running = sink.run()
const folds = await startFolds(log)
process.stdout.write('open\n')
if (mode === 'end') {
  await folds.caughtUp()
  while (!sink.isCaughtUp) await new Promise((resolve) => setTimeout(resolve, 10))
  sink.stop()
  await Promise.all([running, folds.stop()])
  await client.close()
  await log.close()
}
