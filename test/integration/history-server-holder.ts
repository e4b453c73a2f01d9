// Starts an engine on the directory given, says its process id, and waits to be killed by its test. Says the code of a failure instead.
import { EngineError } from '../../schemas/errors.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'

const server = new ClickHouseServer({ dir: process.argv[2] ?? '', port: 0, database: 'mintfold' })
try {
  await server.start()
  process.stdout.write(`${server.pid()}\n`)
} catch (error) {
  if (!(error instanceof EngineError)) throw error
  process.stdout.write(`${error.code} ${error.retriable} ${error.message}\n`)
}
