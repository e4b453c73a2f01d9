// Starts an engine on the given directory, prints its process id, and waits until its test kills it. On failure prints the code.
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
